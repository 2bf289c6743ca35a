//! Faults in validating language, keywords and metadata.

use futures::future::FutureExt;
use serde_json::{Map, Value, json};

use super::super::echo;
use super::super::fault::{Fault, fault};
use super::schema::{overlook, refuse, tidy_member};

/// Limits of the document: number and length of keywords, number and length of metadata.
const KEYWORDS: usize = 10;
const KEYWORD: usize = 80;
const MEMBERS: usize = 16;
const NAME: usize = 40;
const VALUE: usize = 500;

const FORMAT: &[&str] = &["generate.invalid.format"];
const TOO_MANY: &[&str] = &["generate.invalid.too-many"];
const TOO_LONG: &[&str] = &["generate.invalid.too-long"];

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "validation.language-loose",
        "The server accepts any letters, digits, hyphens and underscores as a language.",
        &["generate.language.malformed"],
    )
    .exchange(|exchange| {
        overlook(exchange, "language", "invalid_format", |language| {
            let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
            default_to_english(language, |tag| tag.chars().all(is_part));
        })
        .boxed()
    })
    .response(echo::show),
    fault("validation.language-any", "The server accepts any text as a language.", FORMAT)
        .exchange(|exchange| {
            overlook(exchange, "language", "invalid_format", |language| default_to_english(language, |_| true)).boxed()
        })
        .response(echo::show),
    fault("validation.language-35", "The server refuses languages over 35 letters.", &["generate.valid.accepted"])
        .exchange(|exchange| {
            refuse(exchange, "language", "invalid_format", |language| {
                language.as_str().is_some_and(|tag| tag.len() > 35)
            })
            .boxed()
        }),
    fault("validation.keywords-11", "The server accepts eleven keywords.", TOO_MANY)
        .exchange(|exchange| {
            overlook(exchange, "keywords", "too_many", |keywords| {
                if let Some(items) = keywords.as_array_mut().filter(|items| items.len() == KEYWORDS + 1) {
                    items.truncate(KEYWORDS);
                }
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.keyword-81", "The server accepts keywords of any length.", TOO_LONG)
        .exchange(|exchange| {
            overlook(exchange, "keywords", "too_long", |keywords| {
                keywords.as_array_mut().into_iter().flatten().for_each(|keyword| cut(keyword, KEYWORD));
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.keyword-empty", "The server accepts empty keywords.", &["generate.invalid.too-short"])
        .exchange(|exchange| {
            overlook(exchange, "keywords", "too_short", |keywords| {
                if let Some(items) = keywords.as_array_mut() {
                    items.retain(|keyword| keyword != "");
                }
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.keywords-as-text", "The server accepts a single keyword without a list.", FORMAT).request(
        |request, _| {
            tidy_member(request, "keywords", |keywords| {
                if keywords.is_string() {
                    *keywords = json!([keywords]);
                }
            });
        },
    ),
    fault("validation.metadata-17", "The server accepts seventeen metadata fields.", TOO_MANY)
        .exchange(|exchange| {
            overlook(exchange, "metadata", "too_many", |metadata| {
                edit(metadata, |members| {
                    if members.len() == MEMBERS + 1 { members.into_iter().take(MEMBERS).collect() } else { members }
                });
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.metadata-name", "The server accepts metadata names of any length.", TOO_LONG)
        .exchange(|exchange| {
            overlook(exchange, "metadata", "too_long", |metadata| {
                edit(metadata, |members| {
                    members.into_iter().map(|(name, value)| (name.chars().take(NAME).collect(), value)).collect()
                });
            })
            .boxed()
        })
        .response(echo::show),
    fault(
        "validation.metadata-name-empty",
        "The server accepts empty metadata names.",
        &["generate.metadata.empty-name"],
    )
    .exchange(|exchange| {
        overlook(exchange, "metadata", "too_short", |metadata| {
            edit(metadata, |members| members.into_iter().filter(|(name, _)| !name.is_empty()).collect());
        })
        .boxed()
    })
    .response(echo::show),
    fault(
        "validation.metadata-name-bytes",
        "The server counts the length of metadata names in bytes.",
        &["generate.metadata.names-kept"],
    )
    .exchange(|exchange| {
        refuse(exchange, "metadata", "too_long", |metadata| {
            metadata.as_object().is_some_and(|members| members.keys().any(|name| name.len() > NAME))
        })
        .boxed()
    }),
    fault("validation.metadata-value", "The server accepts metadata values of any length.", TOO_LONG)
        .exchange(|exchange| {
            overlook(exchange, "metadata", "too_long", |metadata| {
                metadata.as_object_mut().into_iter().flat_map(Map::values_mut).for_each(|value| cut(value, VALUE));
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.metadata-numbers", "The server converts numbers in metadata to texts.", FORMAT).request(
        |request, _| {
            tidy_member(request, "metadata", |metadata| {
                for value in metadata.as_object_mut().into_iter().flat_map(Map::values_mut) {
                    if value.is_number() {
                        *value = json!(value.to_string());
                    }
                }
            });
        },
    ),
];

/// Requests English instead of an invalid language.
fn default_to_english(language: &mut Value, is_taken: impl FnOnce(&str) -> bool) {
    if language.as_str().is_some_and(is_taken) {
        *language = json!("en");
    }
}

fn cut(text: &mut Value, length: usize) {
    if let Value::String(text) = text {
        *text = text.chars().take(length).collect();
    }
}

fn edit(metadata: &mut Value, edit: impl FnOnce(Map<String, Value>) -> Map<String, Value>) {
    if let Value::Object(members) = metadata {
        *members = edit(std::mem::take(members));
    }
}
