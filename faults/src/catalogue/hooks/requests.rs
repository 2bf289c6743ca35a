//! Faults in the method and headers of a webhook.

use http::Method;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::sender;
use crate::clock;
use crate::hooks::Endpoint;
use crate::memory::Memory;
use crate::message::{Request, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault("hooks.is-put", "Webhooks are sent with PUT.", &["hooks.request.json-post"])
        .hook(|hook, _, _| hook.method = Method::PUT),
    fault("hooks.is-text", "Webhooks have the media type text/plain.", &["hooks.request.json-post"])
        .hook(|hook, _, _| hook.set("content-type", "text/plain")),
    fault("hooks.time-in-millis", "webhook-timestamp is in milliseconds.", &["hooks.signature.timestamp"])
        .hook(|hook, _, _| hook.set("webhook-timestamp", &clock::now().timestamp_millis().to_string())),
    fault("hooks.time-iso", "webhook-timestamp is an RFC 3339 time.", &["hooks.signature.timestamp"])
        .hook(|hook, _, _| hook.set("webhook-timestamp", &write_time(clock::now()))),
    fault("hooks.no-id", "webhook-id is missing.", &["hooks.signature.headers"])
        .hook(|hook, _, _| hook.remove("webhook-id")),
    fault("hooks.id-with-dot", "webhook-id contains a dot.", &["hooks.signature.id"]).hook(id_with_dot),
    fault(
        "hooks.id-of-delivery",
        "webhook-id is the id of the delivery instead of the event.",
        &["hooks.signature.id"],
    )
    .hook(|hook, endpoint, _| {
        let id = sender::invented_id(&format!("delivery of {}", sender::delivery_of(hook, endpoint)));
        hook.set("webhook-id", &id);
    }),
    fault("hooks.id-of-endpoint", "webhook-id differs between endpoints.", &["hooks.lead.same-everywhere"]).hook(
        |hook, endpoint, _| {
            let id = format!("{}-{}", sender::event_id(hook), endpoint.number);
            hook.set("webhook-id", &id);
        },
    ),
];

/// Changes the payload's id too, so that both still name one event.
fn id_with_dot(hook: &mut Request, _: &Endpoint, _: &Memory) {
    let id = sender::event_id(hook);
    let (begin, end) = id.split_at_checked(id.len() / 2).unwrap_or((&id, ""));
    let dotted = format!("{begin}.{end}");
    hook.set("webhook-id", &dotted);
    hook.edit(|event| event["id"] = json!(dotted));
}
