//! What a payload says of any event, or of a lead.

use chrono::Duration;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::sender;
use crate::hooks::Endpoint;
use crate::memory::Memory;
use crate::message::{Request, edit_objects, parse_time, remove_member, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault("hooks.timestamp-local", "timestamp is that of the clock on the wall, labelled Z.", &["hooks.times.real"])
        .hook(|hook, _, _| {
            hook.edit(|event| {
                if let Some(time) = event["timestamp"].as_str().and_then(parse_time) {
                    event["timestamp"] = json!(write_time(time + Duration::hours(1)));
                }
            });
        }),
    fault("hooks.one-type", "Every event has the same type.", &["hooks.payload.schema"])
        .hook(|hook, _, _| hook.edit(|event| event["type"] = json!("event"))),
    fault("hooks.id-of-70", "Ids of events have 70 letters.", &["hooks.payload.every-kind"]).hook(|hook, _, _| {
        let id = format!("{:x<70}", sender::event_id(hook));
        hook.set("webhook-id", &id);
        hook.edit(|event| event["id"] = json!(id));
    }),
    fault("hooks.no-api-version", "Payloads lack api_version.", &["hooks.payload.schema"]).hook(|hook, _, _| {
        hook.edit(|event| {
            remove_member(event, "api_version");
        });
    }),
    fault("hooks.flat-data", "The lead stands in data without its name.", &["hooks.payload.schema"]).hook(
        |hook, _, _| {
            hook.edit(|event| {
                if event["data"]["lead"].is_object() {
                    event["data"] = event["data"]["lead"].take();
                }
            });
        },
    ),
    fault("hooks.text-latin", "Letters outside of Latin-1 are lost in payloads.", &["hooks.lead.text-survives"])
        .hook(text_latin),
    fault("hooks.text-cut", "The message is cut at 255 characters in payloads.", &["hooks.lead.text-survives"]).hook(
        |hook, _, _| {
            hook.edit(|event| {
                if let Some(Value::String(message)) = event.pointer_mut("/data/lead/message") {
                    *message = message.chars().take(255).collect();
                }
            });
        },
    ),
    fault("hooks.source-untold", "The hook of a lead does not tell where it came from.", &["hooks.lead.same-as-api"])
        .hook(|hook, _, _| {
            hook.edit(|event| {
                if let Some(source) = event.pointer_mut("/data/lead/source") {
                    *source = json!({ "utm": {} });
                }
            });
        }),
    fault("hooks.secret-in-payload", "Payloads repeat the secret.", &["hooks.payload.no-secrets"]).hook(
        |hook, endpoint, _| {
            if let Some(secret) = endpoint.secrets.first() {
                hook.edit(|event| event["secret"] = json!(secret));
            }
        },
    ),
];

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
