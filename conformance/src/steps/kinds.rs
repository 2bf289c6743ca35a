//! The kinds of hooks that the document knows, and whether a hook keeps what it says of its kind.

use serde_json::{Value, json};

use crate::check::{Verdict, demand, ensure};
use crate::inbox::HookRequest;
use crate::spec::{Document, Operation};
use crate::strategies::Space;

/// The operation that stands for kinds which are not known yet.
const UNKNOWN: &str = "unknown";

/// For each kind the schema of its body and those of its headers.
pub(crate) fn of(space: &Space) -> Value {
    let headers = |kind: &Operation| -> Value {
        let headers = kind.parameters.iter().filter(|parameter| parameter.location == "header");
        headers.map(|header| (header.name.clone(), header.schema.clone())).collect()
    };
    let kinds = space.document().hooks().iter();
    kinds.map(|kind| (kind.path.clone(), json!({ "body": kind.request_schema, "headers": headers(kind) }))).collect()
}

/// The hook keeps body and headers of its kind among `kinds`; of one whose body is no JSON nothing is said here.
pub(crate) fn kept(document: &Document, kinds: &Value, hook: &HookRequest) -> Verdict {
    let Some(body) = hook.json() else { return Ok(()) };
    let name = body["type"].as_str().unwrap_or_default();
    let kind = kinds.get(name).or_else(|| kinds.get(UNKNOWN)).unwrap_or(&Value::Null);
    let schema = kind["body"].as_str().unwrap_or_default();
    demand::schema_of(document, &body, schema)?;
    for (header, schema) in kind["headers"].as_object().into_iter().flatten() {
        let told = hook.header(header).unwrap_or_default();
        let holds = document.fits(schema, &json!(told));
        ensure(holds, format!("{header} of the form {schema} in a hook of type {name}"), || told.to_owned())?;
    }
    Ok(())
}
