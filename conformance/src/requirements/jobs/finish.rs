//! Jobs end in time.

use serde_json::Value;

use crate::check::{Capability, Context, Halt, Requirement, Verdict};
use crate::steps;

const SOURCE: &str = "openapi.yaml, get_job and Job";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "jobs.finish.in-time",
            "A job reaches a terminal state within the configured time (article.ready_within, 60 s by default).",
            SOURCE,
            in_time,
        )
        .needs(JOBS),
    ]
}

async fn in_time(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Finishing what was begun");
    let job_id = steps::queue(&context, &body).await?;
    let patience = context.facts().ready_within;
    steps::finished_within(&context, &job_id, patience).await.map(|_| ()).map_err(|halt| match halt {
        Halt::Inconclusive(observed) => Halt::fail("a finished job in the declared time", observed),
        other => other,
    })
}
