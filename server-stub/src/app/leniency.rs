//! Slips in checking the body of `POST /generate`: what a server lets pass that tidies requests up, and what its checks
//! count or say wrongly. Without the feature `faults` all of it is off.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::error::{FieldCode, FieldError, Place};
use crate::domain::clock::Timestamp;
use crate::domain::fault::table::validation;

/// The greatest length of a topic.
const TOPIC: usize = 1000;

/// The body as a server sees it that turns what it gets into what it wants.
pub(super) fn tidied(body: &Value) -> Cow<'_, Value> {
    let mut tidy = Cow::Borrowed(body);
    let mut put = |name: &str, value: Value| tidy.to_mut()[name] = value;
    let words = &body["target_word_count"];
    if validation::WORDS_300_0.is_on() && words.as_f64() == Some(300.0) {
        put("target_word_count", json!(300));
    }
    if let (true, Some(count)) = (validation::WORDS_CLAMPED.is_on(), words.as_i64()) {
        put("target_word_count", json!(count.clamp(200, 5000)));
    }
    if validation::WORDS_AS_TEXT.is_on() && words.as_str().is_some_and(|text| text.parse::<u32>().is_ok()) {
        put("target_word_count", json!(300));
    }
    if let (true, Some(number)) = (validation::BOOLEAN_AS_NUMBER.is_on(), body["auto_publish"].as_f64()) {
        put("auto_publish", json!(number > 0.0));
    }
    if let (true, Some(topic)) = (validation::TOPIC_CUT.is_on(), body["topic"].as_str()) {
        put("topic", json!(topic.chars().take(TOPIC).collect::<String>()));
    }
    if validation::TOPIC_NUMBER.is_on() && body["topic"].is_number() {
        put("topic", json!(body["topic"].to_string()));
    }
    if validation::TOPIC_DEFAULT.is_on() && body.get("topic").is_none() {
        put("topic", json!("Untitled"));
    }
    if validation::KEYWORDS_AS_TEXT.is_on() && body["keywords"].is_string() {
        put("keywords", json!([body["keywords"]]));
    }
    if let (true, Some(time)) = (validation::DATE_ONLY.is_on(), body["publish_at"].as_str()) {
        let is_date = time.len() == 10 && !time.contains('T');
        put("publish_at", if is_date { json!(format!("{time}T00:00:00Z")) } else { json!(time) });
    }
    if let (true, Some(time)) = (validation::TIME_WITHOUT_ZONE.is_on(), body["publish_at"].as_str()) {
        put("publish_at", if time.len() == 19 { json!(format!("{time}Z")) } else { json!(time) });
    }
    if let Some(time) = body["publish_at"].as_str().and_then(reread) {
        put("publish_at", json!(time));
    }
    if let (true, Some(members)) = (validation::METADATA_NUMBERS.is_on(), body["metadata"].as_object()) {
        let texts = members.iter().map(|(name, value)| {
            (name.clone(), if value.is_number() { json!(value.to_string()) } else { value.clone() })
        });
        put("metadata", Value::Object(texts.collect()));
    }
    if validation::NULL_AS_ABSENT.is_on()
        && let Some(members) = tidy.to_mut().as_object_mut()
    {
        members.retain(|_, value| !value.is_null());
    }
    tidy
}

/// A time as a parser reads it that takes more than the standard.
fn reread(time: &str) -> Option<String> {
    match () {
        () if validation::TIME_TRIMMED.is_on() => Some(time.trim().to_owned()),
        () if validation::TIME_WITHOUT_SECONDS.is_on() && time.len() == 17 => Some(time.replace('Z', ":00Z")),
        () if validation::TIME_OF_24.is_on() => Some(time.replace("T24:", "T00:")),
        () if validation::TIME_WITH_BLANK.is_on() => Some(time.replacen(' ', "T", 1)),
        () => None,
    }
}

/// The faults of a body as a server finds them that counts or tells wrongly.
pub(super) fn judge(body: &Value, now: Timestamp, errors: &mut Vec<FieldError>) {
    lose(body, errors);
    find(body, now, errors);
    for error in errors.iter_mut() {
        if validation::REQUIRED_AS_FORMAT.is_on() && error.code == FieldCode::Required {
            error.code = FieldCode::InvalidFormat;
        }
        let Place::Pointer(pointer) = &mut error.place else { continue };
        if validation::POINTER_PLAIN.is_on() {
            *pointer = pointer.trim_start_matches('#').to_owned();
        }
        if validation::POINTER_UNESCAPED.is_on() {
            *pointer = pointer.replace("~1", "/").replace("~0", "~");
        }
        if validation::POINTER_PLAIN_TEXT.is_on() {
            *pointer = pointer.replace("%20", " ").replace("%C3%A9", "\u{e9}");
        }
        if validation::POINTER_OF_TOP.is_on() {
            *pointer = pointer.split('/').take(2).collect::<Vec<_>>().join("/");
        }
    }
    if validation::FIRST_ONLY.is_on() {
        errors.truncate(1);
    }
}

/// Faults that are overlooked.
fn lose(body: &Value, errors: &mut Vec<FieldError>) {
    let topic = body["topic"].as_str().unwrap_or_default();
    let words = body["target_word_count"].as_i64();
    let is_ascii_control = |letter: char| letter.is_ascii_control() && !matches!(letter, '\t' | '\n');
    let overlooked = [
        (validation::TOPIC_1001.is_on() && topic.trim().chars().count() == TOPIC + 1, "#/topic", FieldCode::TooLong),
        (validation::TOPIC_BLANK.is_on() && !topic.is_empty(), "#/topic", FieldCode::TooShort),
        (validation::TOPIC_ASCII_TRIM.is_on() && !topic.trim_ascii().is_empty(), "#/topic", FieldCode::TooShort),
        (validation::TOPIC_CONTROLS.is_on() && !topic.is_empty(), "#/topic", FieldCode::InvalidFormat),
        (
            validation::TOPIC_C1.is_on() && !topic.is_empty() && !topic.contains(is_ascii_control),
            "#/topic",
            FieldCode::InvalidFormat,
        ),
        (validation::WORDS_199.is_on() && words == Some(199), "#/target_word_count", FieldCode::OutOfRange),
        (validation::WORDS_5001.is_on() && words == Some(5001), "#/target_word_count", FieldCode::OutOfRange),
        (validation::KEYWORDS_11.is_on(), "#/keywords", FieldCode::TooMany),
        (validation::KEYWORD_81.is_on(), "#/keywords/", FieldCode::TooLong),
        (validation::KEYWORD_EMPTY.is_on(), "#/keywords/", FieldCode::TooShort),
        (validation::METADATA_17.is_on(), "#/metadata", FieldCode::TooMany),
        (validation::METADATA_NAME.is_on(), "#/metadata/kkk", FieldCode::TooLong),
        (validation::METADATA_VALUE.is_on(), "#/metadata/r", FieldCode::TooLong),
        (validation::LANGUAGE_ANY.is_on() && body["language"].is_string(), "#/language", FieldCode::InvalidFormat),
        (validation::FAR_FUTURE.is_on(), "#/publish_at", FieldCode::OutOfRange),
        (validation::LANGUAGE_LOOSE.is_on() && looks_like_tag(body), "#/language", FieldCode::InvalidFormat),
        (validation::METADATA_NAME_EMPTY.is_on(), "#/metadata", FieldCode::TooShort),
    ];
    for (_, place, code) in overlooked.into_iter().filter(|(is_on, ..)| *is_on) {
        errors.retain(|error| {
            let is_there = matches!(&error.place, Place::Pointer(pointer) if pointer.starts_with(place));
            !(is_there && error.code == code)
        });
    }
}

fn looks_like_tag(body: &Value) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    body["language"].as_str().is_some_and(|tag| tag.chars().all(is_part))
}

/// Faults that are none.
fn find(body: &Value, now: Timestamp, errors: &mut Vec<FieldError>) {
    let topic = body["topic"].as_str().unwrap_or_default();
    let trimmed = topic.trim();
    let publish_at = body["publish_at"].as_str().unwrap_or_default();
    let is_past = || Timestamp::parse(publish_at).is_some_and(|at| at < now);
    let found = [
        (validation::TOPIC_IN_BYTES.is_on() && trimmed.len() > TOPIC, "#/topic", FieldCode::TooLong),
        (validation::TOPIC_IN_UTF16.is_on() && trimmed.encode_utf16().count() > TOPIC, "#/topic", FieldCode::TooLong),
        (validation::TOPIC_UNTRIMMED.is_on() && topic.chars().count() > TOPIC, "#/topic", FieldCode::TooLong),
        (validation::TOPIC_999.is_on() && trimmed.chars().count() >= TOPIC, "#/topic", FieldCode::TooLong),
        (validation::TOPIC_MARKUP.is_on() && topic.contains(['<', '>']), "#/topic", FieldCode::InvalidFormat),
        (validation::TOPIC_NEWLINE.is_on() && topic.contains('\n'), "#/topic", FieldCode::InvalidFormat),
        (
            validation::WORDS_5000.is_on() && body["target_word_count"] == 5000,
            "#/target_word_count",
            FieldCode::OutOfRange,
        ),
        (
            validation::METADATA_NAME_BYTES.is_on()
                && body["metadata"].as_object().is_some_and(|members| members.keys().any(|name| name.len() > 40)),
            "#/metadata",
            FieldCode::TooLong,
        ),
        (validation::PAST_REFUSED.is_on() && is_past(), "#/publish_at", FieldCode::OutOfRange),
        (
            validation::ONLY_UTC.is_on() && !publish_at.is_empty() && !publish_at.ends_with('Z'),
            "#/publish_at",
            FieldCode::InvalidFormat,
        ),
    ];
    errors.extend(found.into_iter().filter(|(is_on, ..)| *is_on).map(|(_, place, code)| FieldError {
        code,
        place: Place::Pointer(place.to_owned()),
        detail: "it is not of the form asked for".to_owned(),
    }));
}
