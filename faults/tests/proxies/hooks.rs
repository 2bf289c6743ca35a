//! The proxy behind a server's webhooks: it forwards them, and signs those that a fault changed.

use axum::Router;
use axum::extract::Request as Received;
use axum::response::IntoResponse;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contentgen_faults::FaultyServer;
use contentgen_faults::catalogue::find;
use contentgen_faults::hooks::sign;
use contentgen_faults::message::Request;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::echo;

const SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// A receiver that reports each request and responds with 202 and `Retry-After`.
async fn receiver() -> (String, mpsc::UnboundedReceiver<Request>, JoinSet<()>) {
    let (sender, received) = mpsc::unbounded_channel();
    let take = move |request: Received| {
        let sender = sender.clone();
        async move {
            let (head, body) = request.into_parts();
            let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
            sender
                .send(Request { method: head.method, headers: head.headers, body, ..Request::get(head.uri.path()) })
                .unwrap();
            (http::StatusCode::ACCEPTED, [("retry-after", "11")], "taken").into_response()
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hooks", listener.local_addr().unwrap());
    let mut server = JoinSet::new();
    server.spawn(async move { axum::serve(listener, Router::new().fallback(take)).await.unwrap() });
    (url, received, server)
}

fn hook(payload: &Value) -> Request {
    let mut hook = Request::hook(payload);
    hook.set("webhook-id", "evt_1");
    hook.set("webhook-timestamp", "1790000000");
    hook.set("x-trace", "kept");
    let signature = sign(&hook, SECRET);
    hook.set("webhook-signature", &signature);
    hook
}

async fn send(url: &str, hook: &Request) -> reqwest::Response {
    echo::client().post(url).headers(hook.headers.clone()).body(hook.body.clone()).send().await.unwrap()
}

#[tokio::test]
async fn what_no_fault_is_about_arrives_as_it_was_sent() {
    let (target, mut received, _receiver) = receiver().await;
    let server = FaultyServer::start("http://127.0.0.1:9").await.unwrap();
    let endpoint = server.relay().open(&target);
    let hook = hook(&json!({ "type": "lead.captured", "data": { "lead": { "name": "Zoë" } } }));
    let answer = send(&server.relay().url(&endpoint), &hook).await;
    assert_eq!((answer.status().as_u16(), &answer.headers()["retry-after"]), (202, &"11".parse().unwrap()));
    let seen = received.recv().await.unwrap();
    assert_eq!(seen.body, hook.body);
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type", "x-trace"] {
        assert_eq!(seen.header(name), hook.header(name), "{name}");
    }
}

#[tokio::test]
async fn a_changed_payload_is_signed_anew_with_the_secret_that_signed_it() {
    let (target, mut received, _receiver) = receiver().await;
    let server = FaultyServer::start("http://127.0.0.1:9").await.unwrap();
    let endpoint = server.relay().open(&target);
    server.relay().learn_secret(endpoint.number, SECRET);
    server.enable(find("hooks.text-latin").unwrap());
    let hook = hook(&json!({ "type": "lead.captured", "data": { "lead": { "name": "日本 Zoë" } } }));
    send(&server.relay().url(&endpoint), &hook).await;
    let seen = received.recv().await.unwrap();
    assert_eq!(seen.json().unwrap()["data"]["lead"]["name"], "?? Zoë");
    assert_eq!(seen.header("webhook-signature"), Some(sign(&seen, SECRET).as_str()));
    assert_ne!(seen.header("webhook-signature"), hook.header("webhook-signature"));
    assert_eq!(server.enabled(), [("hooks.text-latin", 1)]);
}

#[tokio::test]
async fn a_dropped_hook_is_answered_and_does_not_arrive() {
    let (target, mut received, _receiver) = receiver().await;
    let server = FaultyServer::start("http://127.0.0.1:9").await.unwrap();
    let endpoint = server.relay().open(&target);
    server.enable(find("hooks.lead-unsent").unwrap());
    let url = server.relay().url(&endpoint);
    assert!(send(&url, &hook(&json!({ "type": "lead.captured" }))).await.status().is_success());
    send(&url, &hook(&json!({ "type": "article.published" }))).await;
    assert_eq!(received.recv().await.unwrap().json().unwrap()["type"], "article.published");
}

#[test]
fn signatures_are_those_of_the_vectors() {
    let vectors: Vec<Value> =
        serde_json::from_str(include_str!("../../../conformance/vectors/webhook_signatures.json")).unwrap();
    assert!(vectors.len() >= 5);
    for vector in vectors {
        let text = |name: &str| vector[name].as_str().unwrap();
        let mut hook = Request::hook(&Value::Null);
        hook.set("webhook-id", text("id"));
        hook.set("webhook-timestamp", text("timestamp"));
        hook.body = STANDARD.decode(text("body_base64")).unwrap().into();
        assert_eq!(sign(&hook, text("secret")), text("signature"), "{}", text("name"));
    }
}
