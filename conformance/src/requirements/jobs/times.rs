//! The times of a job: in order, and real.

use serde_json::Value;

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::lists;
use crate::steps::orders::plain;
use crate::steps::times::{date_of, near};

const JOBS: &[Capability] = &[Capability::JOBS];

const SOURCE: &str = "openapi.yaml, get_job and Job";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("jobs.times.ordered", "created_at is not after started_at, nor that after finished_at; a job ends by deadline_at.", SOURCE, ordered)
            .drawn("plain topics", Cases::Divided(16), plain).needs(JOBS),
        Requirement::must(
            "jobs.times.real",
            "created_at is when the job was queued and finished_at when it ended, in UTC: within five minutes of the Date of the answers that tell them first. The pipeline entry says the same.",
            "RFC 9110, section 6.6.1; openapi.yaml, info.description, Conventions, and Job",
            jobs,
        )
        .needs(JOBS),
    ]
}

fn instant(job: &Value, member: &str) -> Option<chrono::DateTime<chrono::FixedOffset>> {
    chrono::DateTime::parse_from_rfc3339(job[member].as_str()?).ok()
}

async fn ordered(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let job_id = steps::queue(&context, &body).await?;
    let exchange = steps::finished(&context, &job_id).await?;
    let job = demand::json(&exchange)?;
    for (first, second) in [("created_at", "started_at"), ("started_at", "finished_at"), ("finished_at", "deadline_at")]
    {
        if let (Some(before), Some(after)) = (instant(job, first), instant(job, second)) {
            ensure(before <= after, format!("{first} not after {second}"), || format!("{before} and {after}"))?;
        }
    }
    Ok(())
}

async fn jobs(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Setting a clock right");
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    let begun = date_of(&queued)?;
    near(demand::json(&queued)?, "created_at", begun)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    if context.facts().capabilities.contains(&Capability::PIPELINE) {
        for entry in lists::entries_of(&context, &job_id).await? {
            near(&entry, "created_at", begun)?;
        }
    }
    let job = steps::finished(&context, &job_id).await?;
    near(demand::json(&job)?, "created_at", begun)?;
    near(demand::json(&job)?, "finished_at", date_of(&job)?)
}
