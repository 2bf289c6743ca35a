//! A job that was cancelled is told of by nobody.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::cancelled::cancelled_of;
use crate::steps::hooks::article_hook;

const JOBS: &[Capability] = &[Capability::HOOKS, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.cancelled.silent",
            "A job that was cancelled has neither failed nor left an article: no hook tells of it.",
            "openapi.yaml, x-webhooks, JobStatus and cancel_job",
            silent,
        )
        .needs(JOBS)
        .background(),
    ]
}

async fn silent(context: Context, _: Value) -> Verdict {
    let (job_id, job) = cancelled_of(&context, steps::published_request(&context, "Stopping a clock")).await?;
    demand::same("status", &serde_json::json!("cancelled"), &job["status"])?;
    // Once a later article's hook is here, one about this job is on its way at the most.
    article_hook(&context).await?;
    let seen = context.hooks()?.wait_for(&job_id, context.quiet(), |seen| !seen.is_empty()).await;
    ensure(seen.is_empty(), "no hook about a cancelled job", || demand::beginning(&seen[0].body))
}
