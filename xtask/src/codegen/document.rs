//! The document, parsed by `openapiv3`: the schemas that the client needs by name, and the operations. `lower` makes progenitor's input from
//! it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail};
use openapiv3::{OpenAPI, ReferenceOr, Schema, Type};
use serde_json::Value;
use xtask::composition::compose;

use super::operation::Operation;
use super::schema::{OPEN_VOCABULARY, Part, kind, parts, properties, texts};
use super::words::snake;

/// The document, read.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) version: String,
    /// The schemas that an operation or a union leads to, by name. Events are a union.
    pub(super) schemas: BTreeMap<String, Schema>,
    /// The operations, in the order of their paths.
    pub(super) operations: Vec<Operation>,
    /// Names of closed vocabularies, with the open vocabulary of the same values that replaces each: a filter takes the states that were
    /// read.
    opened: BTreeMap<String, String>,
}

impl Document {
    /// Reads the YAML (or JSON) text of a document. Sorts its members: whether `serde_json` keeps their order depends on the features of
    /// the build, and the generated code must not.
    pub(super) fn parse(yaml: &str) -> Result<Self> {
        let mut root: Value = serde_saphyr::from_str(yaml).context("the document is not valid YAML")?;
        if !root["openapi"].as_str().is_some_and(|version| version.starts_with("3.0.")) {
            bail!("the document is not OpenAPI 3.0");
        }
        compose(&mut root);
        root.sort_all_objects();
        let api: OpenAPI = serde_json::from_value(root).context("the document is not OpenAPI 3.0")?;
        let operations = Operation::all(&api)?;
        let components = api.components.unwrap_or_default();
        let schemas = components.schemas.into_iter().filter_map(|(name, schema)| Some((name, schema.into_item()?)));
        let schemas = schemas.collect();
        let opened = opened(&schemas);
        let mut document = Self { version: api.info.version, schemas, operations, opened };
        let is_union = |schema: &Schema| schema.schema_data.discriminator.is_some();
        let unions = document.schemas.iter().filter(|(_, schema)| is_union(schema)).map(|(name, _)| name.as_str());
        let used = document.operations.iter().flat_map(Operation::schemas).chain(unions);
        let used = document.reachable(used);
        document.schemas.retain(|name, _| used.contains(name));
        Ok(document)
    }

    /// The names of these schemas and of those that they refer to, directly or through others.
    pub(super) fn reachable<'a>(&'a self, from: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
        let mut pending: Vec<&str> = from.into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = pending.pop() {
            let name = self.opened(name);
            if seen.insert(name.to_owned()) {
                let mut inline: Vec<&Schema> = self.schemas.get(name).into_iter().collect();
                while let Some(schema) = inline.pop() {
                    pending.extend(parts(schema).into_iter().filter_map(Part::name));
                    inline.extend(parts(schema).into_iter().filter_map(Part::written));
                }
            }
        }
        seen
    }

    /// The schemas that request bodies are made of.
    pub(super) fn requests(&self) -> BTreeSet<String> {
        self.reachable(self.operations.iter().filter_map(|operation| operation.body.as_deref()))
    }

    /// Returns the name of the schema that replaces one, which is itself unless it is a closed vocabulary.
    pub(super) fn opened<'a>(&'a self, name: &'a str) -> &'a str {
        self.opened.get(name).map_or(name, String::as_str)
    }

    /// The member of a schema that a field of its type stands for, with its name.
    pub(super) fn member(&self, schema: &str, field: &str) -> Option<(&str, Part<'_>)> {
        let mut members = properties(self.schemas.get(schema)?);
        members.find(|(name, _)| snake(name) == field.trim_end_matches('_'))
    }

    /// Returns the schema that a part refers to, or its own.
    pub(super) fn meaning<'a>(&'a self, part: Part<'a>) -> Option<&'a Schema> {
        match part {
            Part::Named(name, _) => self.schemas.get(self.opened(name)),
            Part::Inline(schema) => Some(schema),
        }
    }

    /// Returns the document's description of a part, which a reference cannot carry through the generator.
    pub(super) fn description<'a>(&'a self, part: Part<'a>) -> Option<&'a str> {
        let described = [part.written(), self.meaning(part)].into_iter().flatten();
        described.into_iter().find_map(|schema| schema.schema_data.description.as_deref())
    }
}

/// Finds the open vocabulary with the values of each closed one.
fn opened(schemas: &BTreeMap<String, Schema>) -> BTreeMap<String, String> {
    let sorted = |mut values: Vec<String>| {
        values.sort_unstable();
        values
    };
    let open = schemas.iter().filter_map(|(name, schema)| {
        let values = texts(schema, OPEN_VOCABULARY)?.into_iter().map(str::to_owned).collect();
        Some((sorted(values), name))
    });
    let open: BTreeMap<_, _> = open.collect();
    let closed = schemas.iter().filter_map(|(name, schema)| match kind(schema)? {
        Type::String(text) if !text.enumeration.is_empty() => {
            Some((name, open.get(&sorted(text.enumeration.iter().flatten().cloned().collect()))?))
        }
        _ => None,
    });
    closed.map(|(closed, open)| (closed.clone(), (*open).clone())).collect()
}

/// Returns the item itself, or the component that a reference names.
pub(super) fn resolve<'a, T>(
    written: &'a ReferenceOr<T>,
    mut components: impl Iterator<Item = (&'a String, &'a ReferenceOr<T>)>,
) -> Result<&'a T> {
    let reference = match written {
        ReferenceOr::Item(item) => return Ok(item),
        ReferenceOr::Reference { reference } => reference,
    };
    let found = components.find(|(name, _)| reference.rsplit('/').next() == Some(name));
    let found = found.and_then(|(_, found)| found.as_item());
    found.with_context(|| format!("the document refers to {reference:?}, which is not in it"))
}
