//! No cache may store an error.

use crate::check::Source::Sentence;
use crate::check::{Exchange, Facts, Finding, Requirement, header_fields};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "problems.cache.no-store",
            "Every error of the API has Cache-Control: no-store.",
            &[Sentence(
                "`private, no-cache` with an `ETag`; `no-store` or `private, no-cache` for successes of cancel and of lists other than leads; `no-store` in all other responses, also in errors.",
            )],
            call_each_operation,
        )
        .observing(problem_cache),
    ]
}

fn problem_cache(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    problem(exchange)?;
    let control = header_fields::joined(&exchange.headers, "cache-control");
    finding(header_fields::has_directive(&control, "no-store"), "Cache-Control: no-store", exchange)
}
