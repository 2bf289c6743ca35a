//! A schema in a few words: its type, where it leads, and its bounds. Tables of properties are made elsewhere.

use super::markup::escape;
use super::node::Node;

/// The type of a schema, with a link where it is a named one.
pub(super) fn kind(schema: &Node) -> String {
    if let Some(reference) = reference(schema) {
        return format!("{}{}", link(reference), if schema.is_true("nullable") { " or null" } else { "" });
    }
    let name = schema.text("type").unwrap_or("any");
    let name = match (name, schema.get("items"), schema.get("additionalProperties")) {
        ("array", Some(items), _) => format!("list of {}", kind(items)),
        ("object", _, Some(values)) if !values.members().is_empty() => format!("map to {}", kind(values)),
        _ => schema.text("format").filter(|format| *format != "int32").unwrap_or(name).to_owned(),
    };
    format!("{name}{}", if schema.is_true("nullable") { " or null" } else { "" })
}

/// The schema that another one is, or that it adds a description to.
pub(super) fn reference(schema: &Node) -> Option<&str> {
    schema.text("$ref").or_else(|| schema.items_of("allOf").first()?.text("$ref"))
}

/// A link to the section of a named schema.
pub(super) fn link(reference: &str) -> String {
    let name = reference.rsplit('/').next().unwrap_or(reference);
    format!(r##"<a href="#schema-{name}">{name}</a>"##)
}

/// The bounds of a schema, each as a short phrase.
pub(super) fn bounds(schema: &Node) -> Vec<String> {
    let mut phrases = Vec::new();
    if schema.get("x-trimmed-length").is_none() {
        phrases.extend(range(schema, "minLength", "maxLength", "characters"));
    }
    phrases.extend(range(schema, "minItems", "maxItems", "items"));
    phrases.extend(range(schema, "minProperties", "maxProperties", "members"));
    phrases.extend(range(schema, "minimum", "maximum", ""));
    if let Some(trimmed) = schema.get("x-trimmed-length") {
        phrases.extend(range(trimmed, "min", "max", "code points after trimming"));
    }
    if let Some(names) = schema.get("x-key-length") {
        phrases.extend(range(names, "min", "max", "code points in each name"));
    }
    if let Some(items) = schema.get("items") {
        phrases.extend(bounds(items).into_iter().map(|phrase| format!("each {phrase}")));
    }
    if let Some(values) = schema.get("additionalProperties") {
        phrases.extend(bounds(values).into_iter().map(|phrase| format!("each value {phrase}")));
    }
    phrases.extend(schema.text("x-max-ahead").map(|duration| format!("at most {duration} ahead")));
    phrases.extend(
        schema
            .text("pattern")
            .filter(|pattern| pattern.len() <= 60)
            .map(|pattern| format!("<code>{}</code>", escape(pattern))),
    );
    phrases.extend(schema.get("default").map(|value| format!("default <code>{}</code>", escape(&value.plain()))));
    phrases
}

/// The values of a vocabulary, and whether it may grow.
pub(super) fn vocabulary(schema: &Node) -> Option<(Vec<String>, bool)> {
    let closed = schema.get("enum").map(|values| (values, false));
    let (values, may_grow) = closed.or_else(|| schema.get("x-extensible-enum").map(|values| (values, true)))?;
    Some((values.items().iter().map(Node::plain).collect(), may_grow))
}

fn range(schema: &Node, least: &str, most: &str, unit: &str) -> Option<String> {
    let phrase = match (schema.get(least).map(Node::plain), schema.get(most).map(Node::plain)) {
        (Some(least), Some(most)) => format!("{least} to {most} {unit}"),
        (Some(least), None) => format!("at least {least} {unit}"),
        (None, Some(most)) => format!("at most {most} {unit}"),
        (None, None) => return None,
    };
    let phrase =
        phrase.strip_suffix("1 characters").map_or_else(|| phrase.clone(), |start| format!("{start}1 character"));
    Some(phrase.trim_end().to_owned())
}
