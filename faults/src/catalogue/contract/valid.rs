//! Reads the valid fields of a generation request. A fault must not change invalid ones, so that the server still
//! refuses them.

use serde_json::{Map, Value};

/// Returns the topic if it is valid.
pub(in super::super) fn topic(order: &Value) -> Option<&str> {
    let topic = order.get("topic")?.as_str()?;
    let is_printable = topic.chars().all(|letter| !letter.is_control() || matches!(letter, '\t' | '\n'));
    (is_printable && (1..=1000).contains(&topic.trim().chars().count())).then_some(topic)
}

/// Returns the keywords if they are valid.
pub(in super::super) fn keywords(order: &Value) -> Option<&Vec<Value>> {
    let is_keyword = |value: &Value| value.as_str().is_some_and(|text| (1..=80).contains(&text.chars().count()));
    let keywords = order.get("keywords")?.as_array()?;
    (keywords.len() <= 10 && keywords.iter().all(is_keyword)).then_some(keywords)
}

/// Returns the number of words if it is valid.
pub(in super::super) fn target_word_count(order: &Value) -> Option<u64> {
    order.get("target_word_count")?.as_u64().filter(|words| (200..=5000).contains(words))
}

/// Returns the metadata if it is valid.
pub(in super::super) fn metadata(order: &Value) -> Option<&Map<String, Value>> {
    let is_member = |(name, value): (&String, &Value)| {
        (1..=40).contains(&name.chars().count()) && value.as_str().is_some_and(|text| text.chars().count() <= 500)
    };
    let metadata = order.get("metadata")?.as_object()?;
    (metadata.len() <= 16 && metadata.iter().all(is_member)).then_some(metadata)
}

/// Returns the language if it is a valid tag of the usual form.
pub(in super::super) fn language(order: &Value) -> Option<&str> {
    let language = order.get("language")?.as_str()?;
    let mut subtags = language.split('-');
    let is_primary =
        |subtag: &str| matches!(subtag.len(), 2 | 3) && subtag.chars().all(|letter| letter.is_ascii_alphabetic());
    let is_subtag =
        |subtag: &str| (2..=8).contains(&subtag.len()) && subtag.chars().all(|letter| letter.is_ascii_alphanumeric());
    (subtags.next().is_some_and(is_primary) && subtags.all(is_subtag)).then_some(language)
}
