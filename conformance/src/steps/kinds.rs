//! Types of webhooks in the document, and the schemas that body and headers of each type must fit.

use serde_json::{Value, json};

use crate::check::{Verdict, demand, ensure};
use crate::inbox::HookRequest;
use crate::spec::{Document, Operation};
use crate::strategies::Space;

/// Entry of `x-webhooks` for types that the document does not have.
const UNKNOWN: &str = "unknown";

/// Returns the schema of the body and the schemas of the headers for each type.
pub(crate) fn of(space: &Space) -> Value {
    let headers = |kind: &Operation| -> Value {
        let headers = kind.parameters.iter().filter(|parameter| parameter.location == "header");
        headers.map(|header| (header.name.clone(), header.schema.clone())).collect()
    };
    let kinds = space.document().hooks().iter();
    kinds.map(|kind| (kind.path.clone(), json!({ "body": kind.request_schema, "headers": headers(kind) }))).collect()
}

/// Demands that body and headers of a webhook fit the schemas of its type among `kinds`. Skips a webhook whose body is not JSON.
pub(crate) fn kept(document: &Document, kinds: &Value, hook: &HookRequest) -> Verdict {
    let Some(body) = hook.json() else { return Ok(()) };
    let name = body["type"].as_str().unwrap_or_default();
    let kind = kinds.get(name).or_else(|| kinds.get(UNKNOWN)).unwrap_or(&Value::Null);
    let schema = kind["body"].as_str().unwrap_or_default();
    demand::schema_of(document, &body, schema)?;
    for (header, schema) in kind["headers"].as_object().into_iter().flatten() {
        let told = hook.header(header).unwrap_or_default();
        let is_valid = document.fits(schema, &json!(told));
        ensure(is_valid, format!("{header} of the form {schema} in a webhook of type {name}"), || told.to_owned())?;
    }
    Ok(())
}
