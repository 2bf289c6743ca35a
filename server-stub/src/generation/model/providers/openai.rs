//! Chat completions API of OpenAI and compatible endpoints.

use serde_json::{Map, Value, json};

use super::super::reply::{Ending, Place, Reply, Tokens, texts};
use super::super::request_form::{OutputMode, RequestForm};
use super::request::Request;

/// Places of a draft, best first. Add a row for another endpoint.
const PLACES: [Place; 6] = [
    Place::answer("/choices/0/message/content", "text"),
    // Gateways that turn a schema into a tool.
    Place::answer("/choices/0/message/tool_calls/0/function/arguments", "text"),
    Place::answer("/choices/0/message/function_call/arguments", "text"),
    // Mistral.
    Place::thought("/choices/0/message/content", "thinking"),
    // DeepSeek and vLLM, then OpenRouter and newer versions of vLLM.
    Place::thought("/choices/0/message/reasoning_content", "text"),
    Place::thought("/choices/0/message/reasoning", "text"),
];

pub(super) fn body(request: &Request<'_>, form: RequestForm) -> Value {
    let mut messages: Vec<(&str, String)> =
        request.messages.iter().map(|message| (message.role.as_str(), message.text.clone())).collect();
    let system = request.system_in(form);
    match messages.first_mut().filter(|_| !form.has_system_role) {
        Some((_, first)) => *first = format!("{system}\n\n{first}"),
        None => messages.insert(0, ("system", system)),
    }
    let messages = messages.into_iter().map(|(role, text)| json!({ "role": role, "content": text }));
    let mut body = json!({
        "model": request.model,
        "messages": messages.collect::<Vec<_>>(),
        "stream": form.streams,
        form.limit.as_str(): form.max_tokens,
    });
    if form.asks_usage {
        body["stream_options"] = json!({ "include_usage": true });
    }
    let format = match form.mode {
        OutputMode::Schema => json!({
            "type": "json_schema",
            "json_schema": { "name": request.shape.name, "strict": true, "schema": request.shape.schema },
        }),
        OutputMode::Json => json!({ "type": "json_object" }),
        OutputMode::Prompt => return body,
    };
    body["response_format"] = format;
    body
}

pub(super) fn reply(body: &Value) -> Option<Reply> {
    let choice = body.get("choices")?.get(0)?;
    let message = choice.get("message")?;
    let refusal = message.get("refusal").and_then(Value::as_str).is_some_and(|refusal| !refusal.is_empty());
    let ending = if refusal { Ending::Refused } else { Ending::of(&choice["finish_reason"]) };
    let usage = body.get("usage");
    let count = |name| usage?.get(name)?.as_u64();
    Some(Reply {
        texts: texts(body, &PLACES, ending),
        ending,
        tokens: count("prompt_tokens").zip(count("completion_tokens")).map(|(input, output)| Tokens { input, output }),
    })
}

pub(super) fn joined_events(events: &[Value]) -> Option<Value> {
    let mut message = Value::Object(Map::new());
    let (mut finish, mut usage) = (Value::Null, Value::Null);
    let mut is_stream = false;
    for event in events {
        if let Some(told) = event.get("usage").filter(|usage| usage.is_object()) {
            usage.clone_from(told);
        }
        let Some(choice) = event.get("choices").and_then(|choices| choices.get(0)) else { continue };
        match (choice.get("delta"), choice.get("message")) {
            (Some(delta), _) => append(&mut message, delta),
            // Some endpoints end a stream with the whole message.
            (None, Some(whole)) => message.clone_from(whole),
            (None, None) => continue,
        }
        is_stream = true;
        if let Some(reason) = choice.get("finish_reason").filter(|reason| reason.is_string()) {
            finish.clone_from(reason);
        }
    }
    if finish.is_null() {
        // An interrupted stream has no `finish_reason`.
        finish = Value::from("length");
    }
    is_stream.then(|| json!({ "choices": [{ "message": message, "finish_reason": finish }], "usage": usage }))
}

/// Appends a piece of a message: the texts of equal fields are joined, and calls of tools by their number.
fn append(message: &mut Value, piece: &Value) {
    match (message, piece) {
        (_, Value::Null) => {}
        (Value::String(text), Value::String(more)) => text.push_str(more),
        (Value::Object(fields), Value::Object(more)) => {
            for (name, value) in more {
                append(fields.entry(name).or_insert(Value::Null), value);
            }
        }
        (Value::Array(items), Value::Array(more)) => {
            for (position, item) in more.iter().enumerate() {
                // Some servers count from 1.
                let begun = match item.get("index") {
                    Some(index) => items.iter_mut().find(|begun| begun.get("index") == Some(index)),
                    None => item.get("function").and_then(|_| items.get_mut(position)),
                };
                match begun {
                    Some(begun) => append(begun, item),
                    None => items.push(item.clone()),
                }
            }
        }
        // Thoughts arrive as parts, and then the text as such.
        (Value::Array(parts), Value::String(_)) => match parts.last_mut().and_then(|last| last.get_mut("text")) {
            Some(last) => append(last, piece),
            None => parts.push(json!({ "type": "text", "text": piece })),
        },
        (begun, piece) => piece.clone_into(begun),
    }
}
