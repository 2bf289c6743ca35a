//! Responses 5xx.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Sentence};
use crate::check::{Context, Exchange, Facts, Finding, Requirement, Verdict};
use crate::spec::Document;
use crate::steps;
use crate::steps::observing::{call_each_operation, finding};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "http.server-error.never",
            "No request makes the service fail: no response is 5xx, except 501, 502, 504, and 503 with Retry-After.",
            &[
                Sentence("No request makes the service fail: 500 has a cause outside of the request."),
                Sentence("The service failed."),
                Sentence("The service is shutting down or its store is not available."),
            ],
            call_each_operation,
        )
        .observing(server_error),
        Requirement::new(
            "http.server-error.documented",
            "Requests to the documented operations do not make the service fail: no response is 5xx, except 501, 502, 504, and 503 with Retry-After.",
            &[Fact("4.1"), Fact("4.2")],
            documented_tour,
        )
        .core()
        .should()
        .observing(server_error_where_documented),
    ]
}

/// Calls the documented operations once.
async fn documented_tour(context: Context, _: Value) -> Verdict {
    let documented = json!({ "topic": "A tour: O'Brien's \"best\" <service>, 100% \u{1f6b2}", "website_id": context.facts().website_id });
    for request in [steps::generate(&documented), steps::get_article("tour")] {
        context.send(request).await?;
    }
    Ok(())
}

fn server_error(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    // HTTP has 501 for unknown methods, 502 and 504 are of a gateway, and 503 with Retry-After is an announced break.
    let is_excused = matches!(exchange.status, 0..=499 | 501 | 502 | 504)
        || (exchange.status == 503 && exchange.headers.contains_key("retry-after"));
    finding(is_excused, "no 5xx status", exchange)
}

fn server_error_where_documented(
    document: &Document,
    facts: &Facts,
    exchange: &Exchange,
) -> Option<Result<(), Finding>> {
    matches!(exchange.request.operation, Some("generate" | "get_article")).then_some(())?;
    server_error(document, facts, exchange)
}
