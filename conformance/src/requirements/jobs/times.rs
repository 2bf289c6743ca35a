//! Times of a job.

use serde_json::Value;

use crate::check::Source::{Sentence, Standard};
use crate::check::{
    Capability, Cases, Context, Exchange, Facts, Finding, Requirement, Verdict, demand, ensure, ensure_met,
};
use crate::spec::Document;
use crate::steps::draws::plain;
use crate::steps::jobs::shown;
use crate::steps::observing::{call_each_operation, finding};
use crate::steps::times::{date_of, near};
use crate::steps::{self, pipeline};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.times.ordered",
            "created_at, started_at, finished_at and deadline_at of a job are in this order, as far as they are given.",
            &[Sentence("`created_at` ≤ `started_at` ≤ `finished_at` ≤ `deadline_at`, as far as they are given.")],
            ordered,
        )
        .drawn("plain topics", Cases::Divided(16), plain)
        .needs(JOBS),
        Requirement::new(
            "jobs.times.real",
            "created_at of a job and of its scheduled post, and finished_at of a job, are within five minutes of Date in the response.",
            &[
                Sentence("When the job was queued."),
                Sentence("When the scheduled post was created."),
                Sentence("When the job ended."),
                Sentence("Times in responses are RFC 3339 in UTC with milliseconds and `Z`, as in `2026-11-02T08:00:00.000Z`."),
                Standard("RFC 9110", "6.6.1"),
            ],
            jobs,
        )
        .needs(JOBS),
        Requirement::new(
            "jobs.times.queued",
            "A queued job has no started_at.",
            &[
                Sentence("When writing first began."),
                Sentence(
                    "`queued` waits, `in_progress` is being written, `completed` has an article, `failed` has an `error`, \
                     `cancelled` was stopped.",
                ),
            ],
            call_each_operation,
        )
        .needs(JOBS)
        .observing(queued),
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
    let mut compared = 0;
    for (first, second) in [("created_at", "started_at"), ("started_at", "finished_at"), ("finished_at", "deadline_at")]
    {
        if let (Some(before), Some(after)) = (instant(job, first), instant(job, second)) {
            ensure(before <= after, format!("{first} not after {second}"), || format!("{before} and {after}"))?;
            compared += 1;
        }
    }
    ensure_met(compared > 0, "the job has no two times to compare")
}

async fn jobs(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Setting a clock right");
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    let begun = date_of(&queued)?;
    near(demand::json(&queued)?, "created_at", begun)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    if context.facts().capabilities.contains(&Capability::PIPELINE) {
        for entry in pipeline::entries_of(&context, &job_id).await? {
            near(&entry, "created_at", begun)?;
        }
    }
    let job = steps::finished(&context, &job_id).await?;
    near(demand::json(&job)?, "created_at", begun)?;
    near(demand::json(&job)?, "finished_at", date_of(&job)?)
}

fn queued(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let job = shown(exchange).filter(|job| job["status"] == "queued")?;
    finding(job["started_at"].is_null(), "no started_at of a queued job", exchange)
}
