//! What a job says of itself beside its state: when it was made, which entry is its, how far it is, when to ask again.
//!
//! States and their order are in `jobs`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Exchange;
use super::facts::Facts;
use super::observed::{finding, tour};
use super::requirement::Requirement;
use super::steps;
use super::steps_lists;
use super::verdict::{Finding, Halt, Verdict};
use crate::spec::Document;

const JOBS: &[Capability] = &[Capability::Jobs];
const BOTH: &[Capability] = &[Capability::Jobs, Capability::Pipeline];

/// Jobs that are queued at once.
const CROWD: usize = 24;

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "jobs.details.same-as-queued",
            "What the 202 says of a job the job says too: created_at and scheduled_post_id, which is the id of its entry.",
            "openapi.yaml, QueuedJob: members of Job, with the same meaning",
            same_as_queued,
        )
        .needs(BOTH),
        Requirement::must(
            "jobs.progress.begins",
            "progress is 0 when queued, and kept at cancelled: a job that was never begun stays at 0.",
            "openapi.yaml, Job, x-conformance job-progress, and progress",
            crowd,
        )
        .needs(JOBS)
        .observing_also(progress),
        Requirement::must(
            "jobs.retry-after.while-open",
            "A job that has not ended says in Retry-After when to ask again; one that has ended does not.",
            "openapi.yaml, get_job",
            tour,
        )
        .should()
        .needs(JOBS)
        .observing(retry_after),
    ]
}

async fn same_as_queued(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Comparing two notes");
    let queued = context.send(steps::generate(&body)).await?;
    demand::status(&queued, 202)?;
    let told = demand::json(&queued)?;
    let job_id = demand::text(told, "job_id")?;
    let job = context.send(steps::get_job(job_id)).await?;
    demand::status(&job, 200)?;
    let job = demand::json(&job)?;
    demand::same("created_at of the job", &told["created_at"], &job["created_at"])?;
    demand::same("scheduled_post_id of the job", &told["scheduled_post_id"], &job["scheduled_post_id"])?;
    let entries = steps_lists::entries_of(&context, job_id).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("an entry with the job_id", "none"))?;
    demand::same("id of the entry", &told["scheduled_post_id"], &entry["id"])?;
    steps::discard(&context, &queued).await
}

/// More jobs at once than a writer begins, read and cancelled right away, for the observer to look at.
async fn crowd(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Standing in a queue");
    body["target_word_count"] = json!(5_000);
    let queued = futures::future::try_join_all((0..CROWD).map(|_| steps::queue(&context, &body))).await?;
    // The last are begun last.
    let mut jobs = queued.iter().rev();
    if let Some(last) = jobs.next() {
        context.send(steps::cancel_job(last)).await?;
    }
    let rest: Vec<&String> = jobs.collect();
    futures::future::try_join_all(rest.iter().map(|job_id| context.send(steps::get_job(job_id)))).await?;
    futures::future::try_join_all(rest.iter().map(|job_id| context.send(steps::cancel_job(job_id)))).await.map(|_| ())
}

/// A job that an answer shows.
fn shown(exchange: &Exchange) -> Option<&Value> {
    let is_job = matches!(exchange.request.operation, Some("get_job" | "cancel_job"));
    exchange.json().filter(|_| is_job && exchange.succeeded())
}

fn progress(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let job = shown(exchange)?;
    let is_untouched = job["status"] == "queued" || (job["status"] == "cancelled" && job["attempts"] == 0);
    // A server that does not count the work says nothing.
    let progress = job.get("progress").filter(|progress| is_untouched && !progress.is_null())?;
    finding(*progress == json!(0), "progress 0 of a job that was not begun", exchange)
}

fn retry_after(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let job = shown(exchange).filter(|_| exchange.request.operation == Some("get_job"))?;
    let is_there = exchange.header("retry-after").is_some();
    let is_open = job["done"] == json!(false);
    finding(is_there == is_open, "Retry-After while a job has not ended, and only then", exchange)
}
