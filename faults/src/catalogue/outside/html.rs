//! Flaws of pattern-based sanitisers, which browsers expose.

use super::super::fault::{Fault, fault};
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.handler-behind-slash",
        "The sanitiser finds event handlers only after white space, not after a slash.",
        &["articles.html.safe"],
    )
    .response(|response, request, _| append(response, request, "<img/src=\"x\"/onerror=track()>")),
    fault("outside.colon-by-name", "The sanitiser does not decode &colon; as a colon.", &["articles.html.safe"])
        .response(|response, request, _| append(response, request, "<a href=\"javascript&colon;track()\">Print</a>")),
    fault(
        "outside.reference-without-semicolon",
        "The sanitiser does not decode references without a semicolon.",
        &["articles.html.safe"],
    )
    .response(|response, request, _| append(response, request, "<a href=\"&#106avascript:track()\">Print</a>")),
    fault(
        "outside.tab-within-scheme",
        "The sanitiser does not ignore tabs within addresses, as browsers do.",
        &["articles.html.safe"],
    )
    .response(|response, request, _| append(response, request, "<a href=\"java&Tab;script:track()\">Print</a>")),
];

/// Adds HTML from a source at the end of the text.
fn append(response: &mut Response, request: &Request, html: &str) {
    if request.is(Operation::GetArticle) && response.is_success() {
        response.edit(|article| {
            if let Some(text) = article["content_html"].as_str().map(|text| format!("{text}{html}")) {
                article["content_html"] = text.into();
            }
        });
    }
}
