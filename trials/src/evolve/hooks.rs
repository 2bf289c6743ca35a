//! Checks today's verifier and event types against the hooks of an evolved document.

use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contentgen_sdk::webhook::{HookEvent, Verifier};
use hmac_sha256::HMAC;
use hyper::HeaderMap;
use hyper::header::HeaderValue;
use serde_json::{Value, json};

use super::kept;
use super::places;
use super::sampler::Sampler;
use super::service::Service;
use super::verdict::{Failing, Verdict};

/// The bytes of the secret that signs hooks.
const SECRET: &[u8] = b"a secret of sender and receiver";
/// The hooks of the document that represent all events, or events of later versions.
const NO_EVENTS: [&str; 2] = ["*", "unknown"];
/// Time at which hooks are signed, in seconds since 1970.
const SIGNED_AT: u64 = 1_800_000_000;

/// Signs a hook of every event type, and reads it like a receiver.
pub(super) fn run(service: &Service) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    let verifier =
        Verifier::new([format!("whsec_{}", STANDARD.encode(SECRET))]).context("the webhook secret is invalid")?;
    for event in places::names(&service.document, "/x-webhooks") {
        if NO_EVENTS.contains(&event.as_str()) {
            continue;
        }
        let place =
            format!("/x-webhooks/{}/post/requestBody/content/application~1json/schema", places::escaped(&event));
        let schema = service.document.pointer(&place).with_context(|| format!("{event} has no schema"))?;
        let sampler = Sampler { document: &service.document, known: &service.known };
        let mut sent = sampler.value(schema, &mut service.random(&place));
        let id = format!("evt_{}", verdict.hooks);
        sent["id"] = json!(id);
        sent["type"] = json!(event);
        verdict.hooks += 1;
        let read = catch_unwind(AssertUnwindSafe(|| receive(&verifier, &id, &sent)));
        match read {
            Ok(Ok(read)) => check(&mut verdict, service, &event, &sent, &read),
            Ok(Err(error)) => verdict.fail(Failing::Hook, format!("{event}: {error:#}")),
            Err(_) => verdict.fail(Failing::Panic, format!("the webhook {event}")),
        }
    }
    Ok(verdict)
}

/// Acts as a receiver: verifies the bytes, then reads them.
fn receive(verifier: &Verifier, id: &str, sent: &Value) -> Result<HookEvent> {
    let body = serde_json::to_vec(sent)?;
    let signed = [format!("{id}.{SIGNED_AT}.").as_bytes(), &body].concat();
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", HeaderValue::try_from(id)?);
    headers.insert("webhook-timestamp", HeaderValue::from(SIGNED_AT));
    let signature = format!("v1,{}", STANDARD.encode(HMAC::mac(signed, SECRET)));
    headers.insert("webhook-signature", HeaderValue::try_from(signature)?);
    let now = std::time::UNIX_EPOCH + std::time::Duration::from_secs(SIGNED_AT);
    Ok(verifier.verify_at(&headers, &body, now)?.event()?)
}

/// Checks that a known type is read as that type with its new fields, and that a new type is kept whole.
fn check(verdict: &mut Verdict, service: &Service, event: &str, sent: &Value, read: &HookEvent) {
    let is_known = service.known.events.contains(event);
    let is_unknown = matches!(read, HookEvent::Unknown(_));
    if read.event_type() != event || is_known == is_unknown {
        verdict.fail(Failing::Hook, format!("{event} was read as {:?}", read.event_type()));
        return;
    }
    let written = serde_json::to_value(read).unwrap_or_default();
    if is_unknown && written != *sent {
        verdict.fail(Failing::Hook, format!("{event} was not kept unchanged"));
    }
    for lost in kept::lost(sent, &written, &service.known, &mut verdict.new) {
        verdict.fail(Failing::Value, format!("the webhook {event} {lost}"));
    }
}
