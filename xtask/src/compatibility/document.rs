//! A document that can be compared: OpenAPI 3.0 whose references all lead somewhere in it.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::part::Part;

/// An API document.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    root: Value,
}

impl Document {
    /// Reads YAML or JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is neither, or not a document that can be compared.
    pub fn parse(text: &str) -> Result<Self> {
        Self::new(serde_saphyr::from_str(text).context("the document is not valid YAML")?)
    }

    /// Takes a document that was read.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not OpenAPI 3.0, or if a reference has no target.
    pub fn new(root: Value) -> Result<Self> {
        let version = root.get("openapi").and_then(Value::as_str).unwrap_or_default();
        ensure!(version.starts_with("3.0."), "the document is not OpenAPI 3.0; `openapi` says {version:?}");
        let document = Self { root };
        document.check_references(&document.root)?;
        Ok(document)
    }

    /// The document as JSON.
    pub fn root(&self) -> &Value {
        &self.root
    }

    /// Returns the part at a JSON pointer, with its reference followed.
    pub(super) fn part(&self, pointer: &str) -> Option<Part<'_>> {
        Some(self.resolve(Part { value: self.root.pointer(pointer)?, place: format!("#{pointer}") }))
    }

    /// Returns the target of a part that is a reference, or else the part itself.
    pub(super) fn resolve<'a>(&'a self, mut part: Part<'a>) -> Part<'a> {
        let mut seen = BTreeSet::new();
        while let Some((reference, value)) = self.target(part.value) {
            if !seen.insert(reference) {
                break;
            }
            part = Part { value, place: reference.to_owned() };
        }
        part
    }

    fn target<'a>(&'a self, value: &'a Value) -> Option<(&'a str, &'a Value)> {
        let reference = value.get("$ref")?.as_str()?;
        Some((reference, self.root.pointer(reference.strip_prefix('#')?)?))
    }

    fn check_references(&self, value: &Value) -> Result<()> {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            ensure!(
                self.target(value).is_some(),
                "the document refers to {reference:?}, which is not in it; add it, or correct the reference"
            );
        }
        match value {
            Value::Object(members) => members.values().try_for_each(|member| self.check_references(member)),
            Value::Array(items) => items.iter().try_for_each(|item| self.check_references(item)),
            _ => Ok(()),
        }
    }
}
