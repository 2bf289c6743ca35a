//! A named schema: its properties as a table, its vocabulary, its invariants. `constraint` describes types.

use super::constraint::{bounds, kind, link, vocabulary};
use super::markup::{escape, inline, markdown};
use super::node::Node;
use super::{badge, sample};
use pulldown_cmark::HeadingLevel;

/// The section of one named schema.
pub(super) fn section(name: &str, schema: &Node) -> String {
    let body = body(schema);
    let description = markdown(schema.text("description").unwrap_or_default(), HeadingLevel::H4);
    let example = schema.get("example").filter(|_| schema.get("properties").is_none_or(|map| map.members().is_empty()));
    let example = example.map(sample::block).unwrap_or_default();
    format!(
        "<section class=\"schema\" id=\"schema-{name}\"><h3>{name} {}</h3>{description}{body}{example}</section>",
        badge::provenance(schema)
    )
}

/// Renders the contents of a schema: alternatives, a vocabulary, properties, bounds and invariants.
pub(super) fn body(schema: &Node) -> String {
    let mut output = String::new();
    let alternatives: Vec<_> =
        schema.items_of("oneOf").iter().filter_map(|choice| choice.text("$ref")).map(link).collect();
    if !alternatives.is_empty() {
        output.extend(["<p>One of ", &alternatives.join(", "), ".</p>"]);
    }
    if let Some((values, may_grow)) = vocabulary(schema) {
        output.push_str(&values_of(&values, may_grow));
    }
    let properties = schema.members_of("properties");
    if properties.is_empty() {
        let phrases = bounds(schema);
        if !phrases.is_empty() {
            output.extend(["<p class=\"bounds\">", &phrases.join(" · "), "</p>"]);
        }
    } else {
        output.push_str(&table(schema, properties));
    }
    output.push_str(&invariants(schema));
    output
}

/// The invariants that a schema or an operation cannot express.
pub(super) fn invariants(part: &Node) -> String {
    let rules: Vec<_> =
        part.items_of("x-conformance").iter().filter_map(|entry| entry.text("rule")).map(inline).collect();
    if rules.is_empty() {
        return String::new();
    }
    format!("<div class=\"invariants\"><p>Always true</p><ul><li>{}</li></ul></div>", rules.join("</li><li>"))
}

fn values_of(values: &[String], may_grow: bool) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("<code>{}</code>", escape(value))).collect();
    let note =
        if may_grow { " <span class=\"soft\">More may come: keep values that you do not know.</span>" } else { "" };
    format!("<p class=\"values\">{}{note}</p>", values.join(" "))
}

fn table(schema: &Node, properties: &[(String, Node)]) -> String {
    let required: Vec<_> = schema.items_of("required").iter().filter_map(Node::as_text).collect();
    let rows: Vec<_> =
        properties.iter().map(|(name, property)| row(name, property, required.contains(&name.as_str()))).collect();
    format!("<div class=\"wide\"><table class=\"properties\"><tbody>{}</tbody></table></div>", rows.concat())
}

fn row(name: &str, property: &Node, is_required: bool) -> String {
    let need = if is_required { "<span class=\"required\">required</span>" } else { "" };
    let mut details = bounds(property);
    if let Some((values, _)) = vocabulary(property) {
        details.extend(values.iter().map(|value| format!("<code>{}</code>", escape(value))));
    }
    let details = if details.is_empty() {
        String::new()
    } else {
        format!("<div class=\"bounds\">{}</div>", details.join(" · "))
    };
    let example = property.get("example").filter(|example| !matches!(example, Node::Map(_) | Node::List(_)));
    let example = example.map(Node::plain).filter(|text| text.len() <= 90 && !text.is_empty());
    let example = example
        .map(|text| format!("<div class=\"soft\">e.g. <code>{}</code></div>", escape(&text)))
        .unwrap_or_default();
    format!(
        "<tr><th><code>{}</code>{need}</th><td><div><span class=\"kind\">{}</span> {}</div>{}{details}{example}</td></tr>",
        escape(name),
        kind(property),
        badge::provenance(property),
        markdown(property.text("description").unwrap_or_default(), HeadingLevel::H5),
    )
}
