//! What a job says once it has ended.

use serde_json::Value;

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::job_details::agrees;
use crate::steps::orders::plain;

const SOURCE: &str = "openapi.yaml, get_job and Job";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("jobs.done.consistent", "done is true if and only if the status is terminal and finished_at is set; error is set only if it failed, article_id only if it completed.", SOURCE, consistent)
            .drawn("plain topics", Cases::Divided(8), plain).needs(JOBS),
    ]
}

async fn consistent(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let job_id = steps::queue(&context, &body).await?;
    let early = context.send(steps::get_job(&job_id)).await?;
    let late = steps::finished(&context, &job_id).await?;
    for exchange in [&early, &late] {
        agrees(demand::json(exchange)?)?;
    }
    Ok(())
}
