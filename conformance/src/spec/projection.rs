//! The core projection: relaxes the document to the facts of the service description.
//!
//! Changes only the two documented operations and the errors.

use serde_json::{Map, Value, json};

/// Relaxes `document` in place.
///
/// Any 2xx is the success of `POST /generate` and only `job_id` is required of it; an article may be any
/// JSON; every error may have any status and any body.
pub(super) fn relax(document: &mut Value) {
    let schemas = &mut document["components"]["schemas"];
    schemas["QueuedJob"] = json!({
        "type": "object",
        "required": ["job_id"],
        "properties": { "job_id": { "type": "string", "minLength": 1 } },
    });
    schemas["Article"] = json!({});
    let Some(paths) = document["paths"].as_object_mut() else {
        return;
    };
    for item in paths.values_mut().filter_map(Value::as_object_mut) {
        for operation in item.values_mut().filter_map(Value::as_object_mut) {
            relax_operation(operation);
        }
    }
}

fn relax_operation(operation: &mut Map<String, Value>) {
    let generate = operation.get("operationId").and_then(Value::as_str) == Some("generate");
    let Some(answers) = operation.get_mut("responses").and_then(Value::as_object_mut) else {
        return;
    };
    answers.retain(|status, _| status.starts_with('2') || status.starts_with('3'));
    if generate && let Some(success) = answers.remove("202") {
        answers.insert("2XX".to_owned(), success);
    }
    for range in ["3XX", "4XX", "5XX"] {
        answers.insert(range.to_owned(), json!({ "description": "any refusal" }));
    }
}
