//! Anthropic's Messages API. JSON with a schema is requested as the input of a tool that the model must call.

use serde_json::{Value, json};

use super::super::reply::{Ending, Place, Reply, Tokens, texts};
use super::super::request_form::{OutputMode, RequestForm};
use super::request::Request;

/// Places of a draft, best first.
const PLACES: [Place; 3] =
    [Place::answer("/content", "input"), Place::answer("/content", "text"), Place::thought("/content", "thinking")];

/// API version in the `anthropic-version` header.
pub(super) const VERSION: &str = "2023-06-01";

pub(super) fn body(request: &Request<'_>, form: RequestForm) -> Value {
    let messages =
        request.messages.iter().map(|message| json!({ "role": message.role.as_str(), "content": message.text }));
    let mut body = json!({
        "model": request.model,
        "system": request.system_in(form),
        "messages": messages.collect::<Vec<_>>(),
        "max_tokens": form.max_tokens,
        "stream": form.streams,
    });
    // The API has no mode for JSON without a schema, so the prompt must suffice.
    if form.mode == OutputMode::Schema {
        let shape = request.shape;
        body["tools"] = json!([{ "name": shape.name, "description": shape.description, "input_schema": shape.schema }]);
        body["tool_choice"] = json!({ "type": "tool", "name": shape.name });
    }
    body
}

pub(super) fn reply(body: &Value) -> Option<Reply> {
    body.get("content")?.as_array()?;
    let ending = Ending::of(&body["stop_reason"]);
    let usage = body.get("usage");
    let count = |name| usage?.get(name)?.as_u64();
    // Tokens written to or read from a cache count as input too.
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"]
        .into_iter()
        .filter_map(count)
        .fold(0, u64::saturating_add);
    Some(Reply {
        texts: texts(body, &PLACES, ending),
        ending,
        tokens: count("input_tokens")
            .zip(count("output_tokens"))
            .map(|(input, output)| Tokens { input: input.saturating_add(cached), output }),
    })
}

pub(super) fn joined_events(events: &[Value]) -> Option<Value> {
    let mut message =
        events.iter().find_map(|event| event.get("message").filter(|message| message.is_object()))?.clone();
    if !message["usage"].is_object() {
        message["usage"] = json!({});
    }
    let (mut text, mut input, mut thoughts) = (String::new(), String::new(), String::new());
    let mut stop = Value::from("max_tokens");
    for event in events {
        let Some(delta) = event.get("delta") else { continue };
        for (name, joined) in [("text", &mut text), ("partial_json", &mut input), ("thinking", &mut thoughts)] {
            joined.push_str(delta.get(name).and_then(Value::as_str).unwrap_or_default());
        }
        if let Some(reason) = delta.get("stop_reason").filter(|reason| reason.is_string()) {
            stop.clone_from(reason);
        }
        // Some servers count the input only at the end, others report 0 there.
        for name in ["input_tokens", "output_tokens"] {
            let counted = event.get("usage").and_then(|usage| usage.get(name)).and_then(Value::as_u64);
            if counted > message["usage"][name].as_u64() {
                message["usage"][name] = counted.into();
            }
        }
    }
    // The input of a tool arrives as pieces of JSON. It stays a text, because it may be incomplete.
    message["content"] = json!([{ "input": input }, { "text": text }, { "thinking": thoughts }]);
    message["stop_reason"] = stop;
    Some(message)
}
