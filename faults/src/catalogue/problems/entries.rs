//! Faults in the items of `errors`, each of which describes one error of a request.

use serde_json::{Map, Value, json};

use super::super::fault::{Fault, fault};
use crate::message::Response;

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "problems.place-missing",
        "The refusal of a malformed query does not name the parameter.",
        &["problems.errors.one-place"],
    )
    .response(|response, _, _| {
        edit_entries(response, |entry| {
            entry.remove("parameter");
        });
    }),
    fault(
        "problems.place-twice",
        "An error of the body names the field as a parameter, too.",
        &["problems.errors.one-place"],
    )
    .response(|response, _, _| {
        edit_entries(response, |entry| {
            let member = entry.get("pointer").and_then(Value::as_str).map(|place| place.trim_start_matches("#/"));
            if let Some(member) = member.map(|member| json!(member)) {
                entry.insert("parameter".to_owned(), member);
            }
        });
    }),
    fault(
        "problems.field-code-own",
        "Errors of fields have codes of the validation library.",
        &["answers.vocabulary.known"],
    )
    .response(|response, _, _| {
        edit_entries(response, |entry| {
            entry.insert("code".to_owned(), json!("value_error"));
        });
    }),
    fault(
        "problems.header-as-pointer",
        "An error of a header names it like a field of the body.",
        &["problems.errors.header-named"],
    )
    .response(|response, _, _| {
        edit_entries(response, |entry| {
            if let Some(Value::String(header)) = entry.remove("header") {
                entry.insert("pointer".to_owned(), json!(format!("#/{header}")));
            }
        });
    }),
    fault(
        "problems.errors-texts",
        "errors is a list of texts.",
        &["generate.invalid.required", "problems.body.schema"],
    )
    .response(|response, _, _| {
        if response.code().is_some() {
            response.edit(|problem| {
                for entry in problem.get_mut("errors").and_then(Value::as_array_mut).into_iter().flatten() {
                    *entry = entry.get("detail").cloned().unwrap_or_default();
                }
            });
        }
    }),
];

fn edit_entries(response: &mut Response, mut edit: impl FnMut(&mut Map<String, Value>)) {
    if response.code().is_some() {
        response.edit(|problem| {
            let entries = problem.get_mut("errors").and_then(Value::as_array_mut);
            entries.into_iter().flatten().filter_map(Value::as_object_mut).for_each(&mut edit);
        });
    }
}
