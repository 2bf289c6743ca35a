//! Every successful answer of every operation keeps the schema of the document.
//!
//! Refusals are in `observed`.

use super::demand;
use super::exchange::Exchange;
use super::facts::Facts;
use super::header_fields;
use super::observed::tour;
use super::requirement::Requirement;
use super::verdict::Finding;
use crate::spec::{Document, Profile};

/// One requirement for each operation: id, operation, whether the core profile knows it.
macro_rules! keeps_schema {
    ($id:literal, $operation:literal, $clause:literal) => {
        Requirement::must($id, $clause, concat!("openapi.yaml, ", $operation), tour).observing(
            |document: &Document, _: &Facts, exchange: &Exchange| keeps_schema(document, exchange, $operation),
        )
    };
}

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        keeps_schema!(
            "answers.generate.schema",
            "generate",
            "A successful answer of generate is JSON that keeps the schema QueuedJob."
        )
        .core(),
        keeps_schema!(
            "answers.get-article.schema",
            "get_article",
            "A successful answer of get_article is JSON that keeps the schema Article."
        )
        .core(),
        keeps_schema!(
            "answers.get-job.schema",
            "get_job",
            "A successful answer of get_job is JSON that keeps the schema Job."
        ),
        keeps_schema!(
            "answers.cancel-job.schema",
            "cancel_job",
            "A successful answer of cancel_job is JSON that keeps the schema Job."
        ),
        keeps_schema!(
            "answers.list-articles.schema",
            "list_articles",
            "A successful answer of list_articles is JSON that keeps the schema ArticlePage."
        ),
        keeps_schema!(
            "answers.list-leads.schema",
            "list_leads",
            "A successful answer of list_leads is JSON that keeps the schema LeadPage."
        ),
        keeps_schema!(
            "answers.get-lead.schema",
            "get_lead",
            "A successful answer of get_lead is JSON that keeps the schema Lead."
        ),
        keeps_schema!(
            "answers.list-scheduled-posts.schema",
            "list_scheduled_posts",
            "A successful answer of list_scheduled_posts is JSON that keeps the schema ScheduledPostPage."
        ),
        keeps_schema!(
            "answers.list-websites.schema",
            "list_websites",
            "A successful answer of list_websites is JSON that keeps the schema WebsitePage."
        ),
    ]
}

fn keeps_schema(document: &Document, exchange: &Exchange, id: &str) -> Option<Result<(), Finding>> {
    if exchange.request.operation != Some(id) || !exchange.succeeded() || exchange.request.method == "HEAD" {
        return None;
    }
    let schema = document.operation(id)?.answer_schema(exchange.status)?;
    let media_type = exchange.header("content-type").unwrap_or_default();
    // The service description shows JSON, not how it is labelled.
    let is_json = document.profile() == Profile::Core || header_fields::is_media_type(media_type, "application/json");
    let Some(body) = exchange.json().filter(|_| is_json) else {
        return Some(Err(Finding::new(
            "a body served as application/json",
            format!("Content-Type {media_type}; {}", demand::seen(exchange)),
        )));
    };
    let violations = document.violations(schema, body).unwrap_or_default();
    let Some(first) = violations.first() else {
        return Some(Ok(()));
    };
    let place = if first.pointer.is_empty() { "the body" } else { &first.pointer };
    Some(Err(Finding::new(
        format!("a body that keeps schema {schema}"),
        format!("{place}: {} ({}); {}", first.message, first.keyword, exchange.line()),
    )))
}
