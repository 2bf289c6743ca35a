//! Responses: one success type per operation, named; error responses are checked to be problems and then left out,
//! because the client turns every error response into the one error type before generated code sees it.

use anyhow::{Result, bail};
use serde_json::Value;

use super::document::{for_each_operation, operation_name, reference};

/// The schema that every error response with a body must have.
const PROBLEM: &str = "Problem";

/// Keeps the success response of each operation and nothing else.
pub(super) fn reduce(document: &mut Value) -> Result<()> {
    for_each_operation(document, |path, method, operation| {
        let name = operation_name(path, method, operation);
        let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else {
            bail!("`{name}` has no responses");
        };
        let mut success: Option<(String, Option<String>)> = None;
        for (status, response) in &*responses {
            let schema = schema_name(response, status, &name)?;
            match status.as_bytes().first() {
                Some(b'2') => match &success {
                    Some((first, known)) if *known != schema => bail!(
                        "`{name}` answers {first} with {} and {status} with {}; an operation has one success schema",
                        known.as_deref().unwrap_or("no body"),
                        schema.as_deref().unwrap_or("no body")
                    ),
                    Some(_) => {}
                    None => success = Some((status.clone(), schema)),
                },
                Some(b'3') => {}
                _ if schema.as_deref().is_none_or(|schema| schema == PROBLEM) => {}
                _ => bail!(
                    "`{name}` answers {status} with the schema `{}`; every error response is a `{PROBLEM}`",
                    schema.unwrap_or_default()
                ),
            }
        }
        let Some((kept, _)) = success else {
            bail!("`{name}` has no success response");
        };
        let several = responses.keys().filter(|status| status.starts_with('2')).count() > 1;
        responses.retain(|status, _| *status == kept);
        if several && let Some(response) = responses.remove(&kept) {
            responses.insert("2XX".to_owned(), response);
        }
        Ok(())
    })
}

/// The name of the schema of a response; a schema without a name is refused, because the generator would give two
/// of them one type without saying so.
fn schema_name(response: &Value, status: &str, operation: &str) -> Result<Option<String>> {
    let Some(schema) = response.pointer("/content/application~1json/schema") else {
        return Ok(None);
    };
    match reference(schema) {
        Some(name) => Ok(Some(name.to_owned())),
        None => bail!("the {status} response of `{operation}` has an inline schema; move it to `components/schemas`"),
    }
}
