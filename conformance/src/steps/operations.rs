//! Calls every operation that needs a key with made-up ids, to see which keys are accepted and which quota is charged.

use serde_json::{Value, json};

use crate::check::{Context, Halt, Request};
use crate::spec::{Document, Operation};
use crate::steps;
use crate::strategies::{Draw, Space, hostile_id};

/// How many operations there are.
pub(crate) fn count(space: &Space) -> usize {
    space.document().keyed_operations().count()
}

/// The operations by turns, by name.
pub(crate) fn each(space: &Space, draw: &mut Draw) -> Value {
    let all: Vec<_> = space.document().keyed_operations().collect();
    json!(all[draw.index() % all.len()].id)
}

/// The operations for which `holds`, by name.
pub(crate) fn named<'space>(space: &'space Space, holds: impl Fn(&Operation) -> bool + 'space) -> Vec<&'static str> {
    let all = space.document().keyed_operations();
    all.filter(|operation| holds(operation)).map(|operation| operation.id).collect()
}

/// The operation that a case names.
pub(crate) fn of_case<'context>(context: &'context Context, case: &Value) -> Result<&'context Operation, Halt> {
    let id = case.as_str().or_else(|| case["operation"].as_str()).unwrap_or_default();
    context.document().operation(id).ok_or_else(|| Halt::Error(format!("the document has no operation {id}")))
}

/// A call of `operation` with a made-up id for each parameter of its path, and a body that orders for a made-up website where it
/// takes one.
pub(crate) fn made_up(operation: &Operation) -> Request {
    let path = operation.made_up_path();
    let request = Request { operation: Some(operation.id), ..Request::outside(&operation.method, &path) };
    match operation.request_schema {
        Some(_) => request.json(&json!({ "topic": "Nobody asked for this", "website_id": "web_x" })),
        None => request,
    }
}

/// The same, with a body that orders for the run's own website.
pub(crate) fn with_website(context: &Context, operation: &Operation) -> Request {
    let request = made_up(operation);
    if operation.request_schema.is_none() {
        return request;
    }
    let body = steps::quiet_request(context, "Nobody asked for this");
    Request { body: Some(body.to_string().into()), ..request }
}

/// An id that names nothing, as one segment of the path of `operation`: first the shortest that the document allows.
pub(crate) fn unknown_id(space: &Space, operation: &str, draw: &mut Draw) -> Value {
    if draw.index() > 0 {
        return json!(draw.value(&hostile_id()));
    }
    let parameters = space.document().operation(operation).map(|operation| operation.parameters.as_slice());
    let id = parameters.into_iter().flatten().find(|parameter| parameter.location == "path");
    let length = id.and_then(|id| id.schema["minLength"].as_u64()).unwrap_or(1);
    json!("x".repeat(usize::try_from(length).unwrap_or(1)))
}

/// The schema of a member of the body that orders an article.
pub(crate) fn member<'document>(document: &'document Document, name: &str) -> &'document Value {
    &document.schema("GenerateRequest")["properties"][name]
}
