//! Bounds: those of requests are collected, so that a request can be checked before it is sent; then all of them are
//! dropped, because a bound on an answer would make one overlong text hide the whole article.

use std::collections::BTreeSet;

use anyhow::Result;
use serde_json::Value;

use super::document::{for_each_operation, for_each_schema, schemas, schemas_mut, single_reference};

/// The keywords that bound a value.
const KEYWORDS: [&str; 13] = [
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

/// The keyword for a length that is counted after white space around the text is taken off.
const TRIMMED_LENGTH: &str = "x-trimmed-length";

/// What a request schema asks of its members.
#[derive(Debug)]
pub(super) struct Bounds {
    /// The name of the schema.
    pub(super) schema: String,
    /// The members that have bounds.
    pub(super) members: Vec<Member>,
}

/// One bounded member.
#[derive(Debug)]
pub(super) struct Member {
    /// Its name on the wire.
    pub(super) name: String,
    /// Whether it is always there.
    pub(super) required: bool,
    /// Its bounds.
    pub(super) shape: Shape,
}

/// The bounds by kind of value; `u64::MAX` where there is no upper one.
#[derive(Debug)]
pub(super) enum Shape {
    /// A text of so many characters, counted without the white space around it where `trimmed` says so.
    Text { minimum: u64, maximum: u64, trimmed: bool },
    /// An integer in a range.
    Integer { minimum: u64, maximum: u64 },
    /// So many texts at most, each of so many characters.
    Texts { maximum: u64, shortest: u64, longest: u64 },
    /// So many named texts at most, each of so many characters at most.
    Map { maximum: u64, longest: u64 },
}

/// Collects the bounds of the members of request schemas.
pub(super) fn collect(document: &Value, requests: &BTreeSet<String>) -> Vec<Bounds> {
    let Some(all) = schemas(document) else {
        return Vec::new();
    };
    let bounded = requests.iter().filter_map(|name| {
        let schema = all.get(name)?;
        let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let members = schema.get("properties")?.as_object()?.iter().filter_map(|(member, below)| {
            let below = single_reference(below).and_then(|target| all.get(target)).unwrap_or(below);
            let required = required.iter().any(|name| name.as_str() == Some(member));
            let shape = shape(below).filter(is_bound)?;
            Some(Member { name: member.clone(), required, shape })
        });
        Some(Bounds { schema: name.clone(), members: members.collect() })
    });
    bounded.filter(|bounds| !bounds.members.is_empty()).collect()
}

/// Whether there is a value that the bounds exclude.
fn is_bound(shape: &Shape) -> bool {
    match *shape {
        Shape::Text { minimum, maximum, .. } | Shape::Integer { minimum, maximum } => minimum > 0 || maximum < u64::MAX,
        Shape::Texts { maximum, shortest, longest } => shortest > 0 || maximum.min(longest) < u64::MAX,
        Shape::Map { maximum, longest } => maximum.min(longest) < u64::MAX,
    }
}

/// The bounds of one member, if it is of a kind that has some.
fn shape(schema: &Value) -> Option<Shape> {
    let number = |schema: &Value, keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    let at_most = |schema: &Value, keyword: &str| number(schema, keyword).unwrap_or(u64::MAX);
    match schema.get("type")?.as_str()? {
        "string" if schema.get(TRIMMED_LENGTH).is_some() => {
            let trimmed = schema.get(TRIMMED_LENGTH)?;
            let minimum = number(trimmed, "min").unwrap_or(0);
            Some(Shape::Text { minimum, maximum: at_most(trimmed, "max"), trimmed: true })
        }
        "string" if schema.get("enum").is_none() => {
            let minimum = number(schema, "minLength").unwrap_or(0);
            Some(Shape::Text { minimum, maximum: at_most(schema, "maxLength"), trimmed: false })
        }
        "integer" => {
            let minimum = number(schema, "minimum").unwrap_or(0);
            Some(Shape::Integer { minimum, maximum: at_most(schema, "maximum") })
        }
        "array" => {
            let items = schema.get("items")?;
            let shortest = number(items, "minLength").unwrap_or(0);
            let is_text = items.get("type").and_then(Value::as_str) == Some("string") && items.get("enum").is_none();
            let longest = at_most(items, "maxLength");
            is_text.then(|| Shape::Texts { maximum: at_most(schema, "maxItems"), shortest, longest })
        }
        "object" => {
            let values = schema.get("additionalProperties").filter(|values| values.is_object())?;
            let is_text = values.get("type").and_then(Value::as_str) == Some("string");
            let longest = at_most(values, "maxLength");
            is_text.then(|| Shape::Map { maximum: at_most(schema, "maxProperties"), longest })
        }
        _ => None,
    }
}

/// Drops every bound of the document.
pub(super) fn drop_all(document: &mut Value) -> Result<()> {
    for (_, schema) in schemas_mut(document).into_iter().flatten() {
        for_each_schema(schema, &mut |schema| {
            drop_bounds(schema);
            Ok(())
        })?;
    }
    for_each_operation(document, |_, _, operation| {
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(schema) = parameter.get_mut("schema") {
                drop_bounds(schema);
            }
        }
        Ok(())
    })
}

/// Drops the bounds of one schema.
fn drop_bounds(schema: &mut Value) {
    if let Some(schema) = schema.as_object_mut() {
        schema.retain(|keyword, _| !KEYWORDS.contains(&keyword.as_str()));
    }
}
