//! Answers 5xx.

use serde_json::{Value, json};

use crate::check::{Context, Exchange, Facts, Finding, Requirement, Verdict};
use crate::spec::Document;
use crate::steps;
use crate::steps::observing::{call_each_operation, finding};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "http.server-error.never",
            "No request makes the server fail: no answer is 5xx.",
            "RFC 9110, section 15.6",
            call_each_operation,
        )
        .observing(server_error),
        Requirement::must(
            "http.server-error.documented",
            "The documented requests never make the server fail: no answer to them is 5xx.",
            "RFC 9110, section 15.6",
            documented_tour,
        )
        .core()
        .should()
        .observing(server_error_where_documented),
    ]
}

/// The same for what a server that keeps the documented facts only has.
async fn documented_tour(context: Context, _: Value) -> Verdict {
    let documented = json!({ "topic": "A tour: O'Brien's \"best\" <service>, 100% \u{1f6b2}", "website_id": context.facts().website_id });
    for request in [steps::generate(&documented), steps::get_article("tour")] {
        context.send(request).await?;
    }
    Ok(())
}

fn server_error(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    // 501 is what HTTP has for a method that a server does not know.
    finding(exchange.status < 500 || exchange.status == 501, "no 5xx status", exchange)
}

fn server_error_where_documented(
    document: &Document,
    facts: &Facts,
    exchange: &Exchange,
) -> Option<Result<(), Finding>> {
    matches!(exchange.request.operation, Some("generate" | "get_article")).then_some(())?;
    server_error(document, facts, exchange)
}
