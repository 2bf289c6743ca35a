//! Vocabularies of answers: the generator's enumerations fail on a value they do not know, so those that a server
//! may send become open ones, written by `emit_enums`. Vocabularies that only requests use stay closed.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use serde_json::{Map, Value, json};

use super::document::{for_each_operation, for_each_schema, schemas_mut};
use super::words::pascal;

/// A vocabulary that may grow.
#[derive(Debug)]
pub(super) struct OpenEnum {
    /// The name of the schema.
    pub(super) name: String,
    /// What the document says about it.
    pub(super) description: Option<String>,
    /// The values that the document names.
    pub(super) values: Vec<String>,
}

/// Takes the vocabularies out of the document; what is left of them is a plain string under the same name.
pub(super) fn extract(document: &mut Value, requests: &BTreeSet<String>) -> Result<Vec<OpenEnum>> {
    let mut open = Vec::new();
    let mut hoisted = Map::new();
    for (name, schema) in schemas_mut(document).into_iter().flatten() {
        let stays_closed = requests.contains(name);
        if let Some(values) = values(schema, name)? {
            if stays_closed && schema.get("enum").is_some() {
                continue;
            }
            open.push(OpenEnum { name: name.clone(), description: description(schema), values });
            *schema = json!({ "type": "string" });
            continue;
        }
        for (member, below) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
            for_each_schema(below, &mut |below| {
                let Some(values) = values(below, name)? else {
                    return Ok(());
                };
                if stays_closed && below.get("enum").is_some() {
                    return Ok(());
                }
                let component = format!("{name}{}", pascal(member));
                open.push(OpenEnum { name: component.clone(), description: description(below), values });
                *below = json!({ "$ref": format!("#/components/schemas/{component}") });
                hoisted.insert(component, json!({ "type": "string" }));
                Ok(())
            })?;
        }
    }
    if let Some(schemas) = schemas_mut(document) {
        if let Some(name) = hoisted.keys().find(|name| schemas.contains_key(*name)) {
            bail!(
                "the inline vocabulary `{name}` would take the name of another schema; name it in `components/schemas`"
            );
        }
        schemas.extend(hoisted);
    }
    open_parameters(document)?;
    Ok(open)
}

/// A parameter with a vocabulary that may grow takes any text.
fn open_parameters(document: &mut Value) -> Result<()> {
    for_each_operation(document, |_, _, operation| {
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(schema) = parameter.get_mut("schema").and_then(Value::as_object_mut) {
                schema.remove("x-extensible-enum");
            }
        }
        Ok(())
    })
}

/// The values of a vocabulary, if a schema is one.
fn values(schema: &Value, name: &str) -> Result<Option<Vec<String>>> {
    let Some(values) = schema.get("enum").or_else(|| schema.get("x-extensible-enum")).and_then(Value::as_array) else {
        return Ok(None);
    };
    let mut spelled = BTreeSet::from(["Unknown".to_owned()]);
    let mut texts = Vec::new();
    for value in values.iter().filter(|value| !value.is_null()) {
        let Some(text) = value.as_str().filter(|text| text.starts_with(|first: char| first.is_ascii_alphabetic()))
        else {
            bail!(
                "the schema `{name}` has the value {value} in a vocabulary; values are words that begin with a letter"
            );
        };
        if !spelled.insert(pascal(text)) {
            bail!("the schema `{name}` has two values that are both called `{}` in Rust", pascal(text));
        }
        texts.push(text.to_owned());
    }
    Ok(Some(texts))
}

/// What the document says about a schema.
fn description(schema: &Value) -> Option<String> {
    schema.get("description").and_then(Value::as_str).map(str::to_owned)
}
