//! Shared functions of webhook faults: counting attempts, signing differently, sending events that no server sent.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::clock;
use crate::hooks::{Delivery, Endpoint, Relay, sign};
use crate::memory::Memory;
use crate::message::{Request, Response};

/// Returns the id of a webhook's event.
pub(super) fn event_id(hook: &Request) -> String {
    let in_body = || hook.json()?.get("id")?.as_str().map(ToOwned::to_owned);
    hook.header("webhook-id").map(ToOwned::to_owned).or_else(in_body).unwrap_or_default()
}

/// Returns true if a webhook has an event of this type.
pub(super) fn is_of(hook: &Request, event_type: &str) -> bool {
    hook.json().is_some_and(|event| event["type"] == event_type)
}

/// Identifies an event at an endpoint.
pub(super) fn delivery_of(hook: &Request, endpoint: &Endpoint) -> String {
    format!("{} at {}", event_id(hook), endpoint.number)
}

/// Returns the number of earlier attempts for the event at this endpoint.
pub(super) fn attempts_before(hook: &Request, endpoint: &Endpoint, memory: &Memory) -> u64 {
    memory.next_number(&format!("attempts of {}", delivery_of(hook, endpoint)))
}

/// Returns the current Unix time in seconds, as in a webhook's header.
pub(super) fn seconds_now() -> String {
    clock::now().timestamp().to_string()
}

/// Signs again with each secret that made a signature, in another way.
pub(super) fn sign_otherwise(hook: &mut Request, endpoint: &Endpoint, signed: impl Fn(&Request, &str) -> String) {
    let made: Vec<String> = signers(hook, endpoint).into_iter().map(|secret| signed(hook, secret)).collect();
    if !made.is_empty() {
        hook.set("webhook-signature", &made.join(" "));
    }
}

/// Returns the known secrets that signed a webhook, in the order of its signatures.
pub(super) fn signers<'endpoint>(hook: &Request, endpoint: &'endpoint Endpoint) -> Vec<&'endpoint str> {
    let header = hook.header("webhook-signature").unwrap_or_default();
    let signer = |signature: &str| endpoint.secrets.iter().find(|secret| sign(hook, secret) == signature);
    header.split(' ').filter_map(signer).map(String::as_str).collect()
}

/// Returns an id for an event that the server never had, the same each time.
pub(super) fn invented_id(about: &str) -> String {
    Sha256::digest(about).iter().take(12).fold("event_".to_owned(), |mut id, byte| {
        let _ = write!(id, "{byte:02x}");
        id
    })
}

/// Returns a webhook about another event, with the headers of one from the server. It is signed again when sent
/// instead.
pub(super) fn other_event(hook: &Request, event: &Value) -> Request {
    let mut other = hook.clone();
    other.body = event.to_string().into();
    other.set("webhook-id", event["id"].as_str().unwrap_or_default());
    other.set("webhook-timestamp", &seconds_now());
    other
}

/// Returns an event of this type that the server did not send.
pub(super) fn invented_event(event_type: &str, about: &str, data: &Value) -> Value {
    json!({
        "id": invented_id(&format!("{event_type} {about}")),
        "type": event_type,
        "timestamp": crate::message::write_time(clock::now()),
        "api_version": "v1",
        "data": data,
    })
}

/// Sends an event to a receiver, signed with the newest secret. For use without a webhook of the server.
pub(super) async fn emit(relay: &Relay, endpoint: &Endpoint, event: &Value) -> Response {
    let mut hook = other_event(&Request::hook(event), event);
    if let Some(secret) = endpoint.secrets.first() {
        let signature = sign(&hook, secret);
        hook.set("webhook-signature", &signature);
    }
    relay.send(&endpoint.target, hook).await
}

/// Sends the events that the endpoint has not received yet.
pub(super) async fn send_missed(delivery: &Delivery, events: Vec<Value>) {
    for event in events {
        let other = other_event(&delivery.request, &event);
        if delivery.memory.is_first(&format!("{} was sent", delivery_of(&other, &delivery.endpoint))) {
            delivery.send(other).await;
        }
    }
}

/// Adds to a list that the fault keeps.
pub(super) fn append(memory: &Memory, list: &str, value: Value) {
    let at = memory.next_number(&format!("length of {list}"));
    memory.put(&format!("{list} {at}"), value);
}

/// Returns the list so far.
pub(super) fn listed(memory: &Memory, list: &str) -> Vec<Value> {
    (0..).map_while(|at: u64| memory.get(&format!("{list} {at}"))).collect()
}

/// Returns an event's data about an article, from the article in the API.
pub(super) fn summary(article: &Value) -> Value {
    const MEMBERS: [&str; 15] = [
        "id",
        "job_id",
        "website_id",
        "status",
        "title",
        "slug",
        "url",
        "excerpt",
        "tags",
        "language",
        "word_count",
        "reading_time_minutes",
        "created_at",
        "updated_at",
        "published_at",
    ];
    let told = MEMBERS.iter().filter_map(|name| Some(((*name).to_owned(), article.get(name)?.clone())));
    Value::Object(told.collect())
}

/// Returns the fields of a form that was sent as JSON or form-encoded.
pub(super) fn form(request: &Request) -> Map<String, Value> {
    if let Some(Value::Object(members)) = request.json() {
        return members;
    }
    url::form_urlencoded::parse(&request.body).map(|(name, text)| (name.into_owned(), json!(text))).collect()
}
