//! The document as written: its schemas by name, and its operations with shared parts written out. `lower` makes progenitor's input from
//! it.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};
use xtask::composition::compose;

use super::json::{SCHEMAS, is_json, properties, references, single_reference, text, texts};
use super::lower::OPEN_VOCABULARY;
use super::operation::Operation;
use super::words::snake;

/// The document, read.
#[derive(Debug)]
pub(super) struct Document {
    /// The whole document, as written.
    pub(super) root: Value,
    /// The schemas that an operation or a union leads to, by name. Events are a union.
    pub(super) schemas: Map<String, Value>,
    /// The operations, in the order of their paths.
    pub(super) operations: Vec<Operation>,
}

impl Document {
    /// Reads the YAML (or JSON) text of a document. Sorts its members: whether `serde_json` keeps their order depends on the features of
    /// the build, and the generated code must not.
    pub(super) fn parse(yaml: &str) -> Result<Self> {
        let mut root: Value = serde_saphyr::from_str(yaml).context("the document is not valid YAML")?;
        if !text(&root, "openapi").is_some_and(|version| version.starts_with("3.0.")) {
            bail!("the document is not OpenAPI 3.0");
        }
        compose(&mut root);
        root.sort_all_objects();
        keep_json(&mut root);
        open_filters(&mut root);
        let all = root.pointer("/components/schemas").and_then(Value::as_object).cloned().unwrap_or_default();
        let mut document = Self { root, schemas: Map::new(), operations: Vec::new() };
        let unions = all.values().filter(|schema| schema.get("discriminator").is_some());
        let roots = document.root.get("paths").into_iter().chain(unions);
        let used = document.reachable(roots);
        let is_used = |name: &String, schema: &Value| used.contains(name) || schema.get("discriminator").is_some();
        document.schemas = all.into_iter().filter(|(name, schema)| is_used(name, schema)).collect();
        document.operations = Operation::all(&document.root)?;
        Ok(document)
    }

    /// The names of the schemas that values refer to, directly or through others.
    pub(super) fn reachable<'a>(&'a self, from: impl IntoIterator<Item = &'a Value>) -> BTreeSet<String> {
        let mut pending: Vec<&str> = from.into_iter().flat_map(references).collect();
        let mut seen = BTreeSet::new();
        while let Some(target) = pending.pop() {
            if seen.insert(target)
                && let Some(found) = target.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer))
            {
                pending.extend(references(found));
            }
        }
        seen.into_iter().filter_map(|target| target.strip_prefix(SCHEMAS)).map(str::to_owned).collect()
    }

    /// The schemas that request bodies are made of.
    pub(super) fn requests(&self) -> BTreeSet<String> {
        let bodies = self.operations.iter().filter_map(|operation| operation.body.as_ref());
        let below = self.reachable(bodies.filter_map(|name| self.schemas.get(name)));
        self.operations.iter().filter_map(|operation| operation.body.clone()).chain(below).collect()
    }

    /// The member of a schema that a field of its type stands for, with its name.
    pub(super) fn member(&self, schema: &str, field: &str) -> Option<(&str, &Value)> {
        let mut members = properties(self.schemas.get(schema)?);
        members.find(|(name, _)| snake(name) == field.trim_end_matches('_'))
    }

    /// Returns the schema that a member refers to, or its own.
    pub(super) fn meaning<'a>(&'a self, member: &'a Value) -> &'a Value {
        single_reference(member).and_then(|name| self.schemas.get(name)).unwrap_or(member)
    }

    /// Returns the document's description of a member, which a reference cannot carry through the generator.
    pub(super) fn description<'a>(&'a self, member: &'a Value) -> Option<&'a str> {
        text(member, "description").or_else(|| text(self.meaning(member), "description"))
    }
}

/// Replaces each closed vocabulary by the open one of the same values: a filter takes the states that were read.
fn open_filters(root: &mut Value) {
    let schemas = root.pointer("/components/schemas").and_then(Value::as_object).cloned().unwrap_or_default();
    for (closed, schema) in &schemas {
        let mut values: Vec<_> = texts(schema, "enum").collect();
        values.sort_unstable();
        let is_same = |open: &Value| {
            let mut others: Vec<_> = texts(open, OPEN_VOCABULARY).collect();
            others.sort_unstable();
            !others.is_empty() && others == values
        };
        if let Some((open, _)) = schemas.iter().find(|(_, open)| is_same(open)) {
            replace_references(root, &format!("{SCHEMAS}{closed}"), &format!("{SCHEMAS}{open}"));
        }
    }
}

/// Replaces the references to a schema.
fn replace_references(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::Object(members) => {
            if let Some(reference) = members.get_mut("$ref").filter(|reference| reference.as_str() == Some(from)) {
                *reference = Value::from(to);
            }
            members.values_mut().for_each(|member| replace_references(member, from, to));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace_references(item, from, to)),
        _ => {}
    }
}

/// Removes media types beside JSON, and operations whose success is not JSON: the client does not call them.
fn keep_json(root: &mut Value) {
    for part in ["paths", "components"] {
        if let Some(part) = root.get_mut(part) {
            keep_json_content(part);
        }
    }
    let document = root.clone();
    for item in root.get_mut("paths").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
        let Some(methods) = item.as_object_mut() else { continue };
        methods.retain(|_, operation| !answers_other_media_only(&document, operation));
    }
}

/// Of each `content` that has JSON beside other media types, keeps the JSON.
fn keep_json_content(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(content) = members.get_mut("content").and_then(Value::as_object_mut)
                && content.keys().any(|media_type| is_json(media_type))
            {
                content.retain(|media_type, _| is_json(media_type));
            }
            members.values_mut().for_each(keep_json_content);
        }
        Value::Array(items) => items.iter_mut().for_each(keep_json_content),
        _ => {}
    }
}

/// Returns true if each success of an operation has a body, and no body is JSON.
fn answers_other_media_only(root: &Value, operation: &Value) -> bool {
    let responses = operation.get("responses").and_then(Value::as_object).into_iter().flatten();
    let successes = responses.filter(|(status, _)| status.starts_with('2')).map(|(_, response)| {
        let target = text(response, "$ref").and_then(|reference| root.pointer(reference.strip_prefix('#')?));
        target.unwrap_or(response).get("content").and_then(Value::as_object)
    });
    let mut successes = successes.peekable();
    successes.peek().is_some()
        && successes.all(|content| content.is_some_and(|content| !content.keys().any(|media_type| is_json(media_type))))
}
