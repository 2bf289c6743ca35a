//! Nobody may keep a problem.

use crate::check::{Exchange, Facts, Finding, Requirement, header_fields};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "problems.cache.no-store",
            "Problems are served with Cache-Control: no-store.",
            "openapi.yaml, Problem",
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
