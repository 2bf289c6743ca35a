//! Faults in validating the topic.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::echo;
use super::super::fault::{Fault, fault};
use super::schema::{overlook, refuse, tidy, tidy_member};

/// Maximum length of a topic, in code points.
const LONGEST: usize = 1000;
/// Topic to write about instead of an empty one.
const SOMETHING: &str = "Untitled";

const VALID: &[&str] = &["generate.valid.accepted"];
const TOO_LONG: &[&str] = &["generate.invalid.too-long"];
const TOO_SHORT: &[&str] = &["generate.invalid.too-short"];
const FORMAT: &[&str] = &["generate.invalid.format"];

pub(super) const FAULTS: &[Fault] = &[
    fault("validation.topic-in-bytes", "The server counts the topic's length in bytes.", VALID)
        .exchange(|exchange| refuse(exchange, "topic", "too_long", |topic| trimmed(topic).len() > LONGEST).boxed()),
    fault("validation.topic-in-utf16", "The server counts the topic's length in UTF-16 units.", VALID).exchange(
        |exchange| {
            refuse(exchange, "topic", "too_long", |topic| trimmed(topic).encode_utf16().count() > LONGEST).boxed()
        },
    ),
    fault(
        "validation.topic-untrimmed",
        "The server counts the white space around a topic towards its maximum length.",
        VALID,
    )
    .exchange(|exchange| refuse(exchange, "topic", "too_long", |topic| text(topic).chars().count() > LONGEST).boxed()),
    fault("validation.topic-1001", "The server accepts a topic of 1001 code points.", TOO_LONG)
        .exchange(|exchange| {
            overlook(exchange, "topic", "too_long", |topic| {
                if trimmed(topic).chars().count() == LONGEST + 1 {
                    cut(topic);
                }
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.topic-999", "The server refuses a topic of exactly 1000 code points.", VALID).exchange(
        |exchange| refuse(exchange, "topic", "too_long", |topic| trimmed(topic).chars().count() >= LONGEST).boxed(),
    ),
    fault("validation.topic-cut", "The server cuts a topic that is too long instead of refusing it.", TOO_LONG)
        .request(|request, _| tidy_member(request, "topic", cut)),
    fault("validation.topic-blank", "The server accepts a topic of only white space.", TOO_SHORT)
        .exchange(|exchange| {
            overlook(exchange, "topic", "too_short", |topic| name_unless(topic, str::is_empty)).boxed()
        })
        .response(echo::show),
    fault("validation.topic-ascii-trim", "The server trims only ASCII white space before counting.", TOO_SHORT)
        .exchange(|exchange| {
            overlook(exchange, "topic", "too_short", |topic| name_unless(topic, |text| text.trim_ascii().is_empty()))
                .boxed()
        })
        .response(echo::show),
    fault("validation.topic-9f", "The server accepts the last control character, U+009F, in a topic.", FORMAT)
        .exchange(|exchange| {
            overlook(exchange, "topic", "invalid_format", |topic| {
                *topic = json!(text(topic).replace('\u{9f}', ""));
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.topic-newline", "The server refuses a newline in the topic.", VALID)
        .exchange(|exchange| refuse(exchange, "topic", "invalid_format", |topic| text(topic).contains('\n')).boxed()),
    fault(
        "validation.topic-markup",
        "The server refuses a topic with angle brackets.",
        &["generate.documented.any-text"],
    )
    .exchange(|exchange| refuse(exchange, "topic", "invalid_format", |topic| text(topic).contains(['<', '>'])).boxed()),
    fault("validation.topic-controls", "The server accepts control characters in the topic.", FORMAT)
        .exchange(|exchange| {
            overlook(exchange, "topic", "invalid_format", |topic| drop_letters(topic, char::is_control)).boxed()
        })
        .response(echo::show),
    fault("validation.topic-c1", "The server refuses only ASCII control characters.", FORMAT)
        .exchange(|exchange| {
            overlook(exchange, "topic", "invalid_format", |topic| {
                drop_letters(topic, |letter| letter.is_control() && !letter.is_ascii());
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.topic-number", "The server accepts a number as a topic.", FORMAT).request(|request, _| {
        tidy_member(request, "topic", |topic| {
            if topic.is_number() {
                *topic = json!(topic.to_string());
            }
        });
    }),
    fault("validation.topic-default", "A missing topic becomes `Untitled`.", &["generate.invalid.required"]).request(
        |request, _| {
            tidy(request, |members| {
                members.entry("topic").or_insert_with(|| json!(SOMETHING));
            });
        },
    ),
];

fn text(topic: &Value) -> &str {
    topic.as_str().unwrap_or_default()
}

fn trimmed(topic: &Value) -> &str {
    text(topic).trim()
}

fn cut(topic: &mut Value) {
    if trimmed(topic).chars().count() > LONGEST {
        *topic = json!(trimmed(topic).chars().take(LONGEST).collect::<String>());
    }
}

fn name_unless(topic: &mut Value, is_empty: impl FnOnce(&str) -> bool) {
    if topic.as_str().is_some_and(|text| !is_empty(text)) {
        *topic = json!(SOMETHING);
    }
}

fn drop_letters(topic: &mut Value, is_dropped: fn(char) -> bool) {
    if let Value::String(topic) = topic {
        topic.retain(|letter| !is_dropped(letter));
    }
}
