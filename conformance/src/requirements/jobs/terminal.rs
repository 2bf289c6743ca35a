//! What has ended stays as it is.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::orders::plain;

const SOURCE: &str = "openapi.yaml, get_job and Job";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "jobs.terminal.stable",
            "The body of a finished job never changes again, and neither does its ETag.",
            SOURCE,
            stable,
        )
        .drawn("plain topics", Cases::Divided(16), plain)
        .needs(JOBS),
    ]
}

async fn stable(context: Context, case: Value) -> Verdict {
    let begun = Instant::now();
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let job_id = steps::queue(&context, &body).await?;
    let first = steps::finished(&context, &job_id).await?;
    // What a server still does about a job that has ended takes no longer than the job did.
    let took = begun.elapsed();
    let tag = demand::header(&first, "etag")?.to_owned();
    for pause in [Duration::from_millis(20), took / 3, took] {
        context.waiting(tokio::time::sleep(pause)).await;
        let again = context.send(steps::get_job(&job_id)).await?;
        ensure(again.body == first.body, "the same bytes for a finished job", || demand::seen(&again))?;
        ensure(again.header("etag") == Some(&tag), format!("the same ETag {tag}"), || {
            again.header("etag").unwrap_or("none").to_owned()
        })?;
    }
    Ok(())
}
