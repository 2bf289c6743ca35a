//! Breaks operations and their requests.

use serde_json::{Value, json};

use super::super::places::{self, remove, set};
use super::super::random::Random;

/// Removes a path, or one method of it.
pub(super) fn operation_removed(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let operation = random.one_of(&places::operations(document))?.clone();
    let place = if random.happens(50) { operation.rsplit_once('/')?.0.to_owned() } else { operation };
    remove(document, &place)?;
    Some((place, "removed".to_owned()))
}

pub(super) fn operation_renamed(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let operation = random.one_of(&places::operations(document))?.clone();
    let name = random.word();
    set(document, &operation, "operationId", json!(name))?;
    Some((operation, format!("called {name}")))
}

pub(super) fn parameter_removed(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let operation = with_parameters(document, random)?;
    let list = document.pointer_mut(&format!("{operation}/parameters"))?.as_array_mut()?;
    let index = random.below(list.len());
    let removed = list.remove(index);
    let place = places::reference(&removed).map_or_else(|| format!("{operation}/parameters"), str::to_owned);
    Some((place, format!("parameter {index} removed")))
}

/// Adds a required parameter, or makes an optional one required.
pub(super) fn parameter_required(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let operation = with_parameters(document, random)?;
    let optional: Vec<String> = places::parameters(document, &operation)
        .into_iter()
        .filter(|place| document.pointer(place).is_some_and(|parameter| parameter["required"] != json!(true)))
        .collect();
    if let Some(place) = random.one_of(&optional)
        && random.happens(50)
    {
        set(document, place, "required", json!(true))?;
        return Some((place.clone(), "required".to_owned()));
    }
    let name = random.word();
    let new = json!({ "name": name, "in": "query", "required": true, "schema": { "type": "string" } });
    let place = format!("{operation}/parameters");
    document.pointer_mut(&place)?.as_array_mut()?.push(new);
    Some((place, format!("{name} is required")))
}

pub(super) fn parameter_style(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let operation = with_parameters(document, random)?;
    let place = random.one_of(&places::parameters(document, &operation))?.clone();
    let (name, value) = random.one_of(&[("style", json!("spaceDelimited")), ("explode", json!(false))])?.clone();
    set(document, &place, name, value)?;
    Some((place, format!("another {name}")))
}

/// Adds a required body; today's bodies are already required, or absent.
pub(super) fn body_required(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let without: Vec<String> = places::operations(document)
        .into_iter()
        .filter(|operation| document.pointer(&format!("{operation}/requestBody")).is_none())
        .collect();
    let operation = random.one_of(&without)?.clone();
    let body = json!({ "required": true, "content": { "application/json": { "schema": { "type": "object" } } } });
    set(document, &operation, "requestBody", body)?;
    Some((format!("{operation}/requestBody"), "a body is required".to_owned()))
}

pub(super) fn body_removed(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let bodies: Vec<String> = places::operations(document)
        .into_iter()
        .chain(places::hooks(document))
        .map(|operation| format!("{operation}/requestBody"))
        .filter(|body| document.pointer(body).is_some())
        .collect();
    let place = random.one_of(&bodies)?.clone();
    remove(document, &place)?;
    Some((place, "removed".to_owned()))
}

pub(super) fn member_removed(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let member = sent_member(document, random)?;
    let (schema, name) = places::owner(&member)?;
    if let Some(required) = document.pointer_mut(&format!("{schema}/required")).and_then(Value::as_array_mut) {
        required.retain(|other| *other != json!(name));
    }
    remove(document, &member)?;
    Some((member, "removed".to_owned()))
}

/// Adds a required member, or makes an optional one required.
pub(super) fn member_required(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let member = sent_member(document, random)?;
    let (schema, name) = places::owner(&member)?;
    let name = if random.happens(50) || places::is_required(document, schema, &name) {
        let new = random.word();
        set(document, &format!("{schema}/properties"), &new, json!({ "type": "string" }))?;
        new
    } else {
        name
    };
    let required = document.pointer_mut(schema)?.as_object_mut()?.entry("required").or_insert_with(|| json!([]));
    required.as_array_mut()?.push(json!(name));
    Some((format!("{schema}/properties/{}", places::escaped(&name)), "required".to_owned()))
}

fn sent_member(document: &Value, random: &mut Random) -> Option<String> {
    let schemas = places::objects(document, places::sent_schemas(document));
    random.one_of(&places::members(document, &schemas, |_, _| true)).cloned()
}

fn with_parameters(document: &Value, random: &mut Random) -> Option<String> {
    let operations: Vec<String> = places::operations(document)
        .into_iter()
        .filter(|operation| !places::parameters(document, operation).is_empty())
        .collect();
    random.one_of(&operations).cloned()
}
