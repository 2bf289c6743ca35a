//! What the hand-written client must know of the operations and cannot read from generated code. It changes nothing
//! but parameters' defaults, which would otherwise be sent with every call.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use serde_json::{Map, Value};

use super::document::{for_each_operation, operation_name, reference, schemas};

/// The header by which a server recognises a repeated request.
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// Facts about all operations.
#[derive(Debug, Default)]
pub(super) struct Operations {
    /// Operations that accept an idempotency key.
    pub(super) idempotency: Vec<String>,
    /// Operations that answer in pages.
    pub(super) pages: Vec<PageOperation>,
    /// The description of each parameter, by operation and name.
    pub(super) parameters: BTreeMap<(String, String), String>,
}

/// An operation whose answer is `{items, next_page}` and that takes a `page_token`.
#[derive(Debug)]
pub(super) struct PageOperation {
    /// The `operationId`.
    pub(super) operation: String,
    /// The schema of a page.
    pub(super) page: String,
    /// The schema of an item.
    pub(super) item: String,
}

/// Collects the facts.
pub(super) fn facts(document: &mut Value) -> Result<Operations> {
    let all = schemas(document).cloned().unwrap_or_default();
    let mut facts = Operations::default();
    for_each_operation(document, |path, method, operation| {
        let name = operation_name(path, method, operation);
        let mut takes_page_token = false;
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            let (Some(place), Some(parameter_name)) = (text(parameter, "in"), text(parameter, "name")) else {
                bail!("`{name}` has a parameter without `name` or `in`");
            };
            if place == "header" && parameter_name.eq_ignore_ascii_case(IDEMPOTENCY_KEY) {
                facts.idempotency.push(name.clone());
            }
            takes_page_token |= place == "query" && parameter_name == "page_token";
            if let Some(description) = text(parameter, "description") {
                facts.parameters.insert((name.clone(), parameter_name.to_owned()), description.to_owned());
            }
            strip(parameter);
        }
        if takes_page_token {
            facts.pages.push(page_operation(name, operation, &all)?);
        }
        Ok(())
    })?;
    Ok(facts)
}

/// A text member of a parameter.
fn text<'a>(parameter: &'a Value, member: &str) -> Option<&'a str> {
    parameter.get(member)?.as_str()
}

/// Takes off a parameter what would be sent or enforced, but belongs to the server.
fn strip(parameter: &mut Value) {
    if let Some(parameter) = parameter.as_object_mut() {
        parameter.remove("example");
        parameter.remove("examples");
        if let Some(schema) = parameter.get_mut("schema").and_then(Value::as_object_mut) {
            schema.remove("default");
        }
    }
}

/// Reads the page and item schemas off an operation that takes a page token.
fn page_operation(name: String, operation: &Map<String, Value>, all: &Map<String, Value>) -> Result<PageOperation> {
    let responses = operation.get("responses").and_then(Value::as_object).into_iter().flatten();
    let page = responses
        .filter_map(|(_, response)| response.pointer("/content/application~1json/schema"))
        .find_map(reference)
        .map(str::to_owned);
    let item = page.as_ref().and_then(|page| all.get(page)).and_then(|page| {
        page.pointer("/properties/next_page")?;
        reference(page.pointer("/properties/items/items")?)
    });
    match (page.clone(), item) {
        (Some(page), Some(item)) => Ok(PageOperation { operation: name, page, item: item.to_owned() }),
        _ => bail!("`{name}` takes a `page_token` but does not answer `{{items, next_page}}` with named items"),
    }
}
