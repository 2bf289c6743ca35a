//! Status and progress over successive polls.

use std::time::Duration;

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::at_work::seen_at_work;
use crate::steps::orders::plain;

const JOBS: &[Capability] = &[Capability::JOBS];

/// Maximum number of polls in short succession, and the pause between two of them.
const MOST_LOOKS: usize = 400;
const PAUSE: Duration = Duration::from_millis(15);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.poll.monotone",
            "Over successive polls, the status and the progress of a job never go back.",
            &[Sentence(
    "From one read to the next, `progress` and the rank of `status` (queued 0, in_progress 1, ended 2) never decrease.",
)],
            monotone,
        )
        .drawn("plain topics", Cases::Divided(8), plain)
        .needs(JOBS),
    ]
}

fn rank(status: &str) -> u8 {
    match status {
        "queued" => 0,
        "in_progress" => 1,
        _ => 2,
    }
}

async fn monotone(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let (job_id, mut exchange) = seen_at_work(&context, &body).await?;
    let mut last = (0, 0);
    for _ in 0..MOST_LOOKS {
        demand::status(&exchange, 200)?;
        let job = demand::json(&exchange)?;
        let status = demand::text(job, "status")?;
        let now = (rank(status), job["progress"].as_i64().unwrap_or(last.1));
        ensure(now.0 >= last.0 && now.1 >= last.1, "status and progress that never go back", || {
            format!("{status} {} after rank {} and progress {}", now.1, last.0, last.1)
        })?;
        last = now;
        if steps::is_terminal(status) {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
        exchange = context.send(steps::get_job(&job_id)).await?;
    }
    steps::finished(&context, &job_id).await.map(|_| ())
}
