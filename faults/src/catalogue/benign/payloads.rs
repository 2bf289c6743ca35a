//! Other valid bodies and headers of webhooks.

use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::body;
use super::fields::NOT_OF_THE_SERVER;
use super::writing::{escaped, reversed};
use crate::hooks::Endpoint;
use crate::memory::Memory;
use crate::message::Request;

/// Headers of another sender.
const SENDER: [(&str, &str); 8] = [
    ("user-agent", "Svix-Webhooks/1.72 (sender-9; +https://example.com/bot)"),
    ("content-type", "application/json; charset=utf-8"),
    ("accept-encoding", "gzip, br"),
    ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
    ("x-forwarded-for", "203.0.113.9"),
    ("via", "1.1 edge.example"),
    ("svix-id", "msg_7"),
    ("idempotency-key", "\"7\""),
];

/// Maximum size of a body before fields must be dropped, in bytes.
const MAX_WHOLE: usize = 20 * 1024;

/// Fields of the parts of an event that may be null or absent.
const NULLABLE: [(&str, &[&str]); 3] = [
    ("/data/lead", &["article_id", "email", "name", "company", "phone", "phone_typed", "message"]),
    ("/data/article", &["job_id", "url", "published_at"]),
    ("/data", &["left_out"]),
];

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.hook-gateway",
        "Webhooks have another User-Agent, a charset, and headers of a sending gateway: the document leaves them open.",
        Profile::Full,
    )
    .hook(|hook, _, _| SENDER.iter().for_each(|(name, value)| hook.set(name, value))),
    variant(
        "benign.hook-rewritten",
        "Bodies of webhooks have another order of fields, escapes, and white space around: RFC 8259 allows each.",
        Profile::Full,
    )
    .hook(|hook, _, _| {
        if let Some(event) = hook.json() {
            write(hook, format!("\r\n\t {}\n ", escaped(&reversed(&event))));
        }
    }),
    variant(
        "benign.hook-odd-fields",
        "Each object of a webhook has fields named error, password and x_internal: clients ignore unknown fields.",
        Profile::Full,
    )
    .hook(|hook, _, _| {
        if let Some(mut event) = hook.json() {
            enrich(&mut event);
            write(hook, event.to_string());
        }
    }),
    variant(
        "benign.hook-nulls-other-way",
        "Null fields of webhooks are absent, and absent fields are null: both mean the same.",
        Profile::Full,
    )
    .hook(nulls_other_way),
    variant(
        "benign.hook-unknown-signatures",
        "Signatures of unknown versions surround those of v1: Standard Webhooks has receivers skip them.",
        Profile::Full,
    )
    .hook(|hook, _, _| {
        let signatures = hook.header("webhook-signature").unwrap_or_default();
        let all = format!("v2,bm90IG9mIHRoaXMgdmVyc2lvbg== {signatures} v3,YW5vdGhlcg==");
        hook.set("webhook-signature", &all);
    }),
];

fn write(hook: &mut Request, body: String) {
    if body.len() <= MAX_WHOLE {
        hook.body = body.into();
    }
}

fn enrich(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let own = fields.iter_mut().filter(|(name, _)| !NOT_OF_THE_SERVER.contains(&name.as_str()));
            own.for_each(|(_, field)| enrich(field));
            for (name, field) in [("error", json!("none")), ("password", Value::Null), ("x_internal", json!({}))] {
                fields.entry(name).or_insert(field);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(enrich),
        _ => {}
    }
}

fn nulls_other_way(hook: &mut Request, _: &Endpoint, _: &Memory) {
    hook.edit(|event| {
        for (place, names) in NULLABLE {
            if let Some(part) = event.pointer_mut(place) {
                body::swap_nulls(part, names);
            }
        }
    });
}
