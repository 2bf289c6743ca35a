//! Anthropic's Messages API. JSON with a schema is requested as the input of a tool that the model must call.

use serde_json::{Value, json};

use super::super::reply::{Ending, Reply, Tokens, joined_parts};
use super::super::request_form::{OutputMode, RequestForm};
use super::request::Request;

/// API version in the `anthropic-version` header.
pub(super) const VERSION: &str = "2023-06-01";

pub(super) fn body(request: &Request<'_>, form: RequestForm) -> Value {
    let messages =
        request.messages.iter().map(|message| json!({ "role": message.role.as_str(), "content": message.text }));
    let mut body = json!({
        "model": request.model,
        "system": request.system_in(form),
        "messages": messages.collect::<Vec<_>>(),
        "max_tokens": request.max_output_tokens,
        "stream": false,
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
    let content = body.get("content")?.as_array()?;
    let call = content.iter().find_map(|part| part.get("input").filter(|input| input.is_object()));
    let ending = match body.get("stop_reason").and_then(Value::as_str) {
        Some("refusal") => Ending::Refused,
        Some("max_tokens" | "model_context_window_exceeded") => Ending::CutOff,
        _ => Ending::Whole,
    };
    let usage = body.get("usage");
    let count = |name| usage?.get(name)?.as_u64();
    // Tokens written to or read from a cache count as input too.
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"]
        .into_iter()
        .filter_map(count)
        .fold(0, u64::saturating_add);
    Some(Reply {
        text: call.map_or_else(|| joined_parts(&body["content"]), Value::to_string),
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
    let (mut text, mut input) = (String::new(), String::new());
    let mut stop = Value::from("max_tokens");
    for event in events {
        let Some(delta) = event.get("delta") else { continue };
        text.push_str(delta.get("text").and_then(Value::as_str).unwrap_or_default());
        input.push_str(delta.get("partial_json").and_then(Value::as_str).unwrap_or_default());
        if let Some(reason) = delta.get("stop_reason").filter(|reason| reason.is_string()) {
            stop.clone_from(reason);
        }
        if let Some(output) = event.get("usage").and_then(|usage| usage.get("output_tokens")) {
            message["usage"]["output_tokens"] = output.clone();
        }
    }
    // The input of a tool arrives as pieces of JSON. It is read as text, because it may be incomplete.
    let text = if input.is_empty() { text } else { input };
    message["content"] = json!([{ "type": "text", "text": text }]);
    message["stop_reason"] = stop;
    Some(message)
}
