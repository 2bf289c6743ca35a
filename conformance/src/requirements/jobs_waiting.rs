//! Long polls of `GET /jobs/{job_id}`: answered when the job ends, however it ends, and never later.
//!
//! That they wait at all is in `jobs`.

use std::time::Duration;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Request;
use super::requirement::Requirement;
use super::steps;
use super::verdict::{Halt, Verdict, ensure};

const JOBS: &[Capability] = &[Capability::Jobs];
const SOURCE: &str = "RFC 7240, section 4.3; openapi.yaml, get_job";

/// How late an answer may be: what travels, looks again now and then, and has other work too.
const SOON: Duration = Duration::from_secs(5);

/// How often a cancel is tried to win against the writer.
const TRIES: usize = 20;

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "jobs.long-poll.wakes",
            "A poll with Prefer: wait=30 is answered when the job has ended, not at the end of the 30 s.",
            SOURCE,
            wakes,
        ),
        Requirement::must(
            "jobs.long-poll.wakes-on-cancel",
            "A poll that waits is answered when the job is cancelled.",
            SOURCE,
            wakes_on_cancel,
        ),
        Requirement::must(
            "jobs.long-poll.longest",
            "A wait above 60 counts as 60, however many digits it has: a job that has ended is answered at once.",
            "openapi.yaml, get_job and x-limits long_poll",
            longest,
        ),
        Requirement::must(
            "jobs.long-poll.not-modified",
            "A poll that waits compares If-None-Match too: a job that has ended and is held already is 304 at once.",
            "RFC 9110, section 13.1.2; openapi.yaml, get_job",
            not_modified,
        ),
    ];
    all.into_iter().map(|requirement| requirement.needs(JOBS)).collect()
}

fn waiting(job_id: &str, wait: &str) -> Request {
    let mut request = steps::get_job(job_id).header("prefer", format!("wait={wait}"));
    request.patience = Duration::from_secs(35);
    request
}

fn soon(elapsed: Duration, what: &str) -> Verdict {
    ensure(elapsed < SOON, format!("an answer within 5 s of {what}"), || format!("{:.1} s", elapsed.as_secs_f64()))
}

async fn wakes(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Waiting for the kettle");
    // Long enough that the poll is there before the end.
    body["target_word_count"] = json!(5_000);
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let exchange = context.send(waiting(&job_id, "30")).await?;
    demand::status(&exchange, 200)?;
    let job = demand::json(&exchange)?;
    let time = |member: &str| chrono::DateTime::parse_from_rfc3339(job[member].as_str().unwrap_or_default()).ok();
    let (Some(created), Some(finished)) = (time("created_at"), time("finished_at")) else {
        // A slow writer: that the poll waited is judged elsewhere.
        return Ok(());
    };
    // Both spans begin when the job is made, so no two clocks are compared.
    let took = exchange.ended.saturating_duration_since(queued.ended);
    let wrote = (finished - created).to_std().unwrap_or_default();
    soon(took.saturating_sub(wrote), "the end of the job")
}

async fn wakes_on_cancel(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Waiting for the rain to stop");
    body["target_word_count"] = json!(5_000);
    for _ in 0..TRIES {
        let job_id = steps::queue(&context, &body).await?;
        let poll = context.send(waiting(&job_id, "30"));
        let (poll, cancel) = futures::future::try_join(poll, context.send(steps::cancel_job(&job_id))).await?;
        demand::status(&poll, 200)?;
        // Whoever won the race, the job has ended since.
        ensure(matches!(cancel.status, 200 | 409), "status 200 or 409", || demand::seen(&cancel))?;
        soon(poll.ended.saturating_duration_since(cancel.ended), "the end of the job")?;
        if cancel.status == 200 {
            return Ok(());
        }
    }
    Err(Halt::inconclusive("every job was finished before it could be cancelled"))
}

async fn longest(context: Context, _: Value) -> Verdict {
    let (job, _) = steps::written(&context, &steps::quiet_request(&context, "Waiting for ever")).await?;
    let exchange = context.send(waiting(demand::text(&job, "job_id")?, "99999999999999999999")).await?;
    demand::status(&exchange, 200)?;
    soon(exchange.elapsed, "the request")
}

async fn not_modified(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Waiting for nothing");
    let job_id = steps::queue(&context, &body).await?;
    let ended = steps::finished(&context, &job_id).await?;
    let tag = demand::header(&ended, "etag")?.to_owned();
    let exchange = context.send(waiting(&job_id, "30").header("if-none-match", tag)).await?;
    demand::status(&exchange, 304)?;
    soon(exchange.elapsed, "the request")
}
