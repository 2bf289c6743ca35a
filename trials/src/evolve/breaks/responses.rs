//! Breaks the responses of operations and the messages of hooks.

use serde_json::{Value, json};

use super::super::places::{self, remove, set};
use super::super::random::Random;

/// Removes a media type of a request, of a response, or of a hook.
pub(super) fn media_type_removed(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let contents = contents(document, true);
    let content = random.one_of(&contents)?.clone();
    let media = random.one_of(&places::names(document, &content))?.clone();
    let place = format!("{content}/{}", places::escaped(&media));
    remove(document, &place)?;
    Some((place, "removed".to_owned()))
}

pub(super) fn media_type_added(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let contents = contents(document, false);
    let content = random.one_of(&contents)?.clone();
    set(document, &content, "text/csv", json!({ "schema": { "type": "string" } }))?;
    Some((content, "text/csv added".to_owned()))
}

/// Returns the places of media types.
fn contents(document: &Value, with_requests: bool) -> Vec<String> {
    let mut all = Vec::new();
    for operation in places::operations(document) {
        if with_requests {
            all.push(format!("{operation}/requestBody/content"));
        }
        let responses = places::responses(document, &operation).into_iter();
        all.extend(responses.map(|response| format!("{}/content", places::resolved(document, &response))));
    }
    all.extend(places::hooks(document).into_iter().map(|hook| format!("{hook}/requestBody/content")));
    all.retain(|content| document.pointer(content).is_some());
    all
}

/// Removes a status of an operation, or of the responses that receivers of hooks may send.
pub(super) fn status_removed(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let holders: Vec<String> = places::operations(document).into_iter().chain(places::hooks(document)).collect();
    let holder = random.one_of(&holders)?.clone();
    let place = random.one_of(&places::responses(document, &holder))?.clone();
    remove(document, &place)?;
    Some((place, "removed".to_owned()))
}

/// Adds another success, a redirect, or an error with a different body.
pub(super) fn status_added(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let operation = random.one_of(&places::operations(document))?.clone();
    let status = *random.one_of(&["201", "203", "206", "301", "303", "307"])?;
    set(document, &format!("{operation}/responses"), status, json!({ "description": "New." }))?;
    Some((format!("{operation}/responses/{status}"), "added".to_owned()))
}

pub(super) fn header_removed(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    // A hook's headers are its parameters.
    if random.happens(30) {
        let hook = random.one_of(&places::hooks(document))?.clone();
        let list = document.pointer_mut(&format!("{hook}/parameters"))?.as_array_mut()?;
        let index = random.below(list.len());
        let removed = list.remove(index);
        return Some((places::reference(&removed)?.to_owned(), "removed".to_owned()));
    }
    let headers = headers(document);
    let place = random.one_of(&headers)?.clone();
    remove(document, &place)?;
    Some((place, "removed".to_owned()))
}

pub(super) fn header_optional(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let mut required: Vec<String> = headers(document).iter().map(|header| places::resolved(document, header)).collect();
    for hook in places::hooks(document) {
        required.extend(places::parameters(document, &hook));
    }
    required.retain(|header| document.pointer(header).is_some_and(|header| header["required"] == json!(true)));
    let place = random.one_of(&required)?.clone();
    set(document, &place, "required", json!(false))?;
    Some((place, "optional".to_owned()))
}

fn headers(document: &Value) -> Vec<String> {
    let mut all = Vec::new();
    for operation in places::operations(document) {
        for response in places::responses(document, &operation) {
            let holder = format!("{}/headers", places::resolved(document, &response));
            all.extend(
                places::names(document, &holder).iter().map(|name| format!("{holder}/{}", places::escaped(name))),
            );
        }
    }
    all
}

pub(super) fn member_removed(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let member = received_member(document, random, |_| true)?;
    let (schema, name) = places::owner(&member)?;
    if let Some(required) = document.pointer_mut(&format!("{schema}/required")).and_then(Value::as_array_mut) {
        required.retain(|other| *other != json!(name));
    }
    remove(document, &member)?;
    Some((member, "removed".to_owned()))
}

pub(super) fn member_optional(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let member = received_member(document, random, |member| {
        places::owner(member).is_some_and(|(schema, name)| places::is_required(document, schema, &name))
    })?;
    let (schema, name) = places::owner(&member)?;
    let required = document.pointer_mut(&format!("{schema}/required"))?.as_array_mut()?;
    required.retain(|other| *other != json!(name));
    Some((member, "optional".to_owned()))
}

/// Returns a member that clients receive and do not send.
pub(super) fn received_member(document: &Value, random: &mut Random, fits: impl Fn(&str) -> bool) -> Option<String> {
    let sent = places::sent_schemas(document);
    let mut schemas = places::objects(document, places::received_schemas(document));
    schemas.retain(|schema| !sent.contains(schema));
    let mut members = places::members(document, &schemas, |_, _| true);
    members.retain(|member| fits(member));
    random.one_of(&members).cloned()
}
