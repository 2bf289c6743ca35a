//! Headers of a job: caching, conditional requests and `Retry-After`.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{
    Capability, Context, Exchange, Facts, Finding, Requirement, Verdict, demand, ensure, header_fields,
};
use crate::spec::Document;
use crate::steps;
use crate::steps::header_forms::differ;
use crate::steps::jobs::{seen_at_work, shown};
use crate::steps::observing::{call_each_operation, finding};

const JOBS: &[Capability] = &[Capability::JOBS];

/// Number of reads of a job that is being written.
const READS: usize = 8;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.cache.private",
            "The response with a job has Cache-Control: private, no-cache and a strong ETag.",
            &[
                Sentence(
                    "`private, no-cache` with an `ETag`; `no-store` or `private, no-cache` for successes of cancel and of lists other \
                     than leads; `no-store` in all other responses, also in errors.",
                ),
                Sentence("Strong validator of this representation."),
            ],
            cached_privately,
        )
        .needs(JOBS),
        Requirement::new(
            "jobs.etag.follows-change",
            "The ETag of a job changes whenever the job does.",
            &[Sentence("Strong validator of this representation."), Standard("RFC 9110", "8.8.1")],
            tag_follows_change,
        )
        .needs(JOBS),
        Requirement::new(
            "jobs.etag.not-modified",
            "GET /jobs/{job_id} with the current ETag in If-None-Match gets 304 without a body, and with another tag 200.",
            &[
                Sentence("If the copy is still current, the response is 304 without a body."),
                Part("/components/responses/NotModified/headers/ETag"),
                Standard("RFC 9110", "13.1.2"),
                Standard("RFC 9110", "15.4.5"),
            ],
            not_modified,
        )
        .needs(JOBS),
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

async fn cached_privately(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Choosing a watering can");
    let queued = context.send(steps::generate(&body)).await?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let exchange = context.send(steps::get_job(&job_id)).await?;
    let control = header_fields::joined(&exchange.headers, "cache-control");
    let holds = ["private", "no-cache"].iter().all(|name| header_fields::has_directive(&control, name));
    ensure(holds, "Cache-Control: private, no-cache", || control.clone())?;
    let tag = demand::header(&exchange, "etag")?;
    ensure(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 2, "a strong ETag", || tag.to_owned())
}

async fn tag_follows_change(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Setting up a tent in the rain");
    let (job_id, early) = seen_at_work(&context, &body).await?;
    let mut last = Arc::clone(&early);
    for _ in 0..READS {
        let read = context.send(steps::get_job(&job_id)).await?;
        demand::status(&read, 200)?;
        if read.body != last.body {
            differ(&last, &read)?;
        }
        last = read;
    }
    let late = steps::finished(&context, &job_id).await?;
    differ(&early, &late)
}

/// Returns the tag without the mark of a weak one (RFC 9110, section 8.8.3.2).
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

async fn not_modified(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Folding a fitted sheet");
    let job_id = steps::queue(&context, &body).await?;
    let first = steps::finished(&context, &job_id).await?;
    let tag = demand::header(&first, "etag")?.to_owned();
    for matching in [tag.clone(), format!("\"other\", {tag}"), "*".to_owned()] {
        let request = steps::get_job(&job_id).header("if-none-match", matching);
        let exchange = context.send(request).await?;
        demand::status(&exchange, 304)?;
        ensure(exchange.body.is_empty(), "no body in a 304", || demand::seen(&exchange))?;
        let told = demand::header(&exchange, "etag")?;
        demand::same("ETag of the 304", &json!(opaque(&tag)), &json!(opaque(told)))?;
    }
    let request = steps::get_job(&job_id).header("if-none-match", "\"other\"");
    demand::status(&*context.send(request).await?, 200)
}

fn retry_after(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let job = shown(exchange).filter(|_| exchange.request.operation == Some("get_job"))?;
    let is_there = exchange.header("retry-after").is_some();
    let is_open = job["done"] == json!(false);
    finding(is_there == is_open, "Retry-After while a job has not ended, and only then", exchange)
}
