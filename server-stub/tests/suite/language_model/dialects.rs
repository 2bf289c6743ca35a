//! Working endpoints with different protocols. Each one produces an article.

use contentgen_server_stub::generation::model::Provider;
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use super::stub::{KEY, Stub, brief, chat, draft, envelope, error, stream, write, writer};

/// Checks that an endpoint with this response produces an article at the first request.
async fn assert_written(name: &str, provider: Provider, response: ResponseTemplate) {
    let stub = Stub::start(move |_, _| response.clone()).await;
    let (written, usage) = write(&writer(stub.settings(provider)), &brief()).await;
    let article = written.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(article.voice.passed, "{name}: {:?}", article.voice);
    assert_eq!(article.generator, format!("llm:{}/test-model", provider.as_str()), "{name}");
    assert_eq!((usage.requests, usage.failed_requests), (1, 0), "{name}");
}

#[tokio::test]
async fn a_draft_is_read_from_chat_completions_in_every_form() {
    let draft = serde_json::to_string(&draft(&brief()).await).unwrap();
    let parts = json!([{ "type": "text", "text": &draft[..40] }, { "type": "text", "text": &draft[40..] }]);
    let raw = |kind: &str| {
        ResponseTemplate::new(200).set_body_raw(envelope(&draft.as_str().into(), "stop").to_string(), kind)
    };
    let pieces: Vec<String> =
        draft.chars().collect::<Vec<_>>().chunks(40).map(|piece| piece.iter().collect()).collect();
    let mut events: Vec<Value> = pieces
        .iter()
        .map(|piece| json!({ "choices": [{ "delta": { "content": piece }, "finish_reason": null }] }))
        .collect();
    events.push(json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }));
    events.push(json!({ "choices": [], "usage": { "prompt_tokens": 7, "completion_tokens": 9 } }));
    let call = |piece: &str| json!({ "index": 1, "function": { "arguments": piece } });
    let mut calls: Vec<Value> = pieces
        .iter()
        .map(|piece| json!({ "choices": [{ "delta": { "tool_calls": [call(piece)] }, "finish_reason": null }] }))
        .collect();
    calls.push(json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }] }));
    for (name, response) in [
        ("plain", chat(&draft)),
        ("in a fence", chat(&format!("```json\n{draft}\n```"))),
        ("between words", chat(&format!("Of course! Here is {{the}} article:\n\n{draft}\n\nShall I change anything?"))),
        ("after thoughts", chat(&format!("<think>Perhaps {{\"title\": 1}}?</think>\n{draft}"))),
        ("in a wrapper", chat(&format!("{{\"article\": {draft}}}"))),
        ("content in parts", ResponseTemplate::new(200).set_body_json(envelope(&parts, "stop"))),
        ("labelled as HTML", raw("text/html; charset=utf-8")),
        ("labelled as unknown bytes", raw("application/octet-stream")),
        (
            "with a byte order mark",
            ResponseTemplate::new(200)
                .set_body_raw(format!("\u{feff}{}", envelope(&draft.as_str().into(), "stop")), "application/json"),
        ),
        ("streamed", stream(&events)),
        ("streamed as one event", stream(&[envelope(&draft.as_str().into(), "stop")])),
        ("streamed as a tool call that is counted from 1", stream(&calls)),
    ] {
        assert_written(name, Provider::OpenAi, response).await;
    }
}

#[tokio::test]
async fn a_draft_is_read_from_messages_in_every_form() {
    let draft = serde_json::to_value(draft(&brief()).await).unwrap();
    let message = |content: Value, stop: &str| {
        let usage = json!({ "input_tokens": 1000, "output_tokens": 500, "cache_read_input_tokens": 20 });
        let message =
            json!({ "type": "message", "role": "assistant", "content": content, "stop_reason": stop, "usage": usage });
        ResponseTemplate::new(200).set_body_json(message)
    };
    let text = draft.to_string();
    let (one, other) = text.split_at(text.ceil_char_boundary(100));
    let begin = json!({ "type": "message_start", "message": { "type": "message", "content": [], "usage": { "input_tokens": 9, "output_tokens": 1 } } });
    let delta = |piece: &str| json!({ "type": "content_block_delta", "delta": { "type": "input_json_delta", "partial_json": piece } });
    let end =
        json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 400 } });
    let tool = json!([{ "type": "text", "text": "I hand it in." }, { "type": "tool_use", "id": "t", "name": "article_draft", "input": draft }]);
    for (name, response) in [
        ("a tool is called", message(tool, "tool_use")),
        ("text", message(json!([{ "type": "text", "text": format!("Here:\n{text}") }]), "end_turn")),
        ("only thoughts", message(json!([{ "type": "thinking", "thinking": text }]), "end_turn")),
        ("streamed", stream(&[begin, delta(one), delta(other), end])),
    ] {
        assert_written(name, Provider::Anthropic, response).await;
    }
}

#[tokio::test]
async fn tokens_of_a_message_are_the_largest_counts_of_its_events() {
    let text = serde_json::to_string(&draft(&brief()).await).unwrap();
    let begin = json!({ "type": "message_start", "message": { "content": [], "usage": { "input_tokens": 9, "output_tokens": 1 } } });
    let delta = json!({ "type": "content_block_delta", "delta": { "type": "text_delta", "text": text } });
    let end = json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "input_tokens": 0, "output_tokens": 400 } });
    let stub = Stub::start(move |_, _| stream(&[begin.clone(), delta.clone(), end.clone()])).await;
    let (written, usage) = write(&writer(stub.settings(Provider::Anthropic)), &brief()).await;
    written.unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.is_estimated), (9, 400, false));
}

#[tokio::test]
async fn each_provider_is_asked_in_its_own_way_and_gets_the_key_in_its_own_header() {
    let draft = serde_json::to_value(draft(&brief()).await).unwrap();
    let text = draft.to_string();
    let stub = Stub::start(move |_, _| chat(&text)).await;
    write(&stub.writer(), &brief()).await.0.unwrap();
    let (path, headers) = stub.heads().await.remove(0);
    let body = stub.bodies().await.remove(0);
    assert_eq!(path, "/v1/chat/completions");
    assert_eq!(headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(body["response_format"]["json_schema"]["strict"], true, "{body}");
    assert_eq!(body["response_format"]["json_schema"]["schema"]["additionalProperties"], false, "{body}");
    assert_eq!((&body["stream"], &body["max_tokens"]), (&json!(true), &json!(16_384)));
    assert_eq!(body["stream_options"], json!({ "include_usage": true }));

    let stub = Stub::start(move |_, _| {
        let content = json!([{ "type": "tool_use", "id": "t", "name": "article_draft", "input": draft }]);
        ResponseTemplate::new(200).set_body_json(json!({ "content": content, "stop_reason": "tool_use" }))
    })
    .await;
    let (written, usage) = write(&writer(stub.settings(Provider::Anthropic)), &brief()).await;
    written.unwrap();
    let (path, headers) = stub.heads().await.remove(0);
    let body = stub.bodies().await.remove(0);
    assert_eq!(path, "/v1/messages");
    assert_eq!(
        (&headers["x-api-key"], &headers["anthropic-version"]),
        (&KEY.parse().unwrap(), &"2023-06-01".parse().unwrap())
    );
    assert!(headers.get("authorization").is_none());
    assert_eq!((&body["stream"], body.get("stream_options")), (&json!(true), None));
    assert_eq!(body["tool_choice"], json!({ "type": "tool", "name": "article_draft" }), "{body}");
    assert!(usage.is_estimated && usage.input_tokens > 500 && usage.output_tokens > 300, "{usage:?}");
}

#[tokio::test]
async fn a_key_is_not_needed_where_none_is_asked_for() {
    let stub = Stub::writing(&draft(&brief()).await).await;
    let settings =
        contentgen_server_stub::generation::model::ModelSettings { key: None, ..stub.settings(Provider::OpenAi) };
    write(&writer(settings), &brief()).await.0.unwrap();
    assert!(stub.heads().await[0].1.get("authorization").is_none());
}

#[tokio::test]
async fn an_endpoint_without_a_schema_mode_is_asked_more_loosely_and_that_is_remembered() {
    for (knows, formats) in [(Some("json_object"), 2), (None, 3)] {
        let text = serde_json::to_string(&draft(&brief()).await).unwrap();
        let stub = Stub::start(move |_, body| match body["response_format"]["type"].as_str() {
            Some(format) if Some(format) != knows => {
                error(400, "unsupported", "'response_format' of this type is not supported")
            }
            _ => chat(&text),
        })
        .await;
        let writer = stub.writer();
        let (written, usage) = write(&writer, &brief()).await;
        written.unwrap();
        assert_eq!((usage.requests, usage.failed_requests), (formats, formats - 1));
        let (written, usage) = write(&writer, &brief()).await;
        written.unwrap();
        assert_eq!((usage.requests, usage.failed_requests), (1, 0), "the form is remembered");
        let last = stub.bodies().await.pop().unwrap();
        assert_eq!(last["response_format"]["type"].as_str(), knows);
        let system = last["messages"][0]["content"].as_str().unwrap();
        assert!(
            system.contains("JSON Schema") && system.contains("meta_description"),
            "the prompt has the schema: {system}"
        );
    }
}

#[tokio::test]
async fn a_model_that_insists_on_the_other_limit_of_tokens_gets_it() {
    let text = serde_json::to_string(&draft(&brief()).await).unwrap();
    let stub = Stub::start(move |_, body| match body.get("max_tokens") {
        Some(_) => error(
            400,
            "unsupported_parameter",
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        ),
        None => chat(&text),
    })
    .await;
    let (written, usage) = write(&stub.writer(), &brief()).await;
    written.unwrap();
    let last = stub.bodies().await.pop().unwrap();
    assert_eq!((usage.requests, &last["max_completion_tokens"]), (2, &json!(16_384)));
    assert_eq!(last["response_format"]["type"], "json_schema", "nothing else was given up");
}
