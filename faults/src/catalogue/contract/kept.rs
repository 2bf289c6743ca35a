//! What is kept of a topic and of metadata.

use serde_json::{Map, Value, json};

use super::super::fault::{Fault, fault};
use super::valid;
use crate::message::{Operation, Request};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "contract.metadata-dots",
        "Dots and dollars in names of metadata become underscores.",
        &["generate.metadata.names-kept"],
    )
    .request(|request, _| {
        keep_metadata(request, |name, value| Some((name.replace(['.', '$'], "_"), value.to_owned())));
    }),
    fault("contract.metadata-proto", "The name __proto__ in metadata is lost.", &["generate.metadata.names-kept"])
        .request(|request, _| {
            keep_metadata(request, |name, value| (name != "__proto__").then(|| (name.to_owned(), value.to_owned())));
        }),
    fault(
        "contract.metadata-lower",
        "Names in metadata are kept in lower case.",
        &["articles.echo.what-was-sent", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| keep_metadata(request, |name, value| Some((name.to_lowercase(), value.to_owned())))),
    fault(
        "contract.metadata-trimmed",
        "Values in metadata are trimmed.",
        &["articles.echo.what-was-sent", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| keep_metadata(request, |name, value| Some((name.to_owned(), value.trim().to_owned())))),
    fault(
        "contract.metadata-empty",
        "Empty values in metadata are dropped.",
        &["articles.echo.what-was-sent", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| {
        keep_metadata(request, |name, value| (!value.is_empty()).then(|| (name.to_owned(), value.to_owned())));
    }),
    fault(
        "contract.topic-trimmed",
        "The topic is trimmed before it is kept.",
        &["generate.valid.echoed", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| keep_topic(request, |topic| topic.trim().to_owned())),
    fault(
        "contract.topic-255",
        "The topic is kept in a column of 255 characters.",
        &["generate.valid.echoed", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| keep_topic(request, first_255)),
    fault(
        "contract.topic-lines",
        "White space within the topic is collapsed.",
        &["generate.valid.echoed", "jobs.echo.what-was-sent"],
    )
    .request(|request, _| keep_topic(request, |topic| topic.split_whitespace().collect::<Vec<_>>().join(" "))),
];

/// Sends another topic in the place of an acceptable one.
fn keep_topic(request: &mut Request, change: fn(&str) -> String) {
    if request.is(Operation::Generate) {
        request.edit(|order| {
            if let Some(topic) = valid::topic(order).map(change) {
                order["topic"] = json!(topic);
            }
        });
    }
}

/// Leading white space does not count against the column: what is left must be a topic still.
fn first_255(topic: &str) -> String {
    let cut: String = topic.chars().take(255).collect();
    if cut.trim().is_empty() { topic.trim_start().chars().take(255).collect() } else { cut }
}

/// Sends other members in the place of acceptable metadata.
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
