//! Faults in storing topics and metadata.

use serde_json::{Map, Value, json};

use super::super::fault::{Fault, fault};
use super::valid;
use crate::message::{Operation, Request};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "contract.metadata-dots",
        "The server replaces dots and dollars in metadata names with underscores.",
        &["generate.metadata.names-kept"],
    )
    .request(|request, _| {
        keep_metadata(request, |name, value| Some((name.replace(['.', '$'], "_"), value.to_owned())));
    }),
    fault(
        "contract.metadata-proto",
        "The server drops the metadata name __proto__.",
        &["generate.metadata.names-kept"],
    )
    .request(|request, _| {
        keep_metadata(request, |name, value| (name != "__proto__").then(|| (name.to_owned(), value.to_owned())));
    }),
    fault(
        "contract.metadata-lower",
        "The server stores metadata names in lower case.",
        &["articles.echo.what-was-sent", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| keep_metadata(request, |name, value| Some((name.to_lowercase(), value.to_owned())))),
    fault(
        "contract.metadata-trimmed",
        "The server trims metadata values.",
        &["articles.echo.what-was-sent", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| keep_metadata(request, |name, value| Some((name.to_owned(), value.trim().to_owned())))),
    fault(
        "contract.metadata-empty",
        "The server drops empty metadata values.",
        &["articles.echo.what-was-sent", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| {
        keep_metadata(request, |name, value| (!value.is_empty()).then(|| (name.to_owned(), value.to_owned())));
    }),
    fault(
        "contract.topic-trimmed",
        "The server trims the topic before storing it.",
        &["generate.valid.echoed", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| keep_topic(request, |topic| topic.trim().to_owned())),
    fault(
        "contract.topic-255",
        "The server stores only 255 characters of the topic.",
        &["generate.valid.echoed", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| keep_topic(request, first_255)),
    fault(
        "contract.topic-lines",
        "The server collapses white space within the topic.",
        &["generate.valid.echoed", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| keep_topic(request, |topic| topic.split_whitespace().collect::<Vec<_>>().join(" "))),
];

/// Sends another topic instead of an acceptable one.
fn keep_topic(request: &mut Request, change: fn(&str) -> String) {
    if request.is(Operation::Generate) {
        request.edit(|order| {
            if let Some(topic) = valid::topic(order).map(change) {
                order["topic"] = json!(topic);
            }
        });
    }
}

/// Leading white space does not count towards the column. The rest must still be a topic.
fn first_255(topic: &str) -> String {
    let cut: String = topic.chars().take(255).collect();
    if cut.trim().is_empty() { topic.trim_start().chars().take(255).collect() } else { cut }
}

/// Sends other fields instead of acceptable metadata.
fn keep_metadata(request: &mut Request, change: fn(&str, &str) -> Option<(String, String)>) {
    if request.is(Operation::Generate) {
        request.edit(|order| {
            let member = |(name, value): (&String, &Value)| {
                let (name, value) = change(name, value.as_str()?)?;
                Some((name, json!(value)))
            };
            if let Some(kept) = valid::metadata(order).map(|sent| sent.iter().filter_map(member).collect::<Map<_, _>>())
            {
                order["metadata"] = Value::Object(kept);
            }
        });
    }
}
