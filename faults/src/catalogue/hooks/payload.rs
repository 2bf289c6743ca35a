//! Faults in payloads of any event, or of a lead.

use chrono::Duration;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::sender;
use crate::hooks::Endpoint;
use crate::memory::Memory;
use crate::message::{Request, edit_objects, parse_time, remove_member, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault("hooks.timestamp-local", "timestamp is a local time marked as UTC.", &["hooks.times.real"]).hook(
        |hook, _, _| {
            hook.edit(|event| {
                if let Some(time) = event["timestamp"].as_str().and_then(parse_time) {
                    event["timestamp"] = json!(write_time(time + Duration::hours(1)));
                }
            });
        },
    ),
    fault("hooks.one-type", "Every event has the same type.", &["hooks.lead.sent"])
        .hook(|hook, _, _| hook.edit(|event| event["type"] = json!("event"))),
    fault("hooks.id-of-70", "Event ids have 70 letters.", &["hooks.payload.every-kind"]).hook(|hook, _, _| {
        let id = format!("{:x<70}", sender::event_id(hook));
        hook.set("webhook-id", &id);
        hook.edit(|event| event["id"] = json!(id));
    }),
    fault("hooks.no-api-version", "Payloads omit api_version.", &["hooks.payload.schema"]).hook(|hook, _, _| {
        hook.edit(|event| {
            remove_member(event, "api_version");
        });
    }),
    fault("hooks.flat-data", "The fields of the lead are directly in data.", &["hooks.payload.schema"]).hook(
        |hook, _, _| {
            hook.edit(|event| {
                if event["data"]["lead"].is_object() {
                    event["data"] = event["data"]["lead"].take();
                }
            });
        },
    ),
    fault("hooks.text-latin", "Payloads lose letters outside of Latin-1.", &["hooks.lead.text-survives"])
        .hook(text_latin),
    fault("hooks.text-cut", "Payloads cut the message at 255 characters.", &["hooks.lead.text-survives"]).hook(
        |hook, _, _| {
            hook.edit(|event| {
                if let Some(Value::String(message)) = event.pointer_mut("/data/lead/message") {
                    *message = message.chars().take(255).collect();
                }
            });
        },
    ),
    fault("hooks.source-untold", "The webhook of a lead omits the lead's source.", &["hooks.lead.same-as-api"]).hook(
        |hook, _, _| {
            hook.edit(|event| {
                if let Some(source) = event.pointer_mut("/data/lead/source") {
                    *source = json!({ "utm": {} });
                }
            });
        },
    ),
    fault("hooks.lead-parts-as-one", "left_out of a lead is always 1.", &["hooks.lead.left-out"])
        .hook(|hook, _, _| count_as_one(hook, "lead.captured")),
    fault("hooks.article-parts-as-one", "left_out of an article is always 1.", &["hooks.article.left-out"])
        .hook(|hook, _, _| count_as_one(hook, "article.published")),
    fault("hooks.labels-as-one", "left_out of a failed job is always 1.", &["hooks.failed.left-out"])
        .hook(|hook, _, _| count_as_one(hook, "job.failed")),
    fault(
        "hooks.fields-missing",
        "If the fields of a lead are left out, the payload has no `fields` at all.",
        &["hooks.lead.left-out"],
    )
    .hook(|hook, _, _| {
        hook.edit(|event| {
            if event["data"]["left_out"].is_u64()
                && let Some(lead) = event.pointer_mut("/data/lead")
            {
                remove_member(lead, "fields");
            }
        });
    }),
    fault("hooks.secret-in-payload", "Payloads contain the secret.", &["hooks.payload.no-secrets"]).hook(
        |hook, endpoint, _| {
            if let Some(secret) = endpoint.secrets.first() {
                hook.edit(|event| event["secret"] = json!(secret));
            }
        },
    ),
];

fn count_as_one(hook: &mut Request, event_type: &str) {
    if sender::is_of(hook, event_type) {
        hook.edit(|event| {
            if event["data"]["left_out"].is_u64() {
                event["data"]["left_out"] = json!(1);
            }
        });
    }
}

fn text_latin(hook: &mut Request, _: &Endpoint, _: &Memory) {
    hook.edit(|event| {
        edit_objects(event, &mut |members| {
            for text in members.values_mut() {
                if let Value::String(text) = text {
                    *text = text.chars().map(|letter| if u32::from(letter) < 256 { letter } else { '?' }).collect();
                }
            }
        });
    });
}
