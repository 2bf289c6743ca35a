//! Writes shared parameters, responses and request bodies out where they are used, so that the later steps see an
//! operation whole. Schemas stay named.

use anyhow::{Result, bail};
use serde_json::{Map, Value};

use super::document::{for_each_operation, operation_name};

/// Replaces references to `components/{parameters,responses,requestBodies}` by what they refer to, and drops those
/// components and everything that only documents: headers, examples, links.
pub(super) fn write_out(document: &mut Value) -> Result<()> {
    let components = document.get("components").cloned().unwrap_or_default();
    let shared = shared_parameters(document);
    for_each_operation(document, |path, method, operation| {
        let name = operation_name(path, method, operation);
        let common = shared.iter().filter(|(of, _)| of == path).flat_map(|(_, parameters)| parameters);
        let own = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
        let all =
            own.chain(common).map(|parameter| target(parameter, &components, &name)).collect::<Result<Vec<_>>>()?;
        if !all.is_empty() {
            operation.insert("parameters".to_owned(), Value::Array(all));
        }
        if let Some(body) = operation.get_mut("requestBody") {
            *body = target(body, &components, &name)?;
        }
        if let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) {
            for (_, response) in responses {
                *response = target(response, &components, &name)?;
                if let Some(response) = response.as_object_mut() {
                    response.remove("headers");
                    response.remove("links");
                }
            }
        }
        Ok(())
    })?;
    if let Some(components) = document.get_mut("components").and_then(Value::as_object_mut) {
        components.retain(|kind, _| kind == "schemas");
    }
    Ok(())
}

/// Takes the parameters that stand on path items off them, with the path they belong to.
fn shared_parameters(document: &mut Value) -> Vec<(String, Vec<Value>)> {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else {
        return Vec::new();
    };
    paths
        .iter_mut()
        .filter_map(|(path, item)| match item.as_object_mut()?.remove("parameters")? {
            Value::Array(parameters) => Some((path.clone(), parameters)),
            _ => None,
        })
        .collect()
}

/// What a reference refers to, or the value itself.
fn target(value: &Value, components: &Value, operation: &str) -> Result<Value> {
    let Some(reference) = value.get("$ref").and_then(Value::as_str) else {
        return Ok(value.clone());
    };
    let found = reference.strip_prefix("#/components").and_then(|pointer| components.pointer(pointer));
    match found {
        Some(found) if found.get("$ref").is_none() => Ok(found.clone()),
        Some(_) => {
            bail!("`{operation}` refers to {reference:?}, which is itself a reference; refer to the thing itself")
        }
        None => bail!("`{operation}` refers to {reference:?}, which is not in the document"),
    }
}

/// The only media type of a `content` map, with its name.
pub(super) fn only_media_type<'a>(holder: &'a Value, what: &str) -> Result<Option<(&'a String, &'a Value)>> {
    let Some(content) = holder.get("content").and_then(Value::as_object) else {
        return Ok(None);
    };
    if content.len() > 1 {
        let names = content.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        bail!("{what} has several media types ({names}); the client can take one");
    }
    Ok(Map::iter(content).next())
}
