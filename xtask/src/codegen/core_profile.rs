//! The core projection: the answers of the two documented operations promise only what the service description
//! states, so that the client can talk to every server that keeps it. The other operations stay as they are written.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::document::{for_each_operation, reference, schemas_mut};

/// The operation whose answer promises a job id and nothing else, with any 2xx.
const GENERATE: &str = "generate";
/// The operation whose answer promises nothing but that it is an object.
const GET_ARTICLE: &str = "get_article";
/// The body of errors, which may come from anything that stands between client and server.
const PROBLEM: &str = "Problem";

/// Relaxes the two answers and returns the schemas of which no member may make the rest unreadable.
pub(super) fn project(document: &mut Value) -> Result<BTreeSet<String>> {
    let mut promises = Vec::new();
    for_each_operation(document, |_, _, operation| {
        let promised = match operation.get("operationId").and_then(Value::as_str) {
            Some(GENERATE) => json!(["job_id"]),
            Some(GET_ARTICLE) => json!([]),
            _ => return Ok(()),
        };
        let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else {
            return Ok(());
        };
        let Some((status, response)) =
            responses.iter().next().map(|(status, response)| (status.clone(), response.clone()))
        else {
            return Ok(());
        };
        let schema = response.pointer("/content/application~1json/schema").and_then(reference).map(str::to_owned);
        promises.push((schema.context("a documented operation answers without a schema")?, promised.clone()));
        if promised != json!([]) {
            responses.remove(&status);
            responses.insert("2XX".to_owned(), response);
        }
        Ok(())
    })?;
    let mut lenient = BTreeSet::new();
    let Some(schemas) = schemas_mut(document) else {
        return Ok(lenient);
    };
    promises.push((PROBLEM.to_owned(), json!([])));
    for (name, promised) in promises {
        if let Some(schema) = schemas.get_mut(&name).and_then(Value::as_object_mut) {
            schema.insert("required".to_owned(), promised);
            lenient.insert(name);
        }
    }
    Ok(lenient)
}
