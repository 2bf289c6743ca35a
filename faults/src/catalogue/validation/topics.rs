//! The topic.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::echo;
use super::super::fault::{Fault, fault};
use super::schema::{overlook, refuse, tidy, tidy_member};

/// The greatest length of a topic, in code points.
const LONGEST: usize = 1000;
/// What is written about where a topic says nothing.
const SOMETHING: &str = "Untitled";

const VALID: &[&str] = &["generate.valid.accepted"];
const TOO_LONG: &[&str] = &["generate.invalid.too-long"];
const TOO_SHORT: &[&str] = &["generate.invalid.too-short"];
const FORMAT: &[&str] = &["generate.invalid.format"];

pub(super) const FAULTS: &[Fault] = &[
    fault("validation.topic-in-bytes", "The topic's length is counted in bytes.", VALID)
        .exchange(|exchange| refuse(exchange, "topic", "too_long", |topic| trimmed(topic).len() > LONGEST).boxed()),
    fault("validation.topic-in-utf16", "The topic's length is counted in UTF-16 units.", VALID).exchange(|exchange| {
        refuse(exchange, "topic", "too_long", |topic| trimmed(topic).encode_utf16().count() > LONGEST).boxed()
    }),
    fault("validation.topic-untrimmed", "The topic's greatest length counts the white space around it.", VALID)
        .exchange(|exchange| {
            refuse(exchange, "topic", "too_long", |topic| text(topic).chars().count() > LONGEST).boxed()
        }),
    fault("validation.topic-1001", "A topic of 1001 code points is accepted.", TOO_LONG)
        .exchange(|exchange| {
            overlook(exchange, "topic", "too_long", |topic| {
                if trimmed(topic).chars().count() == LONGEST + 1 {
                    cut(topic);
                }
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.topic-999", "A topic of exactly 1000 code points is refused.", VALID).exchange(|exchange| {
        refuse(exchange, "topic", "too_long", |topic| trimmed(topic).chars().count() >= LONGEST).boxed()
    }),
    fault("validation.topic-cut", "A topic that is too long is cut and not refused.", TOO_LONG)
        .request(|request, _| tidy_member(request, "topic", cut)),
    fault("validation.topic-blank", "A topic of white space only is accepted.", TOO_SHORT)
        .exchange(|exchange| {
            overlook(exchange, "topic", "too_short", |topic| name_unless(topic, str::is_empty)).boxed()
        })
        .response(echo::show),
    fault("validation.topic-ascii-trim", "Only the white space of ASCII is trimmed before counting.", TOO_SHORT)
        .exchange(|exchange| {
            overlook(exchange, "topic", "too_short", |topic| name_unless(topic, |text| text.trim_ascii().is_empty()))
                .boxed()
        })
        .response(echo::show),
    fault("validation.topic-9f", "The last control character, U+009F, is taken in a topic.", FORMAT)
        .exchange(|exchange| {
            overlook(exchange, "topic", "invalid_format", |topic| {
                *topic = json!(text(topic).replace('\u{9f}', ""));
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.topic-newline", "A newline in the topic is refused as a control character.", VALID)
        .exchange(|exchange| refuse(exchange, "topic", "invalid_format", |topic| text(topic).contains('\n')).boxed()),
    fault(
        "validation.topic-markup",
        "A topic with angle brackets is refused as an attack.",
        &["generate.documented.any-text"],
    )
    .exchange(|exchange| refuse(exchange, "topic", "invalid_format", |topic| text(topic).contains(['<', '>'])).boxed()),
    fault("validation.topic-controls", "Control characters in the topic are accepted.", FORMAT)
        .exchange(|exchange| {
            overlook(exchange, "topic", "invalid_format", |topic| drop_letters(topic, char::is_control)).boxed()
        })
        .response(echo::show),
    fault("validation.topic-c1", "Of the control characters only those of ASCII are refused.", FORMAT)
        .exchange(|exchange| {
            overlook(exchange, "topic", "invalid_format", |topic| {
                drop_letters(topic, |letter| letter.is_control() && !letter.is_ascii());
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.topic-number", "A number is taken as a topic.", FORMAT).request(|request, _| {
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
