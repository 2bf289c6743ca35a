//! Finds the keywords that bound requests: in the body and in the parameters.
//!
//! `constraint` evaluates a keyword for a value.

use std::fmt;

use serde_json::{Map, Value};

use super::constraint::{Constraint, constraints};
use crate::spec::{Document, Operation};

/// Maximum depth of a schema.
const MAX_DEPTH: usize = 8;

/// Location of a sent value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// In the body, at this pointer; `*` matches every item of a list and every field of a map.
    Body(String),
    /// In this parameter: `query`, `path` or `header`, and its name.
    Parameter(String, String),
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body(pointer) if pointer.is_empty() => formatter.write_str("body"),
            Self::Body(pointer) => write!(formatter, "body {pointer}"),
            Self::Parameter(location, name) => write!(formatter, "{location} {name}"),
        }
    }
}

/// One keyword at one location.
pub(super) struct Bounded {
    pub(super) place: Place,
    /// Its name in the document, with a suffix if one keyword has several meanings.
    pub(super) keyword: String,
    pub(super) constraint: Constraint,
}

/// Returns every keyword that bounds requests of `operation`.
pub(super) fn of(document: &Document, operation: &Operation) -> Vec<Bounded> {
    let mut found = Vec::new();
    if let Some(name) = &operation.request_schema {
        walk(document, document.schema(name), "", MAX_DEPTH, &mut |pointer, schema| {
            add(&mut found, &Place::Body(pointer.to_owned()), constraints(schema));
        });
    }
    for parameter in &operation.parameters {
        // A path parameter that is too short leads to another path.
        if parameter.location == "path" {
            continue;
        }
        let place = Place::Parameter(parameter.location.clone(), parameter.name.clone());
        walk(document, &parameter.schema, "", MAX_DEPTH, &mut |pointer, schema| {
            // All parameters are sent as text.
            let is_text = schema["type"] == "string";
            let sent = |(keyword, _): &(String, Constraint)| !(is_text && keyword == "type");
            if pointer.is_empty() {
                add(&mut found, &place, constraints(schema).into_iter().filter(sent).collect());
            }
        });
    }
    found
}

fn add(found: &mut Vec<Bounded>, place: &Place, mut constraints: Vec<(String, Constraint)>) {
    // A fixed order, regardless of the field order of the JSON library.
    constraints.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (keyword, constraint) in constraints {
        // Branches of a schema may contain the same keyword twice.
        if !found.iter().any(|known| known.place == *place && known.keyword == keyword) {
            found.push(Bounded { place: place.clone(), keyword, constraint });
        }
    }
}

/// Calls `visit` with every schema below `schema` and the pointer of its values.
fn walk(
    document: &Document,
    schema: &Value,
    pointer: &str,
    depth: usize,
    visit: &mut dyn FnMut(&str, &Map<String, Value>),
) {
    let schema = resolve(document, schema);
    let Some(members) = schema.as_object().filter(|_| depth > 0) else { return };
    visit(pointer, members);
    for branches in ["allOf", "anyOf", "oneOf"] {
        for branch in schema[branches].as_array().into_iter().flatten() {
            walk(document, branch, pointer, depth - 1, visit);
        }
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        walk(document, property, &format!("{pointer}/{name}"), depth - 1, visit);
    }
    for below in ["items", "additionalProperties"] {
        if schema[below].is_object() {
            walk(document, &schema[below], &format!("{pointer}/*"), depth - 1, visit);
        }
    }
}

fn resolve<'schema>(document: &'schema Document, mut schema: &'schema Value) -> &'schema Value {
    // Ignores a schema that only refers to itself.
    for _ in 0..MAX_DEPTH {
        match schema["$ref"].as_str() {
            Some(reference) => schema = document.schema(reference.rsplit('/').next().unwrap_or_default()),
            None => break,
        }
    }
    schema
}

/// Returns the values of `body` at `pointer`.
pub(super) fn values_at<'value>(body: &'value Value, pointer: &str) -> Vec<&'value Value> {
    let mut found = vec![body];
    for name in pointer.split('/').skip(1) {
        found = found
            .into_iter()
            .flat_map(|value| -> Vec<&Value> {
                match value {
                    Value::Array(items) if name == "*" => items.iter().collect(),
                    Value::Object(members) if name == "*" => members.values().collect(),
                    Value::Object(members) => members.get(name).into_iter().collect(),
                    _ => Vec::new(),
                }
            })
            .collect();
    }
    found
}
