//! Long polls of jobs that are still open: they wait for the end, whatever happens before it.
//!
//! That they are answered then is in `jobs_waiting`.

use std::sync::Arc;
use std::time::Duration;

use futures::future::{try_join, try_join_all};
use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::{Exchange, Request};
use super::requirement::Requirement;
use super::steps;
use super::verdict::{About as _, Halt, Verdict, ensure};

const JOBS: &[Capability] = &[Capability::Jobs];
const SOURCE: &str = "RFC 7240, section 4.3; openapi.yaml, get_job";

/// How many seconds the polls ask the target to wait, and after how many an answer counts as in time.
const WAIT: u64 = 8;
const WAITED: Duration = Duration::from_millis(7_500);

/// Jobs that are queued together, so that the last one stays open for a while, and how often that is tried.
const QUEUED: usize = 15;
const TRIES: usize = 5;

/// Polls that wait for the same job, and how often it is read before it is cancelled, so that they are there by then.
const POLLS: usize = 3;
const READS: usize = 8;
/// How late an answer may be: what travels, and has other work too.
const SOON: Duration = Duration::from_secs(4);

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "jobs.long-poll.to-the-end",
            "A long poll answers when the job is terminal or N seconds have passed, not when it begins or gets on.",
            SOURCE,
            to_the_end,
        ),
        Requirement::must(
            "jobs.long-poll.open-not-modified",
            "With If-None-Match a long poll answers 304 if the tag still matches then: not before N seconds while the job is open.",
            "RFC 9110, section 13.1.2; openapi.yaml, get_job",
            open_not_modified,
        ),
        Requirement::must(
            "jobs.long-poll.every-poll",
            "Several polls that wait for one job are all answered when it ends, none at the end of its own time only.",
            SOURCE,
            every_poll,
        ),
    ];
    all.into_iter().map(|requirement| requirement.needs(JOBS).background()).collect()
}

/// Jobs that take their time, in the order in which they wait.
async fn queued(context: &Context) -> Result<Vec<String>, Halt> {
    let mut body = steps::quiet_request(context, "Waiting in a long queue");
    body["target_word_count"] = json!(5_000);
    try_join_all((0..QUEUED).map(|_| steps::queue(context, &body))).await
}

fn poll(job_id: &str) -> Request {
    let mut request = steps::get_job(job_id).header("prefer", format!("wait={WAIT}"));
    request.patience = Duration::from_secs(WAIT + 5);
    request
}

/// Ends what is not needed any more.
async fn discard(context: &Context, jobs: &[String]) -> Verdict {
    try_join_all(jobs.iter().map(|job_id| context.send(steps::cancel_job(job_id)))).await.map(|_| ())
}

async fn to_the_end(context: Context, _: Value) -> Verdict {
    let jobs = queued(&context).await?;
    let polls = try_join_all(jobs.iter().map(|job_id| context.send(poll(job_id)))).await?;
    discard(&context, &jobs).await?;
    for poll in &polls {
        demand::status(poll, 200)?;
        let status = demand::text(demand::json(poll)?, "status")?;
        let holds = steps::is_terminal(status) || poll.elapsed >= WAITED;
        ensure(holds, format!("no answer about an open job before {WAIT} s"), || {
            format!("a job that is {status} after {:.2} s", poll.elapsed.as_secs_f64())
        })
        .about(poll)?;
    }
    Ok(())
}

/// A job that is still open, as it was just read.
async fn open(context: &Context, jobs: &[String]) -> Result<Option<Arc<Exchange>>, Halt> {
    let Some(last) = jobs.last() else { return Ok(None) };
    let read = context.send(steps::get_job(last)).await?;
    demand::status(&read, 200)?;
    let is_open = !steps::is_terminal(demand::text(demand::json(&read)?, "status")?);
    Ok(Some(read).filter(|_| is_open))
}

async fn open_not_modified(context: Context, _: Value) -> Verdict {
    for _ in 0..TRIES {
        let jobs = queued(&context).await?;
        let Some(read) = open(&context, &jobs).await? else { continue };
        let tag = demand::header(&read, "etag")?;
        let job_id = demand::text(demand::json(&read)?, "job_id")?;
        let answer = context.send(poll(job_id).header("if-none-match", tag)).await?;
        discard(&context, &jobs).await?;
        // A job that has ended has another tag, so a 304 is about one that is open.
        let holds = answer.status == 200 || (answer.status == 304 && answer.elapsed >= WAITED);
        return ensure(holds, format!("200 with the end of the job, or 304 after {WAIT} s"), || {
            format!("{} after {:.2} s", answer.line(), answer.elapsed.as_secs_f64())
        })
        .about(&answer);
    }
    Err(Halt::inconclusive("every job was finished before it could be read"))
}

async fn every_poll(context: Context, _: Value) -> Verdict {
    // One late answer may have met a busy moment, as at the beginning of a run.
    let mut has_been_late = false;
    for _ in 0..TRIES {
        let jobs = queued(&context).await?;
        let Some(job_id) = jobs.last() else { continue };
        let polls = try_join_all((0..POLLS).map(|_| context.send(poll(job_id))));
        let cancel = async {
            for _ in 0..READS {
                context.send(steps::get_job(job_id)).await?;
            }
            context.send(steps::cancel_job(job_id)).await
        };
        let (polls, cancel) = try_join(polls, cancel).await?;
        discard(&context, &jobs).await?;
        if cancel.status != 200 {
            continue;
        }
        for poll in &polls {
            demand::status(poll, 200)?;
        }
        let lateness = |poll: &Exchange| poll.ended.saturating_duration_since(cancel.ended);
        let Some(poll) = polls.iter().find(|poll| lateness(poll) >= SOON) else {
            return Ok(());
        };
        if has_been_late {
            let late = format!("{:.1} s after it", lateness(poll).as_secs_f64());
            return Err(Halt::fail("each poll answered soon after the end of the job", late)).about(poll);
        }
        has_been_late = true;
    }
    Err(Halt::inconclusive("every job was finished before it could be cancelled"))
}
