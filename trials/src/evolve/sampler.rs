//! Makes values that fit a schema. They always include the parts that today's document does not have, because the trial tests those.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::places;
use super::random::Random;

/// Maximum depth to which schemas are followed; deeper values are `null`.
const DEPTH_MAX: usize = 24;
/// Maximum length of made-up text beyond the required minimum.
const TEXT_MAX: usize = 40;

/// The names and values that today's programs know from the document that generated them.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The names of all members.
    pub(super) members: BTreeSet<String>,
    /// The values of all open vocabularies.
    pub(super) values: BTreeSet<String>,
    /// The event types.
    pub(super) events: BTreeSet<String>,
    /// Names of members of the tried document that today's programs do not know.
    pub(super) added: BTreeSet<String>,
    /// Values of the tried document that today's programs do not know.
    pub(super) added_values: BTreeSet<String>,
}

impl Known {
    /// Collects the names and values of a document.
    pub(super) fn of(today: &Value) -> Self {
        let mut known = Self::default();
        for name in places::names(today, "/components/schemas") {
            let schema = format!("/components/schemas/{name}");
            known.members.extend(places::names(today, &format!("{schema}/properties")));
            let open = today.pointer(&format!("{schema}/x-extensible-enum")).and_then(Value::as_array);
            known.values.extend(open.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
        }
        known.events.extend(places::names(today, "/components/schemas/HookEvent/discriminator/mapping"));
        known
    }

    /// Returns a copy with the names and values that are new in `document`.
    pub(super) fn compared_with(&self, document: &Value) -> Self {
        let all = Self::of(document);
        let added = |all: &BTreeSet<String>, known| all.difference(known).cloned().collect();
        Self {
            added: added(&all.members, &self.members),
            added_values: added(&all.values, &self.values),
            ..self.clone()
        }
    }
}

/// Makes values for the schemas of a document.
#[derive(Debug)]
pub(super) struct Sampler<'a> {
    pub(super) document: &'a Value,
    pub(super) known: &'a Known,
}

impl<'a> Sampler<'a> {
    /// Makes a value of a schema.
    pub(super) fn value(&self, schema: &'a Value, random: &mut Random) -> Value {
        self.sample(schema, random, 0)
    }

    fn sample(&self, schema: &'a Value, random: &mut Random, depth: usize) -> Value {
        let mut layers = Vec::new();
        self.collect(schema, &mut layers, depth);
        let keyword = |name: &str| layers.iter().find_map(|layer| layer.get(name));
        let may_be_null = layers.iter().any(|layer| layer.get("nullable") == Some(&Value::Bool(true)));
        if depth > DEPTH_MAX || (may_be_null && random.happens(15)) {
            return Value::Null;
        }
        if let Some(variants) = keyword("oneOf").and_then(Value::as_array) {
            let variant = &variants[random.below(variants.len())];
            return self.sample(variant, random, depth + 1);
        }
        if let Some(values) = keyword("enum").and_then(Value::as_array) {
            return values[random.below(values.len())].clone();
        }
        if let Some(values) = keyword("x-extensible-enum").and_then(Value::as_array) {
            return self.word(values, random);
        }
        match keyword("type").and_then(Value::as_str) {
            Some("object") => self.object(&layers, random, depth),
            Some("array") => {
                let most = keyword("maxItems").and_then(Value::as_u64).map_or(2, |most| most.min(2));
                let count = random.within(1, i64::try_from(most).unwrap_or(2));
                let items = keyword("items").unwrap_or(&Value::Null);
                (0..count).map(|_| self.sample(items, random, depth + 1)).collect()
            }
            Some("boolean") => json!(random.happens(50)),
            Some("integer") => {
                let bound = |name: &str| keyword(name).and_then(Value::as_i64);
                let widest = if keyword("format") == Some(&json!("int64")) { i64::MAX } else { i64::from(i32::MAX) };
                json!(random.within(bound("minimum").unwrap_or(-widest), bound("maximum").unwrap_or(widest)))
            }
            Some("number") => json!(f64::from(i32::try_from(random.within(-4096, 4096)).unwrap_or(0)) / 8.0),
            Some("string") => text(&keyword, random),
            // A schema without keywords allows any value.
            _ => [
                json!(null),
                json!([1, "two", { "three": 3.5 }]),
                json!({ "a": { "b": [] } }),
                json!("text"),
                json!(-1),
            ][random.below(5)]
            .clone(),
        }
    }

    /// Collects the schema and all schemas that it is composed of.
    fn collect(&self, schema: &'a Value, layers: &mut Vec<&'a Value>, depth: usize) {
        if depth > DEPTH_MAX {
            return;
        }
        if let Some(target) = places::reference(schema).and_then(|pointer| self.document.pointer(pointer)) {
            return self.collect(target, layers, depth + 1);
        }
        layers.push(schema);
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.collect(part, layers, depth + 1);
        }
    }

    /// Returns a value of an open vocabulary, preferably one that today's programs do not know.
    fn word(&self, values: &[Value], random: &mut Random) -> Value {
        let is_new = |value: &&Value| value.as_str().is_some_and(|value| !self.known.values.contains(value));
        let new: Vec<&Value> = values.iter().filter(is_new).collect();
        match random.one_of(&new) {
            Some(value) if random.happens(70) => (*value).clone(),
            _ => values[random.below(values.len())].clone(),
        }
    }

    fn object(&self, layers: &[&'a Value], random: &mut Random, depth: usize) -> Value {
        let mut object = Map::new();
        for layer in layers {
            let required: BTreeSet<&str> = layer
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            for (name, member) in layer.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let is_there = required.contains(name.as_str()) || !self.known.members.contains(name);
                if is_there || random.happens(85) {
                    object.insert(name.clone(), self.sample(member, random, depth + 1));
                }
            }
            if let Some(values) = layer.get("additionalProperties").filter(|values| values.is_object()) {
                for _ in 0..random.below(3) {
                    let value = self.sample(values, random, depth + 1);
                    object.insert(random.word(), value);
                }
            }
        }
        Value::Object(object)
    }
}

/// Returns a text: the example's, or a random one where any text is allowed.
fn text<'a>(keyword: &impl Fn(&str) -> Option<&'a Value>, random: &mut Random) -> Value {
    let example = keyword("example").filter(|example| example.is_string());
    if keyword("format") == Some(&json!("date-time")) {
        return example.cloned().unwrap_or_else(|| json!("2027-01-01T00:00:00.000Z"));
    }
    let is_free = keyword("format").is_none() && keyword("pattern").is_none();
    match example {
        Some(example) if !is_free || random.happens(60) => example.clone(),
        _ => {
            let bound =
                |name: &str| keyword(name).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
            let least = bound("minLength").unwrap_or(0);
            json!(random.text(least, bound("maxLength").unwrap_or(least + TEXT_MAX)))
        }
    }
}
