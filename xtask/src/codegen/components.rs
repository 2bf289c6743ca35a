//! Named schemas: compositions are joined, schemas that no operation and no hook uses are left out, and an object
//! without a name is refused, because the generator would invent one or confuse two.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use serde_json::{Map, Value, json};

use super::document::{for_each_schema, reference, references, schemas, schemas_mut};

/// Joins each `allOf` of several objects into one object, so that the result has one flat type.
pub(super) fn join_compositions(document: &mut Value) -> Result<()> {
    let before = schemas(document).cloned().unwrap_or_default();
    for (name, schema) in schemas_mut(document).into_iter().flatten() {
        if schema.get("allOf").and_then(Value::as_array).is_some_and(|parts| parts.len() > 1) {
            let joined = joined(schema, name, &before, 0)?;
            *schema = Value::Object(joined);
        }
    }
    Ok(())
}

/// One object with the members of a schema and of all that it is composed of.
fn joined(schema: &Value, name: &str, all: &Map<String, Value>, depth: usize) -> Result<Map<String, Value>> {
    if depth > all.len() {
        bail!("the schema `{name}` is composed of itself");
    }
    let mut result = schema.as_object().cloned().unwrap_or_default();
    let parts = result.remove("allOf");
    for part in parts.iter().filter_map(Value::as_array).flatten() {
        let part = match reference(part) {
            Some(target) => all.get(target).unwrap_or(&Value::Null),
            None => part,
        };
        for (keyword, value) in joined(part, name, all, depth + 1)? {
            match (keyword.as_str(), result.get_mut(&keyword), value) {
                ("properties", Some(Value::Object(own)), Value::Object(more)) => {
                    for (member, schema) in more {
                        own.entry(member).or_insert(schema);
                    }
                }
                ("required", Some(Value::Array(own)), Value::Array(more)) => own.extend(more),
                (_, Some(_), _) => {}
                (_, None, value) => {
                    result.insert(keyword, value);
                }
            }
        }
    }
    if !result.contains_key("properties") {
        bail!("the schema `{name}` is composed of parts that are not objects");
    }
    Ok(result)
}

/// Leaves out the schemas that neither an operation nor a hook leads to.
pub(super) fn prune(document: &mut Value) {
    let roots = json!([document.get("paths"), document.get("x-webhooks")]);
    let mut pending: Vec<String> = references(&roots).into_iter().map(str::to_owned).collect();
    let unions = schemas(document).into_iter().flatten().filter(|(_, schema)| schema.get("discriminator").is_some());
    pending.extend(unions.map(|(name, _)| format!("#/components/schemas/{name}")));
    let mut used = BTreeSet::new();
    while let Some(target) = pending.pop() {
        let Some(name) = target.strip_prefix("#/components/schemas/") else {
            continue;
        };
        if let Some(schema) = schemas(document).and_then(|schemas| schemas.get(name))
            && used.insert(name.to_owned())
        {
            pending.extend(references(schema).into_iter().map(str::to_owned));
        }
    }
    if let Some(schemas) = schemas_mut(document) {
        schemas.retain(|name, _| used.contains(name));
    }
}

/// Fails on an object with members that has no name.
pub(super) fn refuse_inline(document: &Value) -> Result<()> {
    for (name, schema) in schemas(document).into_iter().flatten() {
        let mut outermost = true;
        for_each_schema(&mut schema.clone(), &mut |below| {
            let is_inline = !std::mem::take(&mut outermost) && below.get("properties").is_some();
            if is_inline {
                bail!("the schema `{name}` has an inline object in it; move that to `components/schemas` under a name");
            }
            match reference(below) {
                Some(target) if schemas(document).is_none_or(|all| !all.contains_key(target)) => {
                    bail!("the schema `{name}` refers to `{target}`, which is not in the document")
                }
                _ => Ok(()),
            }
        })?;
    }
    Ok(())
}
