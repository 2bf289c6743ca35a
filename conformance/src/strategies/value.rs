//! A schema as a strategy for its valid values.
//!
//! Values at the edges come from `boundary`, values beyond them from `breakage`.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::SBoxedStrategy;
use serde_json::{Map, Value, json};

use super::text::text;

/// Strategies that take the place of the schema's own, by the pointer of the property.
pub type Overrides = BTreeMap<&'static str, SBoxedStrategy<Value>>;

/// How many items or members are drawn at most when the schema allows more.
const CROWD: u64 = 4;

/// Valid values of `schema`, whose references are looked up in `components`.
pub fn valid(components: &Value, schema: &Value, overrides: &Overrides) -> SBoxedStrategy<Value> {
    Builder { components, overrides }.strategy(schema, "")
}

/// Follows `$ref` into the components.
pub(super) fn resolve<'schema>(components: &'schema Value, mut schema: &'schema Value) -> &'schema Value {
    while let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        schema = &components[reference.rsplit('/').next().unwrap_or_default()];
    }
    // A `nullable` reference reads as anyOf or allOf with one real branch.
    ["allOf", "anyOf", "oneOf"]
        .iter()
        .find_map(|word| schema.get(*word).and_then(|branches| branches.get(0)))
        .map_or(schema, |branch| resolve(components, branch))
}

/// The first type that is not `null`.
pub(super) fn type_of(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or("object"),
        kind => kind.as_str().unwrap_or("object"),
    }
}

/// The bounds of a text in code points.
pub(super) fn length_bounds(schema: &Value) -> (usize, usize) {
    let trimmed = &schema["x-trimmed-length"];
    let read = |value: &Value| value.as_u64().map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    let minimum = read(&trimmed["min"]).or_else(|| read(&schema["minLength"]));
    let maximum = read(&trimmed["max"]).or_else(|| read(&schema["maxLength"]));
    (minimum.unwrap_or(0), maximum.unwrap_or(300))
}

/// Well-formed language tags, which need not be registered.
const LANGUAGES: [&str; 9] =
    ["en", "en-GB", "de", "zh-Hant-TW", "sr-Latn", "de-CH-1996", "es-419", "EN-us", "sl-rozaj-biske"];

struct Builder<'schema> {
    components: &'schema Value,
    overrides: &'schema Overrides,
}

impl Builder<'_> {
    fn strategy(&self, schema: &Value, pointer: &str) -> SBoxedStrategy<Value> {
        if let Some(own) = self.overrides.get(pointer) {
            return own.clone();
        }
        let schema = resolve(self.components, schema);
        if let Some(values) = schema["enum"].as_array() {
            return select(values.clone()).sboxed();
        }
        match type_of(schema) {
            "string" => string(schema, pointer),
            "integer" => integer(schema),
            "boolean" => any::<bool>().prop_map(Value::from).sboxed(),
            "array" => self.array(schema, pointer),
            _ => self.object(schema, pointer),
        }
    }

    fn array(&self, schema: &Value, pointer: &str) -> SBoxedStrategy<Value> {
        let minimum = schema["minItems"].as_u64().unwrap_or(0);
        let maximum = schema["maxItems"].as_u64().unwrap_or(CROWD).min(minimum + CROWD);
        let item = self.strategy(&schema["items"], &format!("{pointer}/*"));
        proptest::collection::vec(item, span(minimum, maximum)).prop_map(Value::Array).sboxed()
    }

    fn object(&self, schema: &Value, pointer: &str) -> SBoxedStrategy<Value> {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
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
            let maximum = schema["maxProperties"].as_u64().unwrap_or(CROWD).min(CROWD);
            let extra = proptest::collection::btree_map("[a-z][a-z0-9_]{0,39}", value, span(0, maximum));
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

fn span(minimum: u64, maximum: u64) -> std::ops::RangeInclusive<usize> {
    let bound = |number| usize::try_from(number).unwrap_or(usize::MAX);
    bound(minimum)..=bound(maximum)
}

fn string(schema: &Value, pointer: &str) -> SBoxedStrategy<Value> {
    if schema["format"] == "date-time" {
        return (2001_i32..2026, 1_u32..=12, 1_u32..=28, 0_u32..24)
            .prop_map(|(year, month, day, hour)| json!(format!("{year}-{month:02}-{day:02}T{hour:02}:30:00Z")))
            .sboxed();
    }
    if pointer.ends_with("/language") {
        return select(LANGUAGES.to_vec()).prop_map(Value::from).sboxed();
    }
    let (minimum, maximum) = length_bounds(schema);
    text(minimum, maximum).prop_map(Value::from).sboxed()
}

fn integer(schema: &Value) -> SBoxedStrategy<Value> {
    let minimum = schema["minimum"].as_i64().unwrap_or(0);
    let maximum = schema["maximum"].as_i64().unwrap_or(minimum + 10_000);
    (minimum..=maximum).prop_map(Value::from).sboxed()
}
