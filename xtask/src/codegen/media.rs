//! Media types: the generator types `application/json` only, so the `+json` ones are given that name. A JSON body
//! without a schema is refused.

use anyhow::{Result, bail};
use serde_json::Value;

use super::document::{for_each_operation, operation_name};
use super::inline::only_media_type;

const JSON: &str = "application/json";

/// Renames the media types of all bodies, and refuses those that have no schema.
pub(super) fn rename(document: &mut Value) -> Result<()> {
    for_each_operation(document, |path, method, operation| {
        let name = operation_name(path, method, operation);
        if let Some(body) = operation.get_mut("requestBody") {
            rename_in(body, &format!("the request body of `{name}`"))?;
        }
        let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
        for (status, response) in responses.into_iter().flatten() {
            rename_in(response, &format!("the {status} response of `{name}`"))?;
        }
        Ok(())
    })
}

/// Renames the media type of one body.
fn rename_in(holder: &mut Value, what: &str) -> Result<()> {
    let Some((name, media)) = only_media_type(holder, what)? else {
        return Ok(());
    };
    let essence = name.split(';').next().unwrap_or(name).trim();
    if essence != JSON && !essence.ends_with("+json") {
        bail!("{what} is {name:?}; the client can take JSON only");
    }
    let Some(schema) = media.get("schema").cloned() else {
        bail!("{what} is JSON without a schema; name one, or leave the content out");
    };
    if let Some(holder) = holder.as_object_mut() {
        holder.insert("content".to_owned(), serde_json::json!({ JSON: { "schema": schema } }));
    }
    Ok(())
}
