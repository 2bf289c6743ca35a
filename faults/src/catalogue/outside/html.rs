//! HTML of articles that was made safe with patterns, which browsers read in another way than their author.

use super::super::fault::{Fault, fault};
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.handler-behind-slash",
        "The sanitiser looks for event handlers behind white space only, not behind a slash.",
        &["articles.html.safe"],
    )
    .response(|response, request, _| append(response, request, "<img/src=\"x\"/onerror=track()>")),
    fault("outside.colon-by-name", "The sanitiser does not know that &colon; is a colon.", &["articles.html.safe"])
        .response(|response, request, _| append(response, request, "<a href=\"javascript&colon;track()\">Print</a>")),
    fault(
        "outside.reference-without-semicolon",
        "The sanitiser resolves no reference that lacks its semicolon.",
        &["articles.html.safe"],
    )
    .response(|response, request, _| append(response, request, "<a href=\"&#106avascript:track()\">Print</a>")),
    fault(
        "outside.tab-within-scheme",
        "The sanitiser does not know that browsers ignore tabs within addresses.",
        &["articles.html.safe"],
    )
    .response(|response, request, _| append(response, request, "<a href=\"java&Tab;script:track()\">Print</a>")),
];

/// What a source brought along stands at the end of the text.
fn append(response: &mut Response, request: &Request, html: &str) {
    if request.is(Operation::GetArticle) && response.is_success() {
        response.edit(|article| {
            if let Some(text) = article["content_html"].as_str().map(|text| format!("{text}{html}")) {
                article["content_html"] = text.into();
            }
        });
    }
}
