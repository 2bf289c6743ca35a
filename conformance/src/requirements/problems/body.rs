//! Every error is a problem document.

use crate::check::Source::{Sentence, Standard};
use crate::check::{Exchange, Facts, Finding, Requirement, header_fields};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "problems.body.schema",
            "Every error of the API matches the schema Problem. Its status equals the HTTP status, and it has a code.",
            &[
                Sentence("Every error is an `application/problem+json` document (RFC 9457) of the schema `Problem`."),
                Sentence("`status` equals the HTTP status, and `x-problem-codes` has `code` with that status."),
                Sentence("The service always sends `type`, `title`, `status`, `detail`, `code` and `request_id`."),
                Sentence("`null` and an absent field mean the same."),
            ],
            call_each_operation,
        )
        .observing(problem_schema),
        Requirement::new(
            "problems.body.media-type",
            "Every error of the API has the media type application/problem+json.",
            &[
                Sentence("Every error is an `application/problem+json` document (RFC 9457) of the schema `Problem`."),
                Sentence("Only the lead form may answer with a page."),
                Standard("RFC 9457", "3"),
            ],
            call_each_operation,
        )
        .observing(problem_media_type),
    ]
}

fn problem_schema(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let keeps_schema = document.response_violations("Problem", body).is_ok_and(|violations| violations.is_empty());
    let holds = keeps_schema && body["status"] == exchange.status && body["code"].is_string();
    finding(holds, "a Problem whose status is the HTTP status", exchange)
}

fn problem_media_type(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    problem(exchange)?;
    let media_type = exchange.header("content-type").unwrap_or_default();
    let holds = header_fields::is_media_type(media_type, "application/problem+json");
    finding(holds, "Content-Type: application/problem+json", exchange)
}
