//! Failing endpoints: retried errors, final errors, the message of the job, and texts that it never contains.

use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::generation::model::{ModelProxy, ModelSettings, Provider};
use contentgen_server_stub::generation::{FailureCode, GenerationError};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use wiremock::ResponseTemplate;

use super::stub::{KEY, Stub, brief, chat, draft, envelope, error, stream, write, writer};
use crate::frozen_time::FrozenTime;

/// Time that passes while nothing else happens.
const STEP: Duration = Duration::from_millis(20);

/// Returns the error of a writer whose endpoint always gives this response, and the number of requests.
async fn failure(response: ResponseTemplate) -> (GenerationError, u32) {
    let stub = Stub::start(move |_, _| response.clone()).await;
    let (written, usage) = write(&stub.writer(), &brief()).await;
    let error = written.unwrap_err();
    assert!(!error.message.contains(KEY) && !error.message.contains("planted"), "{error}");
    assert_eq!(usage.requests, u32::try_from(stub.bodies().await.len()).unwrap());
    (error, usage.requests)
}

#[tokio::test]
async fn each_trouble_has_its_code_and_its_number_of_requests() {
    use FailureCode::{ContentRejected, GeneratorUnavailable};
    let text = |status: u16, text: &str| ResponseTemplate::new(status).set_body_string(text);
    let refused = json!({ "choices": [{ "message": { "content": null, "refusal": "I can't help with planted things." }, "finish_reason": "stop" }] });
    let broken = stream(&[json!({ "choices": [{ "delta": { "content": "{\"title\":\"T\"," } }] })]);
    let redirect = ResponseTemplate::new(307).insert_header("location", "http://127.0.0.1:9/elsewhere");
    let whole = serde_json::to_string(&draft(&brief()).await).unwrap();
    let wait =
        |seconds: &str| error(429, "rate_limit_exceeded", "planted: slow down").insert_header("retry-after", seconds);
    // The code, whether the operator must act, and the number of requests.
    let cases: Vec<(&str, ResponseTemplate, (FailureCode, bool, u32))> = vec![
        (
            "no key",
            error(401, "invalid_api_key", &format!("Incorrect API key provided: {KEY}")),
            (GeneratorUnavailable, true, 1),
        ),
        ("forbidden", error(403, "forbidden", "planted"), (GeneratorUnavailable, true, 1)),
        (
            "nothing left",
            error(429, "insufficient_quota", "planted: check your billing"),
            (GeneratorUnavailable, true, 1),
        ),
        ("payment", error(402, "payment_required", "planted"), (GeneratorUnavailable, true, 1)),
        ("unknown model", error(404, "model_not_found", "planted"), (GeneratorUnavailable, true, 1)),
        ("a page", text(404, "<html>planted</html>"), (GeneratorUnavailable, true, 1)),
        ("a redirect", redirect, (GeneratorUnavailable, true, 1)),
        ("no form is taken", error(400, "invalid_request", "planted"), (GeneratorUnavailable, true, 3)),
        ("too long", error(400, "context_length_exceeded", "planted"), (GeneratorUnavailable, true, 1)),
        (
            "too long for llama.cpp",
            text(500, "{\"error\": {\"type\": \"exceed_context_size_error\"}}"),
            (GeneratorUnavailable, true, 1),
        ),
        ("too large a request", text(413, "planted"), (GeneratorUnavailable, true, 1)),
        ("no room for a response", error(400, "x", "max_tokens is too large"), (GeneratorUnavailable, true, 7)),
        ("no word of the proxy", text(407, "planted"), (GeneratorUnavailable, false, 1)),
        ("not implemented", text(501, "planted"), (GeneratorUnavailable, true, 3)),
        ("busy", error(429, "rate_limit_exceeded", "planted"), (GeneratorUnavailable, false, 3)),
        ("busy for an hour", wait("3600"), (GeneratorUnavailable, false, 1)),
        ("broken", text(500, "planted"), (GeneratorUnavailable, false, 3)),
        ("overloaded", text(529, "planted"), (GeneratorUnavailable, false, 3)),
        ("a page with 200", text(200, "<html>planted</html>"), (GeneratorUnavailable, false, 1)),
        (
            "an error with 200",
            ResponseTemplate::new(200).set_body_json(json!({ "error": "planted" })),
            (GeneratorUnavailable, false, 1),
        ),
        (
            "no model with 200",
            ResponseTemplate::new(200).set_body_json(json!({ "error": { "code": 404, "message": "planted" } })),
            (GeneratorUnavailable, true, 1),
        ),
        (
            "thoughts that were cut off",
            ResponseTemplate::new(200).set_body_json(
                json!({ "choices": [{ "message": { "content": null, "reasoning_content": whole }, "finish_reason": "length" }] }),
            ),
            (GeneratorUnavailable, true, 2),
        ),
        (
            "a refusal after thoughts",
            ResponseTemplate::new(200).set_body_json(
                json!({ "choices": [{ "message": { "content": "I cannot help.", "reasoning_content": whole }, "finish_reason": "stop" }] }),
            ),
            (ContentRejected, false, 1),
        ),
        ("nothing", text(200, ""), (GeneratorUnavailable, false, 1)),
        (
            "no words",
            ResponseTemplate::new(200).set_body_json(envelope(&Value::Null, "stop")),
            (GeneratorUnavailable, false, 2),
        ),
        ("chatter", chat("Here are five planted tips: …"), (GeneratorUnavailable, false, 2)),
        ("other JSON", chat("{\"planted\": true}"), (GeneratorUnavailable, false, 2)),
        (
            "cut off",
            ResponseTemplate::new(200).set_body_json(envelope(&"{\"title\": \"planted".into(), "length")),
            (GeneratorUnavailable, true, 2),
        ),
        ("a stream that breaks off", broken, (GeneratorUnavailable, true, 2)),
        ("refused", ResponseTemplate::new(200).set_body_json(refused), (ContentRejected, false, 1)),
        (
            "refused in words",
            chat("I\u{2019}m sorry, but I can\u{2019}t write about planted things."),
            (ContentRejected, false, 1),
        ),
        (
            "filtered",
            ResponseTemplate::new(200).set_body_json(envelope(&"".into(), "content_filter")),
            (ContentRejected, false, 1),
        ),
        ("filtered before", error(400, "content_filter", "planted"), (ContentRejected, false, 1)),
        ("too large", text(200, &"{".repeat(33 * 1024 * 1024)), (GeneratorUnavailable, false, 1)),
    ];
    for (name, response, expected) in cases {
        let (error, requests) = failure(response).await;
        assert_eq!((error.code, error.needs_repair, requests), expected, "{name}: {error}");
    }
}

#[tokio::test]
async fn a_refusal_of_anthropic_is_one() {
    let message =
        json!({ "type": "message", "content": [{ "type": "text", "text": "No." }], "stop_reason": "refusal" });
    let stub = Stub::start(move |_, _| ResponseTemplate::new(200).set_body_json(&message)).await;
    let (written, _) = write(&writer(stub.settings(Provider::Anthropic)), &brief()).await;
    assert_eq!(written.unwrap_err().code, FailureCode::ContentRejected);
}

#[tokio::test]
async fn a_busy_endpoint_is_asked_again_after_its_pause() {
    let text = serde_json::to_string(&draft(&brief()).await).unwrap();
    for (header, at_least) in [(Some(("retry-after", "1")), 1000), (Some(("retry-after-ms", "300")), 300), (None, 0)] {
        let text = text.clone();
        let stub = Stub::start(move |number, _| match (number, header) {
            (0, Some((name, value))) => error(429, "rate_limit_exceeded", "wait").insert_header(name, value),
            (0, None) => error(429, "rate_limit_exceeded", "wait"),
            (1, None) => ResponseTemplate::new(503),
            _ => chat(&text),
        })
        .await;
        let time = FrozenTime::begin();
        let (writer, brief) = (stub.writer(), brief());
        let ((written, usage), passed) = time.pass_until_end(STEP, "it is asked again", write(&writer, &brief)).await;
        written.unwrap();
        assert!(passed >= Duration::from_millis(at_least), "{header:?}: {passed:?}");
        assert_eq!(usage.failed_requests, if header.is_some() { 1 } else { 2 }, "{header:?}");
        assert_eq!(usage.input_tokens, 1000, "rejected requests cost nothing");
    }
}

#[tokio::test]
async fn an_answer_that_was_cut_off_once_is_asked_for_again_and_both_are_paid_for() {
    let whole = serde_json::to_string(&draft(&brief()).await).unwrap();
    let stub = Stub::start(move |number, _| {
        let (text, finish) = if number == 0 { (&whole[..200], "length") } else { (whole.as_str(), "stop") };
        ResponseTemplate::new(200).set_body_json(envelope(&text.into(), finish))
    })
    .await;
    let (written, usage) = write(&stub.writer(), &brief()).await;
    written.unwrap();
    assert_eq!((usage.requests, usage.input_tokens, usage.output_tokens), (2, 2000, 1000));
    let again = stub.bodies().await.pop().unwrap();
    let messages = again["messages"].as_array().unwrap();
    assert!(messages.last().unwrap()["content"].as_str().unwrap().contains("cut off"), "{again}");
}

#[tokio::test]
async fn a_refused_request_is_never_sent_again_unchanged() {
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        let stub = Stub::start(|_, _| error(400, "invalid_request", "this form is not accepted")).await;
        write(&writer(stub.settings(provider)), &brief()).await.0.unwrap_err();
        let sent = stub.bodies().await;
        assert!(sent.len() > 1, "{provider:?}");
        for (number, body) in sent.iter().enumerate() {
            assert!(!sent[..number].contains(body), "{provider:?}: request {number}");
        }
    }
}

#[tokio::test]
async fn a_very_slow_endpoint_costs_no_more_than_the_time_limit() {
    let stub = Stub::start(|_, _| chat("{}").set_delay(Duration::from_mins(1))).await;
    let settings = ModelSettings { timeout: Duration::from_millis(300), ..stub.settings(Provider::OpenAi) };
    let time = FrozenTime::begin();
    let (writer, brief) = (writer(settings), brief());
    let ((written, usage), _) = time.pass_until_end(STEP, "it is given up", write(&writer, &brief)).await;
    let error = written.unwrap_err();
    assert_eq!((error.code, error.needs_repair), (FailureCode::GenerationTimeout, true));
    assert_eq!((usage.requests, usage.is_estimated), (1, true), "the input of the model is counted");
    assert!(usage.input_tokens > 100, "{usage:?}");
}

#[tokio::test]
async fn a_connection_that_breaks_off_is_made_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let mut count = 0;
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            drop(socket.read(&mut [0; 1024]).await);
            drop(socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"choices\"").await);
            count += 1;
            if count == 3 {
                return count;
            }
        }
    });
    let settings = ModelSettings {
        first_pause: Duration::from_millis(2),
        ..ModelSettings::new(Provider::OpenAi, url.parse().unwrap(), "test-model")
    };
    let (written, _) = write(&writer(settings), &brief()).await;
    assert_eq!(written.unwrap_err().code, FailureCode::GeneratorUnavailable);
    assert_eq!(tasks.join_next().await.unwrap().unwrap(), 3);
}

#[tokio::test]
async fn redirects_are_not_followed_and_the_key_goes_nowhere_else() {
    let elsewhere = Stub::start(|_, _| chat("{}")).await;
    let location = format!("{}/chat/completions", elsewhere.url());
    let stub = Stub::start(move |_, _| ResponseTemplate::new(308).insert_header("location", location.as_str())).await;
    write(&stub.writer(), &brief()).await.0.unwrap_err();
    assert!(elsewhere.bodies().await.is_empty());
}

#[test]
fn no_debug_output_has_the_key_in_it() {
    let settings = ModelSettings {
        key: contentgen_server_stub::domain::language_model::ModelKey::parse(KEY),
        proxy: ModelProxy::parse("http://name:planted@127.0.0.1:9"),
        ..ModelSettings::new(Provider::OpenAi, "http://127.0.0.1:9".parse().unwrap(), "test-model")
    };
    let writer = Arc::new(writer(settings.clone()));
    for shown in [format!("{settings:?}"), format!("{writer:?}"), format!("{writer:#?}")] {
        assert!(!shown.contains("planted"), "{shown}");
    }
}
