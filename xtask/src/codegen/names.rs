//! Refuses names that generated Rust cannot carry: two that become one.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use serde_json::{Map, Value};

use super::document::{for_each_operation, operation_name, schemas};
use super::words::{pascal, snake};

/// Checks the operations, their parameters, the schemas and their members.
pub(super) fn check(document: &mut Value) -> Result<()> {
    if let Some(schemas) = schemas(document) {
        unique("two schemas", schemas.keys().map(String::as_str), pascal)?;
        for (name, schema) in schemas {
            if let Some(members) = schema.get("properties").and_then(Value::as_object) {
                unique(&format!("two members of the schema `{name}`"), members.keys().map(String::as_str), snake)?;
            }
        }
    }
    let mut identifiers = Vec::new();
    for_each_operation(document, |path, method, operation| {
        let Some(identifier) = operation.get("operationId").and_then(Value::as_str) else {
            bail!("{} {path} has no `operationId`, so its method would have no name", method.to_uppercase());
        };
        identifiers.push(identifier.to_owned());
        unique(
            &format!("two parameters of `{}`", operation_name(path, method, operation)),
            parameters(operation),
            snake,
        )
    })?;
    unique("two operations", identifiers.iter().map(String::as_str), snake)
}

/// The names of an operation's parameters.
fn parameters(operation: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let parameters = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    parameters.filter_map(|parameter| parameter.get("name")?.as_str())
}

/// Fails when two names are spelled alike in Rust, or one cannot be spelled at all.
fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>, spell: fn(&str) -> String) -> Result<()> {
    let mut seen = BTreeMap::new();
    for name in names {
        if !name.is_ascii() {
            bail!("the name {name:?} is not ASCII; names in the document must be, because they become names in Rust");
        }
        let spelled = spell(name);
        if spelled.is_empty() {
            bail!("the name {name:?} has no letter, so it cannot become a name in Rust");
        }
        if let Some(first) = seen.insert(spelled.clone(), name) {
            bail!("{what} are both called `{spelled}` in Rust: {first:?} and {name:?}; rename one");
        }
    }
    Ok(())
}
