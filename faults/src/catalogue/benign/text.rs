//! Problems with other texts and other help links.

use serde_json::Value;

use super::super::fault::{Fault, Profile, variant};
use super::body;
use crate::message::Response;

/// Text that makes a detail long.
const MORE: &str = "Read on in the guide. ";

/// Maximum number of errors in a problem; its `detail` says if there are more.
const MAX_ERRORS: usize = 100;

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.detail-with-id",
        "detail names the id of the path: the document leaves its words open, except for the key.",
        Profile::Full,
    )
    .response(|response, request, _| {
        let key = request.key().unwrap_or_default();
        if let Some(id) = request.id().filter(|id| key.is_empty() || !id.contains(key)) {
            edit_detail(response, |detail| format!("{detail} It was about {id:?}."));
        }
    }),
    variant(
        "benign.detail-with-request-id",
        "detail names the request id, so it differs each time: the document leaves its words open, except for 401.",
        Profile::Full,
    )
    .response(|response, _, _| {
        let id = response.header("x-request-id").unwrap_or_default().to_owned();
        edit_detail(response, |detail| format!("{detail} Quote {id} when you ask for help."));
    }),
    variant(
        "benign.detail-long",
        "detail has several paragraphs and every kind of letter: the document sets no bounds for it.",
        Profile::Full,
    )
    .response(|response, _, _| {
        body::edit_problem(response, |problem| {
            body::edit_text(problem, "detail", |detail| {
                format!("{detail}\n\n{}\u{201c}\u{fc}\u{4f60}\u{597d}\u{1f642}\u{201d}", MORE.repeat(60))
            });
        });
    }),
    variant(
        "benign.detail-is-title",
        "detail says what the title says: RFC 9457 3.1 leaves its words open.",
        Profile::Full,
    )
    .response(|response, _, _| {
        body::edit_problem(response, |problem| {
            let is_full = problem.get("errors").and_then(Value::as_array).is_some_and(|all| all.len() >= MAX_ERRORS);
            if let Some(title) = problem.get("title").cloned().filter(|_| !is_full) {
                problem["detail"] = title;
            }
        });
    }),
    variant("benign.no-help", "Refusals have no Link to a help page: the document makes it optional.", Profile::Full)
        .response(|response, _, _| {
            if response.status >= 400 {
                response.remove("link");
            }
        }),
    variant(
        "benign.help-elsewhere",
        "Refusals link to other help pages, with custom parameters: RFC 8288 3 leaves them open.",
        Profile::Full,
    )
    .response(|response, _, _| {
        if let Some(code) = response.code() {
            let address = format!("https://help.example/?a=1,2;b={code}");
            response.set("link", &format!("<{address}>; rel=\"license help\"; hreflang=en; title=\"a, b\""));
        }
    }),
];

/// Changes the text of a refusal, except for a wrong key: all wrong keys get the same text.
fn edit_detail(response: &mut Response, edit: impl FnOnce(&str) -> String) {
    if response.status != 401 {
        body::edit_problem(response, |problem| body::edit_text(problem, "detail", edit));
    }
}
