//! Jobs end in time.

use serde_json::Value;

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Requirement, Verdict};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.finish.in-time",
            "A job ends by its deadline_at, and within article.ready_within if the configuration declares that time.",
            &[
                Sentence("Latest time at which the job ends."),
                Part("/x-limits/job_queued/maximum"),
                Part("/x-limits/job_in_progress/maximum"),
            ],
            in_time,
        )
        .needs(JOBS),
    ]
}

async fn in_time(context: Context, _: Value) -> Verdict {
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Finishing what was begun")).await?;
    steps::ended_in_time(&context, &job_id).await.map(drop)
}
