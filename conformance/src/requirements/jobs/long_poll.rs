//! Long polls: answered when the job ends, however it ends, and never later.

use std::sync::Arc;
use std::time::Duration;

use futures::future::{try_join, try_join_all};
use serde_json::{Value, json};

use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Request, Requirement, Verdict, demand, ensure,
};
use crate::steps;
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::JOBS];

const SOURCE: &str = "RFC 7240, section 4.3; openapi.yaml, get_job";

/// How many seconds the polls ask the target to wait, and after how many an answer counts as in time.
const WAIT: u64 = 8;

const WAITED: Duration = Duration::from_millis(7_500);

/// Jobs that are queued together, so that the last one stays open for a while, and how often that is tried.
const QUEUED: usize = 15;

const ROUNDS: usize = 5;

/// Polls that wait for the same job, and how often it is read before it is cancelled, so that they are there by then.
const POLLS: usize = 3;

const READS: usize = 8;

/// How late an answer may be: what travels, and has other work too.
const IN_TIME: Duration = Duration::from_secs(4);

/// How often a cancel is tried to win against the writer.
const TRIES: usize = 20;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("jobs.long-poll.answers-in-time", "With Prefer: wait=N a poll is answered when the job has ended, or after N seconds.", "RFC 7240, section 4.3; openapi.yaml, get_job", long_poll).needs(JOBS),
        Requirement::must("jobs.long-poll.malformed-ignored", "A malformed Prefer header is ignored, and so is wait=0: the poll is answered 200.", "RFC 7240, section 2", malformed_prefer)
            .drawn("malformed preferences", Cases::Exactly(6), malformed_preference).needs(JOBS),
        Requirement::must(
            "jobs.long-poll.to-the-end",
            "A long poll is not answered early: not when the job begins or makes progress, only when it has ended or N seconds have passed.",
            SOURCE,
            to_the_end,
        ).needs(JOBS).background(),
        Requirement::must(
            "jobs.long-poll.open-not-modified",
            "A long poll with If-None-Match is answered 304 only after N seconds, while the job has not ended and its ETag still matches.",
            "RFC 9110, section 13.1.2; openapi.yaml, get_job",
            open_not_modified,
        ).needs(JOBS).background(),
        Requirement::must(
            "jobs.long-poll.every-poll",
            "Several long polls for the same job are all answered soon after the job has ended.",
            SOURCE,
            every_poll,
        ).needs(JOBS).background(),
        Requirement::must(
            "jobs.long-poll.wakes",
            "A poll with Prefer: wait=30 is answered soon after the job has ended, not after 30 s.",
            SOURCE,
            wakes,
        ).needs(JOBS),
        Requirement::must(
            "jobs.long-poll.wakes-on-cancel",
            "A long poll is answered soon after the job is cancelled.",
            SOURCE,
            wakes_on_cancel,
        ).needs(JOBS),
        Requirement::must(
            "jobs.long-poll.longest",
            "A wait above 60 counts as 60, however many digits it has: a poll for a job that has ended is answered at once.",
            "openapi.yaml, get_job and x-limits long_poll",
            longest,
        )
        .drawn("waits above the longest one", Cases::Exactly(1), |space, _| {
            json!([space.document().limit_number("long_poll", "maximum") + 1, "99999999999999999999"])
        })
        .needs(JOBS),
        Requirement::must(
            "jobs.long-poll.not-modified",
            "A long poll with the current ETag of a job that has ended is answered 304 at once.",
            "RFC 9110, section 13.1.2; openapi.yaml, get_job",
            not_modified,
        ).needs(JOBS),
    ]
}

async fn long_poll(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Cleaning a coffee grinder");
    let job_id = steps::queue(&context, &body).await?;
    let mut request = steps::get_job(&job_id).header("prefer", "wait=2");
    request.patience = Duration::from_secs(2);
    let exchange = context.send(request).await?;
    demand::status(&exchange, 200)?;
    let done = demand::json(&exchange)?["done"] == true;
    let waited = exchange.elapsed;
    ensure(done || waited >= Duration::from_millis(1_900), "an unfinished job only after 2 s", || {
        format!("an unfinished job after {:.2} s", waited.as_secs_f64())
    })?;
    ensure(waited < context.grace(), "an answer soon after 2 s", || format!("{:.1} s", waited.as_secs_f64()))?;
    let _ = steps::finished(&context, &job_id).await?;
    let mut request = steps::get_job(&job_id).header("prefer", "wait=30");
    request.patience = Duration::from_secs(30);
    let exchange = context.send(request).await?;
    ensure(exchange.elapsed < context.grace(), "a finished job answered at once", || {
        format!("{:.1} s", exchange.elapsed.as_secs_f64())
    })
}

/// A wait below the shortest one, and texts that are no preference.
fn malformed_preference(space: &Space, draw: &mut Draw) -> Value {
    let least = space.document().limit_number("long_poll", "minimum");
    let too_short = format!("wait={}", least.saturating_sub(1));
    json!([too_short.as_str(), "wait=-1", "wait=abc", "wait", ";;;,,,", "wait=\"5"][draw.index() % 6])
}

async fn malformed_prefer(context: Context, preference: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Choosing a garden hose");
    let queued = context.send(steps::generate(&body)).await?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let exchange =
        context.send(steps::get_job(&job_id).header("prefer", preference.as_str().unwrap_or_default())).await?;
    demand::status(&exchange, 200)?;
    steps::discard(&context, &queued).await
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
    for _ in 0..ROUNDS {
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
    for _ in 0..ROUNDS {
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
        let Some(poll) = polls.iter().find(|poll| lateness(poll) >= IN_TIME) else {
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

fn waiting(job_id: &str, wait: &str) -> Request {
    let mut request = steps::get_job(job_id).header("prefer", format!("wait={wait}"));
    request.patience = Duration::from_secs(35);
    request
}

/// What travels, looks again now and then, and has other work too may be late by as much as what was just made is.
fn soon(context: &Context, elapsed: Duration, what: &str) -> Verdict {
    let soon = context.grace();
    ensure(elapsed < soon, format!("an answer within {} s of {what}", soon.as_secs()), || {
        format!("{:.1} s", elapsed.as_secs_f64())
    })
}

async fn wakes(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Waiting for the kettle");
    // Long enough that the poll is there before the end.
    body["target_word_count"] = json!(5_000);
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let exchange = context.waiting(context.send(waiting(&job_id, "30"))).await?;
    demand::status(&exchange, 200)?;
    let job = demand::json(&exchange)?;
    let time = |member: &str| chrono::DateTime::parse_from_rfc3339(job[member].as_str().unwrap_or_default()).ok();
    let (Some(created), Some(finished)) = (time("created_at"), time("finished_at")) else {
        // A slow writer: that the poll waited is judged elsewhere.
        return Err(Halt::inconclusive("the job had not ended when the poll was answered"));
    };
    // Both spans begin when the job is made, so no two clocks are compared.
    let took = exchange.ended.saturating_duration_since(queued.ended);
    let wrote = (finished - created).to_std().unwrap_or_default();
    soon(&context, took.saturating_sub(wrote), "the end of the job")
}

async fn wakes_on_cancel(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Waiting for the rain to stop");
    body["target_word_count"] = json!(5_000);
    for _ in 0..TRIES {
        let job_id = steps::queue(&context, &body).await?;
        let poll = context.send(waiting(&job_id, "30"));
        let (poll, cancel) = try_join(poll, context.send(steps::cancel_job(&job_id))).await?;
        demand::status(&poll, 200)?;
        // Whoever won the race, the job has ended since.
        ensure(matches!(cancel.status, 200 | 409), "status 200 or 409", || demand::seen(&cancel))?;
        soon(&context, poll.ended.saturating_duration_since(cancel.ended), "the end of the job")?;
        if cancel.status == 200 {
            return Ok(());
        }
    }
    Err(Halt::inconclusive("every job was finished before it could be cancelled"))
}

async fn longest(context: Context, waits: Value) -> Verdict {
    let (job, _) = steps::some_article(&context).await?;
    for wait in waits.as_array().into_iter().flatten() {
        let wait = wait.to_string().replace('"', "");
        let exchange = context.send(waiting(demand::text(&job, "job_id")?, &wait)).await?;
        demand::status(&exchange, 200)?;
        soon(&context, exchange.elapsed, "the request")?;
    }
    Ok(())
}

async fn not_modified(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Waiting for nothing");
    let job_id = steps::queue(&context, &body).await?;
    let ended = steps::finished(&context, &job_id).await?;
    let tag = demand::header(&ended, "etag")?.to_owned();
    let exchange = context.send(waiting(&job_id, "30").header("if-none-match", tag)).await?;
    demand::status(&exchange, 304)?;
    soon(&context, exchange.elapsed, "the request")
}
