//! The request id of an error is the one in its header.

use crate::check::Source::Sentence;
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "problems.request-id.same",
            "The request_id of an error equals the header X-Request-Id.",
            &[Sentence("`request_id` equals the header `X-Request-Id`."), Sentence("The response's `X-Request-Id`.")],
            call_each_operation,
        )
        .observing(problem_request_id),
    ]
}

fn problem_request_id(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let holds = exchange.header("x-request-id").is_some_and(|id| body["request_id"] == id);
    finding(holds, "request_id equal to X-Request-Id", exchange)
}
