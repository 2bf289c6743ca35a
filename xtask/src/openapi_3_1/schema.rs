//! Translation of OpenAPI 3.0 schemas to JSON Schema 2020-12 schemas that accept the same values.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail, ensure};

use crate::node::Node;

/// Keywords with the same meaning in both versions.
const SAME: [&str; 18] = [
    "default",
    "deprecated",
    "description",
    "discriminator",
    "enum",
    "format",
    "maximum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "minimum",
    "minItems",
    "minLength",
    "minProperties",
    "pattern",
    "required",
    "title",
    "uniqueItems",
];

/// Unicode White_Space, for use in a character class. `\s` is another set: it lacks U+0085 and has U+FEFF.
const WHITE_SPACE: &str = r"\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";

/// Translates schemas.
pub(super) struct Schemas<'a> {
    /// References to the components that are nullable.
    nullable: BTreeSet<String>,
    document: &'a Node,
}

impl<'a> Schemas<'a> {
    pub(super) fn of(document: &'a Node) -> Self {
        let components = document.get("components").map_or(&[][..], |components| components.members_of("schemas"));
        let nullable = components
            .iter()
            .filter(|(_, schema)| schema.is_true("nullable"))
            .map(|(name, _)| format!("#/components/schemas/{name}"))
            .collect();
        Self { nullable, document }
    }

    /// Translates the named schemas. A nullable one loses `nullable`: each reference to it allows null instead.
    pub(super) fn components(&self, schemas: &Node) -> Result<Node> {
        let mut translated = Vec::new();
        for (name, schema) in schemas.members() {
            let plain = schema.members().iter().filter(|(name, _)| name != "nullable").cloned().collect();
            let schema = self.translate(&Node::Map(plain)).with_context(|| format!("the schema `{name}`"))?;
            translated.push((name.clone(), schema));
        }
        Ok(Node::Map(translated))
    }

    /// Translates one schema.
    pub(super) fn translate(&self, schema: &Node) -> Result<Node> {
        if let Some(reference) = schema.text("$ref") {
            return Ok(Node::Map(vec![self.reference(reference, true)?]));
        }
        let is_nullable = schema.is_true("nullable");
        let target = single_reference(schema);
        if let Some(target) = target {
            ensure!(
                !is_nullable || self.nullable.contains(target),
                "a reference to {target} says `nullable`, but that component does not; add it in both places"
            );
        }
        let mut members = Vec::new();
        for (name, value) in schema.members() {
            let translated = match (name.as_str(), target) {
                ("nullable", _) => continue,
                ("allOf", Some(target)) => {
                    // If no type is beside the reference, the component alone decides.
                    let may_be_null = is_nullable || schema.get("type").is_none();
                    members.push(self.reference(target, may_be_null)?);
                    continue;
                }
                // The component has the type.
                ("type", Some(_)) => continue,
                ("type", None) if is_nullable => Node::List(vec![value.clone(), Node::Text("null".to_owned())]),
                ("enum", _) if is_nullable => {
                    let null = (!value.items().contains(&Node::Null)).then_some(Node::Null);
                    Node::List(value.items().iter().cloned().chain(null).collect())
                }
                ("example", _) => {
                    members.push(("examples".to_owned(), Node::List(vec![value.clone()])));
                    continue;
                }
                ("allOf" | "anyOf" | "oneOf", _) => {
                    Node::List(value.items().iter().map(|item| self.translate(item)).collect::<Result<_>>()?)
                }
                ("properties", _) => self.properties(value)?,
                ("items" | "additionalProperties" | "not", _) if matches!(value, Node::Map(_)) => {
                    self.translate(value)?
                }
                ("type" | "additionalProperties", _) => value.clone(),
                (name, _) if SAME.contains(&name) || name.starts_with("x-") => value.clone(),
                (name, _) => {
                    bail!("the schema keyword `{name}` has no translation; add it to xtask/src/openapi_3_1/schema.rs")
                }
            };
            members.push((name.clone(), translated));
            members.extend(standard(name, value));
        }
        Ok(Node::Map(members))
    }

    fn properties(&self, properties: &Node) -> Result<Node> {
        let mut translated = Vec::new();
        for (name, schema) in properties.members() {
            let schema = self.translate(schema).with_context(|| format!("the property `{name}`"))?;
            translated.push((name.clone(), schema));
        }
        Ok(Node::Map(translated))
    }

    /// Returns the keyword that refers to a component. It allows null if both the component and the place may be null.
    fn reference(&self, target: &str, may_be_null: bool) -> Result<(String, Node)> {
        ensure!(self.document.follow(target).is_some(), "{target} does not exist");
        let reference = ("$ref".to_owned(), Node::Text(target.to_owned()));
        if !may_be_null || !self.nullable.contains(target) {
            return Ok(reference);
        }
        let null = Node::Map(vec![("type".to_owned(), Node::Text("null".to_owned()))]);
        Ok(("anyOf".to_owned(), Node::List(vec![Node::Map(vec![reference]), null])))
    }
}

/// Returns the standard keyword for one of our keywords, or for a part of it: JSON Schema cannot count characters after trimming, but it
/// can require that some are left.
fn standard(name: &str, value: &Node) -> Option<(String, Node)> {
    let bound = |bound: &str, keyword: &str| Some((keyword.to_owned(), value.get(bound)?.clone()));
    match name {
        "x-key-length" => {
            let lengths = [bound("min", "minLength"), bound("max", "maxLength")];
            Some(("propertyNames".to_owned(), Node::Map(lengths.into_iter().flatten().collect())))
        }
        "x-trimmed-length" if value.get("min").is_some_and(|min| *min != Node::Number("0".to_owned())) => {
            let blank = ("pattern".to_owned(), Node::Text(format!("^[{WHITE_SPACE}]*$")));
            Some(("not".to_owned(), Node::Map(vec![blank])))
        }
        _ => None,
    }
}

/// Returns the target of an `allOf` with one reference, which is how 3.0 writes keywords beside a reference.
fn single_reference(schema: &Node) -> Option<&str> {
    match schema.items_of("allOf") {
        [only] => only.text("$ref"),
        _ => None,
    }
}
