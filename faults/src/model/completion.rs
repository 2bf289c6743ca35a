//! Responses of chat completions: in one piece or streamed.

use std::time::Duration;

use serde_json::{Value, json};

/// Number of characters of a piece of a stream.
const PIECE_CHARS: usize = 40;

/// A response of the endpoint.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    /// A status and a body of JSON.
    Whole(u16, Value),
    /// Events, with a pause before each.
    Stream(Vec<Value>, Duration),
    /// No response, although the connection stays open.
    Never,
}

/// Returns an error in OpenAI's form.
pub(super) fn error(status: u16, message: &str) -> Answer {
    Answer::Whole(status, json!({ "error": { "message": message, "type": "invalid_request_error", "code": null } }))
}

/// Returns a response in one piece.
pub(super) fn whole(message: &Value, finish: &str) -> Answer {
    let choice = json!({ "index": 0, "message": message, "finish_reason": finish });
    let usage = json!({ "prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500 });
    Answer::Whole(200, json!({ "object": "chat.completion", "choices": [choice], "usage": usage }))
}

/// Returns a message as events, each with a piece of one of its texts. The last one has the usage if `has_usage`.
pub(super) fn events(message: &Value, finish: &str, has_usage: bool) -> Vec<Value> {
    let event = |delta: Value, finish: Option<&str>| json!({ "object": "chat.completion.chunk", "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] });
    let mut events = vec![event(json!({ "role": "assistant", "content": "" }), None)];
    for (name, value) in message.as_object().into_iter().flatten() {
        let call = value[0]["function"]["arguments"].as_str();
        match (value.as_str(), call) {
            _ if name == "role" || value.is_null() => {}
            (Some(text), _) => events.extend(pieces(text).map(|piece| event(json!({ name: piece }), None))),
            (None, Some(arguments)) => {
                let begin = json!({ "index": 0, "id": "call_1", "type": "function", "function": { "name": "article_draft", "arguments": "" } });
                events.push(event(json!({ name: [begin] }), None));
                let piece = |piece| json!({ name: [{ "index": 0, "function": { "arguments": piece } }] });
                events.extend(pieces(arguments).map(|text| event(piece(text), None)));
            }
            (None, None) => events.push(event(json!({ name: value }), None)),
        }
    }
    events.push(event(json!({}), Some(finish)));
    if has_usage {
        events.push(json!({ "choices": [], "usage": { "prompt_tokens": 1000, "completion_tokens": 500 } }));
    }
    events
}

fn pieces(text: &str) -> impl Iterator<Item = String> {
    let characters: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = characters.chunks(PIECE_CHARS).map(|piece| piece.iter().collect()).collect();
    pieces.into_iter()
}
