//! How long a job can be read after its end. The check moves the target's clock.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::clock::advance;
use crate::steps::jobs::cancelled_of;

const HOUR: Duration = Duration::from_hours(1);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.kept.after-end",
            "A cancelled job and its scheduled post can be read an hour before they have ended for 90 days.",
            &[
                Sentence(
                    "Time from its end until the service may forget a job, and its scheduled post if that is `published`, `cancelled`, or `failed` without an article.",
                ),
                Part("/x-limits/ended_jobs/minimum"),
            ],
            after_end,
        )
        .needs(&[Capability::JOBS, Capability::PIPELINE, Capability::CLOCK])
        .drawn("the days after the end", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("ended_jobs", "minimum"))
        })
        .moving_clock(90),
    ]
}

async fn after_end(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, "A chair that is kept");
    let (job_id, cancelled) = cancelled_of(&context, body).await?;
    let post_id = demand::text(&cancelled, "scheduled_post_id")?;
    let days = Duration::from_hours(24 * case.as_u64().unwrap_or_default());
    advance(&context, days.saturating_sub(HOUR)).await?;
    let job = context.send(steps::get_job(&job_id)).await?;
    demand::status(&job, 200)?;
    demand::same("status of the job", &json!("cancelled"), &demand::json(&job)?["status"])?;
    let post = context.send(steps::get_scheduled_post(post_id)).await?;
    demand::status(&post, 200)?;
    demand::same("status of the scheduled post", &json!("cancelled"), &demand::json(&post)?["status"])
}
