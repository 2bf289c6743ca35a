//! What a job says of itself stays what the first answer said.

use serde_json::Value;

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::lists;

const BOTH: &[Capability] = &[Capability::JOBS, Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "jobs.details.same-as-queued",
            "What the 202 says of a job the job says too: created_at and scheduled_post_id, which is the id of its entry.",
            "openapi.yaml, QueuedJob: members of Job, with the same meaning",
            same_as_queued,
        )
        .needs(BOTH),
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
