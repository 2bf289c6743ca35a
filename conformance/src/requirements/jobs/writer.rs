//! Jobs whose writer fails or hangs. The checks break the target's writer, and two move its clock.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{
    Capability, Cases, Context, Halt, Look, Requirement, Verdict, WriterState, demand, ensure, ensure_met,
};
use crate::steps;
use crate::steps::clock::advance;
use crate::steps::times::moment;
use crate::steps::writer::{no_effect, repair, switch};

/// Margin after a deadline: the target may count a move as up to a minute shorter.
const LATER: Duration = Duration::from_mins(3);
/// Number of jobs that are queued while the writer hangs. A target that writes so many at the same time leaves none waiting.
const JOBS: usize = 12;
/// Time in which a target begins the jobs that it can begin.
const SETTLED: Duration = Duration::from_secs(5);

const CLOCKED: &[Capability] = &[Capability::JOBS, Capability::WRITER, Capability::CLOCK];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.writer.attempts",
            "If every attempt to write fails, the job ends as `failed`, after at most 3 attempts.",
            &[
                Sentence("Attempts to write."),
                Sentence("Number of times that writing began, also if a crash interrupted it."),
                Part("/x-limits/generating_attempts/maximum"),
            ],
            attempts,
        )
        .needs(&[Capability::JOBS, Capability::WRITER])
        .drawn("the number of attempts", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("generating_attempts", "maximum"))
        })
        .alone(),
        Requirement::new(
            "jobs.writer.in-progress",
            "A job whose writer hangs ends as `failed` once it has been in progress for 15 minutes, unless it was begun again.",
            &[Sentence("Time that writing may take before the job fails."), Part("/x-limits/job_in_progress/maximum")],
            in_progress,
        )
        .needs(CLOCKED)
        .drawn("the minutes in progress", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("job_in_progress", "maximum"))
        })
        .alone(),
        Requirement::new(
            "jobs.writer.queued",
            "A job that has waited for 24 hours because the writer hangs ends as `failed`.",
            &[Sentence("Time that a job may wait before it fails."), Part("/x-limits/job_queued/maximum")],
            queued,
        )
        .needs(CLOCKED)
        .drawn("the hours in the queue", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("job_queued", "maximum"))
        })
        .moving_clock(1),
    ]
}

async fn attempts(context: Context, case: Value) -> Verdict {
    let verdict = match switch(&context, WriterState::Fails).await {
        Ok(()) => gives_up(&context, &case).await,
        halt => halt,
    };
    repair(&context, verdict).await
}

async fn gives_up(context: &Context, most: &Value) -> Verdict {
    let job_id = steps::queue(context, &steps::quiet_request(context, "A chair without a writer")).await?;
    let ended = steps::finished(context, &job_id).await?;
    let job = demand::json(&ended)?;
    if job["status"] == "completed" {
        return Err(no_effect(WriterState::Fails, "a job got an article"));
    }
    demand::same("status", &json!("failed"), &job["status"])?;
    let is_allowed = job["attempts"].as_u64() <= most.as_u64();
    ensure(is_allowed, format!("a job with at most {most} attempts"), || demand::brief(job))
}

async fn in_progress(context: Context, case: Value) -> Verdict {
    while_hanging(&context, async |job_ids| is_ended(&context, job_ids, &case).await).await
}

async fn is_ended(context: &Context, job_ids: &[String], minutes: &Value) -> Verdict {
    let mut begun = Vec::new();
    for job_id in job_ids {
        let job = read(context, job_id).await?;
        if job["status"] == "in_progress" {
            begun.push(job);
        }
    }
    ensure_met(!begun.is_empty(), "no job was begun")?;
    advance(context, Duration::from_mins(minutes.as_u64().unwrap_or_default()) + LATER).await?;
    let mut has_failed = false;
    for before in &begun {
        let job_id = demand::text(before, "job_id")?;
        let look = || async {
            let job = read(context, job_id).await?;
            // To a server the move looks like a stop of its writer, so it may begin the job again.
            let is_new_attempt = job["attempts"].as_u64() > before["attempts"].as_u64();
            Ok(Look::found_or((job["status"] == "failed" || is_new_attempt).then_some(!is_new_attempt), || {
                late(context, &format!("{minutes} minutes in progress"), &job)
            }))
        };
        has_failed |= context.eventually(context.facts().ready_within, look).await?;
    }
    ensure_met(has_failed, "every job was begun again when the clock moved")
}

async fn queued(context: Context, case: Value) -> Verdict {
    while_hanging(&context, async |job_ids| is_dropped(&context, job_ids, &case).await).await
}

async fn is_dropped(context: &Context, job_ids: &[String], hours: &Value) -> Verdict {
    let mut waiting = Vec::new();
    for job_id in job_ids {
        if read(context, job_id).await?["status"] == "queued" {
            waiting.push(job_id);
        }
    }
    ensure_met(!waiting.is_empty(), format!("the target writes {JOBS} articles at the same time, so no job waits"))?;
    let limit = Duration::from_hours(hours.as_u64().unwrap_or_default());
    advance(context, limit + LATER).await?;
    let mut has_failed = false;
    for job_id in waiting {
        let look = || async {
            let job = read(context, job_id).await?;
            // The job may have begun right before the move.
            let waited = moment(&job, "started_at").ok().zip(moment(&job, "created_at").ok());
            let is_begun =
                waited.is_some_and(|(started, created)| (started - created).to_std().is_ok_and(|time| time <= limit));
            Ok(Look::found_or((job["status"] == "failed" || is_begun).then_some(!is_begun), || {
                late(context, &format!("{hours} hours in the queue"), &job)
            }))
        };
        has_failed |= context.eventually(context.facts().ready_within, look).await?;
    }
    ensure_met(has_failed, "every job was begun right before the clock moved")
}

/// Returns the halt for a job that has not failed after its time. A target may look for such jobs from time to time, so this is a failure only
/// if the set-up declares the time for an article.
fn late(context: &Context, time: &str, job: &Value) -> Halt {
    if context.facts().is_ready_within_declared {
        return Halt::fail(format!("a job that has failed after {time}"), demand::brief(job));
    }
    Halt::inconclusive(format!(
        "a job has not failed after {time}; declare article.ready_within to decide how late it may fail"
    ))
}

/// Calls `check` with the ids of queued jobs while the writer hangs, once the target has begun those that it can begin. Afterwards cancels
/// the jobs, so that they delay no others, and repairs the writer.
async fn while_hanging(context: &Context, check: impl AsyncFnOnce(&[String]) -> Verdict) -> Verdict {
    let mut job_ids = Vec::new();
    let verdict = match hanging(context, &mut job_ids).await {
        Ok(()) => check(&job_ids).await,
        halt => halt,
    };
    for job_id in &job_ids {
        // The job may have ended. What goes wrong here is no part of the verdict.
        let _ = context.send(steps::cancel_job(job_id)).await;
    }
    repair(context, verdict).await
}

/// Lets the writer hang, queues jobs, adds their ids, and waits until the target has begun those that it can begin.
async fn hanging(context: &Context, job_ids: &mut Vec<String>) -> Verdict {
    switch(context, WriterState::Hangs).await?;
    for _ in 0..JOBS {
        job_ids.push(steps::queue(context, &steps::quiet_request(context, "A chair in a long queue")).await?);
    }
    let first = &job_ids[0];
    context.never(SETTLED, || async { is_unwritten(&read(context, first).await?) }).await?;
    for job_id in &*job_ids {
        is_unwritten(&read(context, job_id).await?)?;
    }
    Ok(())
}

/// Halts if the writer has written the article.
fn is_unwritten(job: &Value) -> Verdict {
    if job["status"] == "completed" { Err(no_effect(WriterState::Hangs, "a job got an article")) } else { Ok(()) }
}

async fn read(context: &Context, job_id: &str) -> Result<Value, Halt> {
    let exchange = context.send(steps::get_job(job_id)).await?;
    demand::status(&exchange, 200)?;
    Ok(demand::json(&exchange)?.clone())
}
