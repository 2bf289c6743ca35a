//! What a job says of itself stays what the first answer said.

use serde_json::Value;

use crate::check::{Capability, Context, Exchange, Facts, Finding, Halt, Requirement, Verdict, demand};
use crate::spec::Document;
use crate::steps::job_details::shown;
use crate::steps::observing::{call_each_operation, finding};
use crate::steps::{self, lists};

const JOBS: &[Capability] = &[Capability::JOBS];

const BOTH: &[Capability] = &[Capability::JOBS, Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "jobs.details.same-as-queued",
            "The job repeats created_at and scheduled_post_id of the 202, and scheduled_post_id is the id of its pipeline entry.",
            "openapi.yaml, QueuedJob: members of Job, with the same meaning",
            same_as_queued,
        )
        .needs(BOTH),
        Requirement::must(
            "jobs.details.attempts",
            "attempts is how many times the writing was begun: none while a job is queued, at least one once it is completed.",
            "openapi.yaml, Job: attempts",
            call_each_operation,
        )
        .needs(JOBS)
        .observing(attempts),
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
    let entries = lists::entries_of(&context, job_id).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("an entry with the job_id", "none"))?;
    demand::same("id of the entry", &told["scheduled_post_id"], &entry["id"])?;
    steps::discard(&context, &queued).await
}

fn attempts(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let job = shown(exchange)?;
    let attempts = job["attempts"].as_u64()?;
    match job["status"].as_str()? {
        "queued" => finding(attempts == 0, "attempts 0 of a queued job", exchange),
        "completed" => finding(attempts > 0, "attempts of at least 1 of a completed job", exchange),
        _ => None,
    }
}
