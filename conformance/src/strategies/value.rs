//! Converts a schema to a strategy for its valid values.
//!
//! `boundary` contains values at the edges, `breakage` values beyond them.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::{SBoxedStrategy, Union};
use serde_json::{Map, Value, json};

use super::alternatives::alternatives;
use super::pattern::Pattern;
use super::text::text;

/// Strategies that replace those of the schema, by the pointer of the property.
pub type Overrides = BTreeMap<&'static str, SBoxedStrategy<Value>>;

/// Maximum number of drawn items or fields if the schema allows more.
const CROWD: u64 = 10;
/// Maximum length of a text without a bound.
const UNBOUNDED: usize = 300;

/// A short address.
pub(super) const ADDRESS: &str = "https://example.com/";

/// Returns valid values of `schema`, with references to `components`.
pub fn valid(components: &Value, schema: &Value, overrides: &Overrides) -> SBoxedStrategy<Value> {
    Builder { components, overrides }.strategy(schema, "")
}

/// Returns the type of a plain schema. A schema with properties but without a type is an object.
pub(super) fn type_of(schema: &Value) -> &str {
    schema["type"].as_str().unwrap_or("object")
}

/// Returns a number of a plain schema as a length.
pub(super) fn count(schema: &Value, keyword: &str) -> Option<usize> {
    schema[keyword].as_u64().map(|number| usize::try_from(number).unwrap_or(usize::MAX))
}

/// Returns the bounds of a text in code points.
pub(super) fn length_bounds(schema: &Value) -> (usize, Option<usize>) {
    let trimmed = &schema["x-trimmed-length"];
    let minimum = count(trimmed, "min").max(count(schema, "minLength"));
    (minimum.unwrap_or(0), count(trimmed, "max").into_iter().chain(count(schema, "maxLength")).min())
}

/// Returns the pattern of a plain schema.
pub(super) fn pattern_of(schema: &Value) -> Option<Pattern> {
    schema["pattern"].as_str().and_then(Pattern::read)
}

/// Returns true if the pattern defines the structure of a text, and not only its letters.
pub(super) fn is_built(schema: &Value) -> bool {
    schema.get("pattern").is_some() && schema.get("x-trimmed-length").is_none()
}

/// Returns a plain valid value, always the same: the shortest and smallest, with required fields only.
pub(super) fn plain(components: &Value, schema: &Value) -> Value {
    let Some(schema) = alternatives(components, schema).into_iter().next() else {
        return Value::Null;
    };
    if let Some(value) = schema["enum"].get(0) {
        return value.clone();
    }
    match type_of(&schema) {
        "string" if schema["format"] == "date-time" => json!("2020-01-01T00:00:00Z"),
        "string" if is_address(&schema) => json!(ADDRESS),
        "string" => {
            let short = "a".repeat(length_bounds(&schema).0.max(1));
            let pattern = pattern_of(&schema).filter(|pattern| !pattern.is_kept_by(&short));
            json!(pattern.map_or(short, |pattern| super::Draw::new(0, "plain", 0).value(&pattern.texts())))
        }
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or_else(|| json!(0)),
        "boolean" => json!(true),
        "null" => Value::Null,
        "array" => {
            let items = 0..count(&schema, "minItems").unwrap_or(0);
            items.map(|_| plain(components, &schema["items"])).collect()
        }
        _ => required(&schema).map(|name| (name.to_owned(), plain(components, &schema["properties"][name]))).collect(),
    }
}

fn is_address(schema: &Value) -> bool {
    matches!(schema["format"].as_str(), Some("uri" | "uri-reference"))
}

/// Returns the names that a plain schema requires.
pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

struct Builder<'schema> {
    components: &'schema Value,
    overrides: &'schema Overrides,
}

impl Builder<'_> {
    fn strategy(&self, schema: &Value, pointer: &str) -> SBoxedStrategy<Value> {
        if let Some(own) = self.overrides.get(pointer) {
            return own.clone();
        }
        let mut choices = alternatives(self.components, schema).into_iter().map(|schema| self.plain(&schema, pointer));
        match (choices.next(), choices.next()) {
            (Some(only), None) => only,
            (Some(first), Some(second)) => Union::new([first, second].into_iter().chain(choices)).sboxed(),
            // No value matches such a schema; the validator reports it.
            (None, _) => Just(Value::Null).sboxed(),
        }
    }

    fn plain(&self, schema: &Value, pointer: &str) -> SBoxedStrategy<Value> {
        if let Some(values) = schema["enum"].as_array() {
            return select(values.clone()).sboxed();
        }
        match type_of(schema) {
            "string" => string(schema),
            "integer" => integer(schema),
            "number" => integer(schema).prop_map(|value| json!(value.as_f64())).sboxed(),
            "boolean" => any::<bool>().prop_map(Value::from).sboxed(),
            "null" => Just(Value::Null).sboxed(),
            "array" => self.array(schema, pointer),
            _ => self.object(schema, pointer),
        }
    }

    fn array(&self, schema: &Value, pointer: &str) -> SBoxedStrategy<Value> {
        let minimum = schema["minItems"].as_u64().unwrap_or(0);
        let maximum = schema["maxItems"].as_u64().unwrap_or(minimum + CROWD).min(minimum + CROWD);
        let item = self.strategy(&schema["items"], &format!("{pointer}/*"));
        proptest::collection::vec(item, span(minimum, maximum)).prop_map(Value::Array).sboxed()
    }

    fn object(&self, schema: &Value, pointer: &str) -> SBoxedStrategy<Value> {
        let required: Vec<&str> = required(schema).collect();
        let mut whole = Just(Map::new()).sboxed();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let value = self.strategy(property, &format!("{pointer}/{name}"));
            let present = if required.contains(&name.as_str()) { Just(true).sboxed() } else { any::<bool>().sboxed() };
            let name = name.clone();
            whole = (whole, present, value)
                .prop_map(move |(mut members, present, value)| {
                    if present {
                        members.insert(name.clone(), value);
                    }
                    members
                })
                .sboxed();
        }
        if schema["additionalProperties"].is_object() {
            let value = self.strategy(&schema["additionalProperties"], &format!("{pointer}/*"));
            let minimum = schema["minProperties"].as_u64().unwrap_or(0);
            let maximum = schema["maxProperties"].as_u64().unwrap_or(minimum + CROWD).min(minimum + CROWD);
            let extra = proptest::collection::btree_map(key(schema), value, span(minimum, maximum));
            whole = (whole, extra)
                .prop_map(|(mut members, extra)| {
                    members.extend(extra);
                    members
                })
                .sboxed();
        }
        whole.prop_map(Value::Object).sboxed()
    }
}

/// Returns names of fields that are not listed.
fn key(schema: &Value) -> SBoxedStrategy<String> {
    let least = count(&schema["x-key-length"], "min").unwrap_or(0).max(1);
    let most = count(&schema["x-key-length"], "max").unwrap_or(least + 39).max(least);
    let letter =
        prop_oneof![5 => proptest::char::range('a', 'z'), 1 => proptest::char::range('0', '9'), 1 => Just('_')];
    let rest = proptest::collection::vec(letter, least - 1..=most - 1);
    (proptest::char::range('a', 'z'), rest)
        .prop_map(|(first, rest)| std::iter::once(first).chain(rest).collect())
        .sboxed()
}

fn span(minimum: u64, maximum: u64) -> std::ops::RangeInclusive<usize> {
    let bound = |number| usize::try_from(number).unwrap_or(usize::MAX);
    bound(minimum)..=bound(maximum)
}

fn string(schema: &Value) -> SBoxedStrategy<Value> {
    if schema["format"] == "date-time" {
        let year = prop_oneof![3 => 1970_i32..2026, 1 => 1_i32..1970];
        let zone = select(vec!["Z", "+00:00", "-00:00", "+14:00", "-12:00", "+05:45"]);
        let fraction = select(vec!["", ".5", ".999", ".000000001"]);
        return (year, 0_u64..31_536_000, fraction, zone)
            .prop_map(|(year, second, fraction, zone)| {
                let first = chrono::NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default();
                let date = first + chrono::Days::new(second / 86_400);
                let (hour, minute, second) = (second / 3_600 % 24, second / 60 % 60, second % 60);
                json!(format!("{}T{hour:02}:{minute:02}:{second:02}{fraction}{zone}", date.format("%Y-%m-%d")))
            })
            .sboxed();
    }
    if is_address(schema) {
        return "[a-z0-9]{1,20}".prop_map(|name| json!(format!("{ADDRESS}{name}"))).sboxed();
    }
    let (minimum, maximum) = length_bounds(schema);
    match pattern_of(schema) {
        Some(pattern) if is_built(schema) => {
            let fits = move |text: &String| {
                let length = text.chars().count();
                length >= minimum && maximum.is_none_or(|maximum| length <= maximum)
            };
            pattern.texts().prop_filter("a text of the length that is asked for", fits).prop_map(Value::from).sboxed()
        }
        Some(pattern) => text(minimum, maximum.unwrap_or(UNBOUNDED))
            .prop_filter("a text of letters that are taken", move |text| pattern.is_kept_by(text))
            .prop_map(Value::from)
            .sboxed(),
        None => text(minimum, maximum.unwrap_or(minimum + UNBOUNDED)).prop_map(Value::from).sboxed(),
    }
}

fn integer(schema: &Value) -> SBoxedStrategy<Value> {
    let minimum = schema["minimum"].as_i64().unwrap_or(0);
    let maximum = schema["maximum"].as_i64().unwrap_or(minimum + 10_000);
    (minimum..=maximum).prop_map(Value::from).sboxed()
}
