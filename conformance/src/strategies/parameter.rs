//! Values of query parameters: at the edges of their schemas, which must be accepted, and beyond, which must be refused. Queries of
//! several valid parameters.

use proptest::strategy::{Just, SBoxedStrategy, Strategy as _, Union};
use serde_json::{Map, Value, json};

use super::value::{Overrides, count, length_bounds, type_of, valid};
use crate::spec::{Document, Parameter};

/// Kind of a parameter's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A whole number.
    Number,
    /// A word of a vocabulary.
    Word,
    /// A time.
    Time,
    /// A text with bounds of its length.
    Text,
}

/// Times of RFC 3339.
const MOMENTS: [&str; 3] = ["2001-01-01T00:00:00Z", "2001-01-01T00:00:00.5+05:30", "1999-12-31T23:59:59.999999-08:00"];
/// Texts that resemble times of RFC 3339.
const NO_MOMENTS: [&str; 6] =
    ["yesterday", "2026-01-01", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00", "1760000000", ""];

const NO_NUMBER: &[&str] = &["invalid_format"];
const OUT_OF_RANGE: &[&str] = &["out_of_range"];
const NO_NUMBER_OR_RANGE: &[&str] = &["out_of_range", "invalid_format"];
const EMPTY: &[&str] = &["invalid_format", "required", "too_short", "out_of_range"];
const TOO_SHORT: &[&str] = &["too_short", "invalid_format", "required", "out_of_range"];
const TOO_LONG: &[&str] = &["too_long", "invalid_format", "out_of_range"];
const NO_WORD: &[&str] = &["invalid_format", "out_of_range"];

/// Returns `{operation, parameter, value}` for each value at an edge of a parameter of that kind, for every operation.
pub(super) fn taken(document: &Document, kind: ParameterKind) -> Vec<Value> {
    let case = |operation: &str, parameter: &Parameter| {
        let (operation, name) = (operation.to_owned(), parameter.name.clone());
        values(&parameter.schema, kind)
            .into_iter()
            .map(move |value| json!({ "operation": operation, "parameter": name, "value": value }))
    };
    of_kind(document, kind).flat_map(|(operation, parameter)| case(operation, parameter)).collect()
}

/// Returns `{operation, parameter, value, codes}` for each value beyond an edge. The field error must have one of the codes.
pub(super) fn refused(document: &Document, kind: ParameterKind) -> Vec<Value> {
    let case = |operation: &str, parameter: &Parameter| {
        let (operation, name) = (operation.to_owned(), parameter.name.clone());
        wrong_values(&parameter.schema, kind).into_iter().map(
            move |(value, codes)| json!({ "operation": operation, "parameter": name, "value": value, "codes": codes }),
        )
    };
    of_kind(document, kind).flat_map(|(operation, parameter)| case(operation, parameter)).collect()
}

/// Returns queries of `operation`: any of its parameters except the page token, each with a valid value, by name. A page token is valid
/// only with the other parameters of its list. Half of the filters by website name `website_id`.
pub(super) fn queries(document: &Document, operation: &str, website_id: &str) -> SBoxedStrategy<Value> {
    let parameters = document.operation(operation).map(|found| found.parameters.as_slice()).unwrap_or_default();
    let drawn = parameters.iter().filter(|one| one.location == "query" && one.name != "page_token");
    let schemas: Map<String, Value> = drawn.map(|one| (one.name.clone(), one.schema.clone())).collect();
    let website = schemas.get("website_id").map(|schema| {
        let own = Just(Value::from(website_id)).sboxed();
        let any = valid(document.components(), schema, &Overrides::new());
        ("/website_id", Union::new([own, any]).sboxed())
    });
    let query = json!({ "type": "object", "properties": schemas });
    valid(document.components(), &query, &website.into_iter().collect())
        // An HTTP library or a proxy may refuse them in an address.
        .prop_filter("texts without control characters", |query| !has_control(query))
        .sboxed()
}

fn has_control(query: &Value) -> bool {
    let mut values = query.as_object().into_iter().flat_map(Map::values);
    values.any(|value| value.as_str().is_some_and(|text| text.contains(char::is_control)))
}

fn of_kind(document: &Document, kind: ParameterKind) -> impl Iterator<Item = (&'static str, &Parameter)> {
    document.operations().iter().flat_map(move |operation| {
        let query = operation.parameters.iter().filter(|parameter| parameter.location == "query");
        query
            .filter(move |parameter| kind_of(&parameter.schema) == Some(kind))
            .map(|parameter| (operation.id, parameter))
    })
}

fn kind_of(schema: &Value) -> Option<ParameterKind> {
    let is_bounded = ["minLength", "maxLength"].iter().any(|keyword| schema.get(*keyword).is_some());
    Some(match type_of(schema) {
        "integer" => ParameterKind::Number,
        _ if schema["enum"].is_array() => ParameterKind::Word,
        "string" if schema["format"] == "date-time" => ParameterKind::Time,
        "string" if is_bounded => ParameterKind::Text,
        _ => return None,
    })
}

fn values(schema: &Value, kind: ParameterKind) -> Vec<String> {
    match kind {
        ParameterKind::Number => {
            let bounds = ["minimum", "maximum", "default"].iter().filter_map(|bound| schema[*bound].as_i64());
            bounds.map(|number| number.to_string()).collect()
        }
        ParameterKind::Word => words(schema),
        ParameterKind::Time => MOMENTS.map(ToOwned::to_owned).to_vec(),
        ParameterKind::Text => {
            let (minimum, maximum) = length_bounds(schema);
            let lengths = count(schema, "minLength").map(|_| minimum.max(1)).into_iter().chain(maximum);
            lengths.flat_map(|length| ["a", "\u{1f4da}"].map(|letter| letter.repeat(length))).collect()
        }
    }
}

fn wrong_values(schema: &Value, kind: ParameterKind) -> Vec<(String, &'static [&'static str])> {
    match kind {
        ParameterKind::Number => wrong_numbers(schema),
        ParameterKind::Word => {
            let words = words(schema);
            let first = words.first().cloned().unwrap_or_default();
            let upper = first.to_uppercase();
            let longer = format!("{first}s");
            let made =
                [("no-such-word".to_owned(), NO_WORD), (upper, NO_WORD), (longer, NO_WORD), (String::new(), EMPTY)];
            made.into_iter().filter(|(word, _)| !words.contains(word)).collect()
        }
        ParameterKind::Time => {
            let codes = |text: &str| if text.is_empty() { EMPTY } else { NO_WORD };
            NO_MOMENTS.iter().map(|text| ((*text).to_owned(), codes(text))).collect()
        }
        ParameterKind::Text => {
            let (minimum, maximum) = length_bounds(schema);
            let short = minimum.checked_sub(1).map(|length| ("a".repeat(length), TOO_SHORT));
            let long = maximum.map(|maximum| ("a".repeat(maximum + 1), TOO_LONG));
            short.into_iter().chain(long).collect()
        }
    }
}

fn wrong_numbers(schema: &Value) -> Vec<(String, &'static [&'static str])> {
    let minimum = schema["minimum"].as_i64();
    let maximum = schema["maximum"].as_i64();
    let within = minimum.or(maximum).unwrap_or(1);
    let mut wrong = Vec::new();
    if let Some(minimum) = minimum {
        wrong.push(((minimum - 1).to_string(), OUT_OF_RANGE));
        // A minus sign is not a digit, so both codes are right.
        wrong.push((format!("-{}", minimum.max(1)), NO_NUMBER_OR_RANGE));
    }
    if let Some(maximum) = maximum {
        wrong.push(((maximum + 1).to_string(), OUT_OF_RANGE));
        // Cut to 32 bits, this is the smallest value.
        wrong.push(((within + (1 << 32)).to_string(), NO_NUMBER_OR_RANGE));
        wrong.push(("9".repeat(23), NO_NUMBER_OR_RANGE));
    }
    let no_numbers = [format!("{within}.0"), format!("{within}e1"), format!("0x{within}")];
    wrong.extend(no_numbers.into_iter().chain(["abc", "null"].map(ToOwned::to_owned)).map(|text| (text, NO_NUMBER)));
    wrong.push((String::new(), EMPTY));
    wrong
}

fn words(schema: &Value) -> Vec<String> {
    schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).map(ToOwned::to_owned).collect()
}
