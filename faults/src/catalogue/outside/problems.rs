//! Leaks in less obvious fields of problems.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use crate::message::Response;

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.trace-in-member",
        "A 404 problem has a field with the stack trace.",
        &["problems.detail.no-internals"],
    )
    .response(|response, _, _| {
        edit(response, 404, |problem| {
            problem["exception"] = json!(
                "com.example.content.NotFoundException: null\n\tat com.example.content.Finder.find(Finder.java:42)"
            );
        });
    }),
    fault(
        "outside.constraint-in-errors",
        "The items of errors repeat the database's message.",
        &["problems.detail.no-internals"],
    )
    .response(|response, _, _| {
        edit(response, 422, |problem| {
            for entry in problem.get_mut("errors").and_then(Value::as_array_mut).into_iter().flatten() {
                entry["detail"] = json!("new row for relation \"jobs\" violates check constraint \"jobs_topic_check\"");
            }
        });
    }),
    fault("outside.backend-in-detail", "The detail names an internal machine.", &["problems.detail.no-internals"])
        .response(|response, _, _| {
            edit(response, 404, |problem| {
                problem["detail"] = json!("articles-7 at 10.0.3.17:9200 has no such document.");
            });
        }),
    fault(
        "outside.file-in-title",
        "The title of a refused key ends with a source code location.",
        &["problems.detail.no-internals"],
    )
    .response(|response, _, _| {
        edit(response, 401, |problem| {
            let title = problem["title"].as_str().unwrap_or_default();
            problem["title"] = json!(format!("{title} (/srv/app/internal/auth/keys.go:88)"));
        });
    }),
];

/// Changes a problem with this status; leaves other bodies unchanged.
fn edit(response: &mut Response, status: u16, change: impl FnOnce(&mut Value)) {
    if response.status == status && response.code().is_some() {
        response.edit(change);
    }
}
