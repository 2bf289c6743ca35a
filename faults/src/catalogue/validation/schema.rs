//! Three ways to validate a body of `POST /generate` wrongly: normalise it, overlook errors, or refuse valid values.

use serde_json::{Map, Value, json};

use super::super::echo;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Normalises a body before validation. The server stores the normalised one.
pub(super) fn tidy(request: &mut Request, change: impl FnOnce(&mut Map<String, Value>)) {
    if request.is(Operation::Generate) {
        request.edit(|body| {
            if let Some(members) = body.as_object_mut() {
                change(members);
            }
        });
    }
}

/// Normalises one field if it exists.
pub(super) fn tidy_member(request: &mut Request, member: &str, change: impl FnOnce(&mut Value)) {
    tidy(request, |members| {
        if let Some(value) = members.get_mut(member) {
            change(value);
        }
    });
}

/// Accepts a body that is refused because of `member` with `code`, if `repair` can make the field valid. Together with
/// [`echo::show`], keeps the original value.
pub(super) async fn overlook(exchange: Exchange, member: &str, code: &str, repair: fn(&mut Value)) -> Response {
    let response = exchange.forward().await;
    let sent = exchange.request.json();
    let Some(value) = sent.as_ref().and_then(|body| body.get(member)).filter(|_| names(&response, member, code)) else {
        return response;
    };
    let mut repaired = value.clone();
    repair(&mut repaired);
    if repaired == *value {
        return response;
    }
    echo::generate_as(&exchange, &[member], |body| body[member] = repaired).await
}

/// Refuses a body with a valid `member` if `is_refused` is true. The server gets an invalid `member`, so that all of
/// its other checks still apply.
pub(super) async fn refuse(exchange: Exchange, member: &str, code: &str, is_refused: fn(&Value) -> bool) -> Response {
    let mut request = exchange.request.clone();
    tidy_member(&mut request, member, |value| {
        if is_refused(value) {
            *value = Value::Null;
        }
    });
    if request == exchange.request {
        return exchange.forward().await;
    }
    let mut response = exchange.send(request).await;
    let pointer = format!("#/{member}");
    edit_errors(&mut response, &exchange.request, |errors| {
        for error in errors.iter_mut().filter(|error| error["pointer"] == pointer.as_str()) {
            error["code"] = json!(code);
            error["detail"] = json!("it is not of the form asked for");
        }
    });
    response
}

/// Changes the errors of a body that was refused for violating the schema.
pub(super) fn edit_errors(response: &mut Response, request: &Request, edit: impl FnOnce(&mut Vec<Value>)) {
    if breaks_schema(request, response) {
        response.edit(|problem| {
            if let Some(errors) = problem.get_mut("errors").and_then(Value::as_array_mut) {
                edit(errors);
            }
        });
    }
}

/// Returns true if a body of `POST /generate` was refused for violating the schema.
pub(super) fn breaks_schema(request: &Request, response: &Response) -> bool {
    request.is(Operation::Generate) && response.code().as_deref() == Some("validation_failed")
}

/// Returns the errors of a problem.
pub(super) fn errors(response: &Response) -> Vec<Value> {
    let problem = response.json().unwrap_or_default();
    problem.get("errors").and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Returns true if a problem reports `member`, or a field below it, with `code`.
fn names(response: &Response, member: &str, code: &str) -> bool {
    errors(response).iter().any(|error| {
        let pointer = error["pointer"].as_str().and_then(|pointer| pointer.strip_prefix("#/"));
        let top = pointer.and_then(|pointer| pointer.split('/').next());
        error["code"] == code && top == Some(member)
    })
}
