//! The `errors` of a problem: other words, more fields, another order.

use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::body::{self, entries_mut};
use crate::memory::Memory;
use crate::message::{Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.field-details",
        "Items of errors have other codes: x-field-errors lists those of the reference server only.",
        Profile::Full,
    )
    .response(|response, _, _| {
        edit_errors(response, |error| {
            let code = body::text(error, "code").to_owned();
            error["detail"] = json!(format!("That does not work ({code})."));
        });
    }),
    variant(
        "benign.field-errors-rich",
        "Items of errors have more fields: clients ignore unknown fields.",
        Profile::Full,
    )
    .response(|response, _, _| {
        edit_errors(response, |error| {
            (error["severity"], error["value"], error["rule"]) = (json!("error"), Value::Null, json!({ "id": 7 }));
        });
    }),
    variant(
        "benign.errors-reversed",
        "Items of errors have the opposite order: the document sets no order.",
        Profile::Full,
    )
    .response(|response, _, _| {
        body::edit_problem(response, |problem| {
            if let Some(errors) = problem.get_mut("errors").and_then(Value::as_array_mut) {
                errors.reverse();
            }
        });
    }),
    variant(
        "benign.one-query-error",
        "Only one of several wrong parameters is reported: the document promises all violations of a body only.",
        Profile::Full,
    )
    .response(one_query_error),
];

fn edit_errors(response: &mut Response, edit: impl FnMut(&mut Value)) {
    body::edit_problem(response, |problem| entries_mut(problem, "errors").for_each(edit));
}

fn one_query_error(response: &mut Response, _: &Request, _: &Memory) {
    body::edit_problem(response, |problem| {
        let errors = problem.get_mut("errors").and_then(Value::as_array_mut);
        let Some(errors) = errors.filter(|errors| errors.len() > 1) else { return };
        if errors.iter().all(|error| error.get("parameter").is_some()) {
            errors.truncate(1);
            problem["detail"] = json!("A parameter of the query is wrong.");
        }
    });
}
