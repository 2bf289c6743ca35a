//! Ended jobs.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::orders::plain;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.terminal.stable",
            "The body of an ended job and its ETag no longer change.",
            &[Sentence("Once `done` is true, the body and its `ETag` no longer change.")],
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
    // Late work on an ended job should not take longer than the job itself.
    let took = begun.elapsed();
    let tag = demand::header(&first, "etag")?.to_owned();
    for pause in [Duration::from_millis(20), took / 3, took] {
        context.waiting(tokio::time::sleep(pause)).await;
        let again = context.send(steps::get_job(&job_id)).await?;
        ensure(again.body == first.body, "the same bytes for an ended job", || demand::seen(&again))?;
        ensure(again.header("etag") == Some(&tag), format!("the same ETag {tag}"), || {
            again.header("etag").unwrap_or("none").to_owned()
        })?;
    }
    Ok(())
}
