//! `Retry-After` of a job.

use serde_json::json;

use crate::check::Source::Sentence;
use crate::check::{Capability, Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::job_details::shown;
use crate::steps::observing::{call_each_operation, finding};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.retry-after.while-open",
            "The response has Retry-After while the job has not ended, and no Retry-After afterwards.",
            &[
                Sentence("The response has `Retry-After` while the job has not ended, and none afterwards."),
                Sentence("Seconds to wait before the next call."),
            ],
            call_each_operation,
        )
        .needs(JOBS)
        .observing(retry_after),
    ]
}

fn retry_after(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let job = shown(exchange).filter(|_| exchange.request.operation == Some("get_job"))?;
    let is_there = exchange.header("retry-after").is_some();
    let is_open = job["done"] == json!(false);
    finding(is_there == is_open, "Retry-After while a job has not ended, and only then", exchange)
}
