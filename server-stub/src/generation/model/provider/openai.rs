//! Chat completions API of OpenAI and compatible endpoints.

use serde_json::{Map, Value, json};

use super::super::reply::{Ending, Reply, Tokens, joined_parts};
use super::super::request_form::{OutputMode, RequestForm};
use super::request::Request;

pub(super) fn body(request: &Request<'_>, form: RequestForm) -> Value {
    let system = json!({ "role": "system", "content": request.system_in(form) });
    let others =
        request.messages.iter().map(|message| json!({ "role": message.role.as_str(), "content": message.text }));
    let mut body = json!({
        "model": request.model,
        "messages": std::iter::once(system).chain(others).collect::<Vec<_>>(),
        "stream": false,
        form.limit.as_str(): request.max_output_tokens,
    });
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
    let ending = match choice.get("finish_reason").and_then(Value::as_str) {
        _ if refusal => Ending::Refused,
        Some("content_filter") => Ending::Refused,
        Some("length") => Ending::CutOff,
        _ => Ending::Whole,
    };
    let usage = body.get("usage");
    let count = |name| usage?.get(name)?.as_u64();
    Some(Reply {
        text: joined_parts(message.get("content").unwrap_or(&Value::Null)),
        ending,
        tokens: count("prompt_tokens").zip(count("completion_tokens")).map(|(input, output)| Tokens { input, output }),
    })
}

pub(super) fn joined_events(events: &[Value]) -> Option<Value> {
    let (mut content, mut refusal) = (String::new(), String::new());
    let (mut finish, mut usage) = (Value::Null, Value::Null);
    let mut is_stream = false;
    for event in events {
        if let Some(told) = event.get("usage").filter(|usage| usage.is_object()) {
            usage.clone_from(told);
        }
        let Some(choice) = event.get("choices").and_then(|choices| choices.get(0)) else { continue };
        // Some endpoints end a stream with the whole message.
        let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) else { continue };
        is_stream = true;
        content.push_str(&joined_parts(delta.get("content").unwrap_or(&Value::Null)));
        refusal.push_str(delta.get("refusal").and_then(Value::as_str).unwrap_or_default());
        if let Some(reason) = choice.get("finish_reason").filter(|reason| reason.is_string()) {
            finish.clone_from(reason);
        }
    }
    if finish.is_null() {
        // An interrupted stream has no `finish_reason`.
        finish = Value::from("length");
    }
    let mut message = Map::new();
    message.insert("content".to_owned(), content.into());
    message.insert("refusal".to_owned(), refusal.into());
    is_stream.then(|| json!({ "choices": [{ "message": message, "finish_reason": finish }], "usage": usage }))
}
