//! Faults in the fields of a problem.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use crate::message::{Response, remove_member};

pub(super) const FAULTS: &[Fault] = &[
    fault("problems.no-detail", "Problems omit their detail.", &["problems.members.complete"]).response(
        |response, _, _| {
            edit(response, |problem| {
                remove_member(problem, "detail");
            });
        },
    ),
    fault(
        "problems.unknown-bare",
        "The problem of an unknown path has only code, status and title.",
        &["problems.members.complete"],
    )
    .response(|response, _, _| {
        edit(response, |problem| {
            if let Some(members) = problem.as_object_mut().filter(|members| members["code"] == "route_not_found") {
                members.retain(|name, _| matches!(name.as_str(), "code" | "status" | "title"));
            }
        });
    }),
    fault("problems.type-blank", "The type of every problem is about:blank.", &["problems.type.names-code"])
        .response(|response, _, _| edit(response, |problem| problem["type"] = json!("about:blank"))),
    fault(
        "problems.type-of-status",
        "The type identifies the status instead of the code.",
        &["problems.type.names-code"],
    )
    .response(|response, _, _| {
        let status = response.status;
        edit(response, |problem| {
            problem["type"] = json!(format!("urn:problem-type:content-generation:{status}"));
        });
    }),
    fault("problems.no-status", "Problems omit their status.", &["problems.body.schema"]).response(|response, _, _| {
        edit(response, |problem| {
            remove_member(problem, "status");
        });
    }),
    fault("problems.status-text", "The status in a problem is a text.", &["problems.body.schema"])
        .response(|response, _, _| edit(response, |problem| problem["status"] = json!(problem["status"].to_string()))),
    fault("problems.status-400", "The status in a problem is always 400.", &["problems.body.schema"])
        .response(|response, _, _| edit(response, |problem| problem["status"] = json!(400))),
    fault("problems.title-varies", "The title repeats the detail.", &["problems.title.table"])
        .response(|response, _, _| edit(response, |problem| problem["title"] = problem["detail"].clone())),
    fault("problems.code-upper", "Codes are written in upper case.", &["problems.code.table"])
        .response(|response, _, _| edit_code(response, str::to_uppercase)),
    fault("problems.code-hyphens", "Codes are written with hyphens.", &["problems.code.table"])
        .response(|response, _, _| edit_code(response, |code| code.replace('_', "-"))),
    fault("problems.code-of-another", "An unknown lead gets article_not_found.", &["problems.code.of-operation"])
        .response(|response, _, _| {
            if response.code().as_deref() == Some("lead_not_found") {
                edit(response, |problem| {
                    problem["code"] = json!("article_not_found");
                    problem["title"] = json!("Article not found");
                    problem["type"] = json!("urn:problem-type:content-generation:article_not_found");
                });
            }
        }),
    fault(
        "problems.request-id-other",
        "request_id of a problem differs from the header.",
        &["problems.request-id.same"],
    )
    .response(|response, _, memory| {
        let number = memory.next_number("problems");
        edit(response, |problem| problem["request_id"] = json!(format!("problem-{number}")));
    }),
    fault("problems.instance-query", "instance contains the query, too.", &["problems.instance.path"]).response(
        |response, request, _| {
            if let Some(query) = &request.query {
                edit(response, |problem| problem["instance"] = json!(format!("{}?{query}", request.public_path())));
            }
        },
    ),
    fault("problems.internals", "The detail contains an SQL statement.", &["problems.detail.no-internals"]).response(
        |response, _, _| {
            if response.status == 404 {
                edit(response, |problem| {
                    let detail = problem["detail"].as_str().unwrap_or_default();
                    problem["detail"] = json!(format!("{detail} (SELECT body FROM records WHERE id = ?1: no rows)"));
                });
            }
        },
    ),
];

/// Changes a problem; leaves other bodies unchanged.
fn edit(response: &mut Response, change: impl FnOnce(&mut Value)) {
    if response.code().is_some() {
        response.edit(change);
    }
}

fn edit_code(response: &mut Response, change: fn(&str) -> String) {
    edit(response, |problem| problem["code"] = json!(change(problem["code"].as_str().unwrap_or_default())));
}
