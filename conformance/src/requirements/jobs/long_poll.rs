//! Long polls: they end within N seconds, and soon after the end of the job.

use std::sync::Arc;
use std::time::Duration;

use futures::future::{try_join, try_join_all};
use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Request, Requirement, Source, Verdict, demand, ensure,
};
use crate::steps;
use crate::steps::jobs::{longest as longest_article, queue_room};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::JOBS];

/// The rule for every long poll.
const RESPONDS: Source =
    Sentence("With `Prefer: wait=N` the server responds when the job has ended, or after N seconds at the latest.");

/// The rule for a job that has ended.
const SOON: Source = Sentence("It responds within 5 seconds after the job has ended.");

/// The number of seconds.
const UP_TO: Source =
    Sentence("With `wait=N` the server waits up to N seconds for the job to end (1 to 60; more counts as 60).");

/// The rule for polls with an ETag.
const UNCHANGED: Source = Sentence("With `If-None-Match` it responds 304 if nothing has changed by then.");

const CONDITION: Source = Standard("RFC 9110", "13.1.2");

/// Seconds that a poll asks the server to wait: less than the time after which proxies give up.
const WAIT: u64 = 10;

/// Time after which a response does not count as early.
const WAITED: Duration = Duration::from_millis(WAIT * 1_000 - 500);

/// Minimum time after which a 503 or 504 may come from a proxy that gave up.
const GIVEN_UP: Duration = Duration::from_secs(10);

/// Number of jobs that are queued together, if the queue has room for them, so that the last one stays open for a while, and number of
/// tries.
const QUEUED: usize = 15;

const ROUNDS: usize = 5;

/// Number of polls that wait for one job, and of reads before its cancel, which give the polls time to arrive.
const POLLS: usize = 3;

const READS: usize = 8;

/// Maximum number of jobs that end before they can be cancelled.
const TRIES: usize = 20;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.long-poll.answers-in-time",
            "With Prefer: wait=N the response comes within N seconds, and at once if the job has ended.",
            &[RESPONDS, SOON],
            long_poll,
        )
        .needs(JOBS),
        Requirement::new(
            "jobs.long-poll.malformed-ignored",
            "A malformed Prefer header and wait=0 are ignored: the response is 200.",
            &[
                Sentence("A malformed or unknown preference is ignored."),
                Sentence("A malformed `Prefer` is ignored instead."),
                Part("/x-limits/long_poll/minimum"),
            ],
            malformed_prefer,
        )
        .drawn("malformed preferences", Cases::Exactly(6), malformed_preference)
        .needs(JOBS),
        Requirement::new(
            "jobs.long-poll.to-the-end",
            "A long poll should not end early: not when the job begins or makes progress, only when it has ended or N seconds have passed.",
            &[RESPONDS, UP_TO],
            to_the_end,
        )
        .should()
        .needs(JOBS)
        .background(),
        Requirement::new(
            "jobs.long-poll.open-not-modified",
            "A long poll with the ETag of an open job gets 304, or 200 with another ETag, within N seconds.",
            &[RESPONDS, UNCHANGED, CONDITION],
            open_not_modified,
        )
        .needs(JOBS)
        .background(),
        Requirement::new(
            "jobs.long-poll.longest",
            "A wait above 60 is valid, however many digits it has: the response for an ended job is 200 at once.",
            &[UP_TO, SOON, Part("/x-limits/long_poll/maximum")],
            longest,
        )
        .drawn("waits above the longest one", Cases::Exactly(1), |space, _| {
            json!([space.document().limit_number("long_poll", "maximum") + 1, "99999999999999999999"])
        })
        .needs(JOBS),
        Requirement::new(
            "jobs.long-poll.every-poll",
            "Several long polls of one job all end soon after the job has ended.",
            &[RESPONDS, SOON],
            every_poll,
        )
        .needs(JOBS)
        .background(),
        Requirement::new(
            "jobs.long-poll.wakes",
            "A long poll ends soon after the job has ended, not after N seconds.",
            &[RESPONDS, SOON],
            wakes,
        )
        .needs(JOBS),
        Requirement::new(
            "jobs.long-poll.wakes-on-cancel",
            "A long poll ends soon after the job is cancelled.",
            &[RESPONDS, SOON],
            wakes_on_cancel,
        )
        .needs(JOBS),
        Requirement::new(
            "jobs.long-poll.not-modified",
            "A long poll with the current ETag of an ended job gets 304 at once.",
            &[RESPONDS, SOON, UNCHANGED, CONDITION],
            not_modified,
        )
        .needs(JOBS),
    ]
}

/// Returns a poll that asks the server to wait that many seconds.
fn poll(job_id: &str, wait: &str) -> Request {
    let mut request = steps::get_job(job_id).header("prefer", format!("wait={wait}"));
    request.patience = Duration::from_secs(WAIT + 5);
    request
}

/// Sends a poll. A proxy may give up while the server waits: then nothing can be decided.
async fn polled(context: &Context, poll: Request) -> Result<Arc<Exchange>, Halt> {
    let exchange = context.send(poll).await?;
    if matches!(exchange.status, 503 | 504) && exchange.elapsed >= GIVEN_UP {
        let seconds = exchange.elapsed.as_secs_f64();
        return Err(Halt::inconclusive(format!("{} after {seconds:.1} s: a proxy may have given up", exchange.line())));
    }
    Ok(exchange)
}

/// A stretch of time, without the time by which the suite itself is late in it.
struct Span {
    late_before: Duration,
}

impl Span {
    fn begin(context: &Context) -> Self {
        Self { late_before: context.lateness().total() }
    }

    /// Demands that `took` is within the grace period, which is 5 seconds or longer.
    #[track_caller]
    fn soon(&self, context: &Context, took: Duration, after: &str) -> Verdict {
        let late = context.lateness().total().saturating_sub(self.late_before);
        let (took, limit) = (took.saturating_sub(late), context.grace());
        ensure(took < limit, format!("a response within {} s after {after}", limit.as_secs()), || {
            format!("{:.1} s", took.as_secs_f64())
        })
    }
}

async fn long_poll(context: Context, _: Value) -> Verdict {
    const SHORT: Duration = Duration::from_secs(2);
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Cleaning a coffee grinder")).await?;
    let span = Span::begin(&context);
    let exchange = polled(&context, poll(&job_id, "2")).await?;
    demand::status(&exchange, 200)?;
    span.soon(&context, exchange.elapsed.saturating_sub(SHORT), "the 2 s of the poll")?;
    steps::finished(&context, &job_id).await?;
    let span = Span::begin(&context);
    let exchange = polled(&context, poll(&job_id, &WAIT.to_string())).await?;
    demand::status(&exchange, 200)?;
    span.soon(&context, exchange.elapsed, "a request about an ended job")
}

/// Draws a wait below the minimum, or a malformed preference.
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

/// Queues long articles and returns the ids of their jobs, oldest first.
async fn queued(context: &Context) -> Result<Vec<String>, Halt> {
    let body = longest_article(context, steps::quiet_request(context, "Waiting in a long queue"));
    let queued = QUEUED.min(queue_room(context.document()));
    try_join_all((0..queued).map(|_| steps::queue(context, &body))).await
}

/// Cancels the jobs.
async fn discard(context: &Context, jobs: &[String]) -> Verdict {
    try_join_all(jobs.iter().map(|job_id| context.send(steps::cancel_job(job_id)))).await.map(|_| ())
}

async fn to_the_end(context: Context, _: Value) -> Verdict {
    let jobs = queued(&context).await?;
    let wait = WAIT.to_string();
    let polls = try_join_all(jobs.iter().map(|job_id| polled(&context, poll(job_id, &wait)))).await?;
    discard(&context, &jobs).await?;
    for poll in &polls {
        demand::status(poll, 200)?;
        let status = demand::text(demand::json(poll)?, "status")?;
        let holds = steps::is_terminal(status) || poll.elapsed >= WAITED;
        ensure(holds, format!("no response about an open job before {WAIT} s"), || {
            format!("a job that is {status} after {:.2} s", poll.elapsed.as_secs_f64())
        })
        .about(poll)?;
    }
    Ok(())
}

/// Reads the last job; returns the response if the job has not ended.
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
        let span = Span::begin(&context);
        let answer = polled(&context, poll(job_id, &WAIT.to_string()).header("if-none-match", tag)).await?;
        discard(&context, &jobs).await?;
        let holds = answer.status == 304 || (answer.status == 200 && answer.header("etag") != Some(tag));
        ensure(holds, format!("304, or 200 with another ETag than {tag}"), || {
            format!("{} with the ETag {}", answer.line(), answer.header("etag").unwrap_or("none"))
        })
        .about(&answer)?;
        let late = answer.elapsed.saturating_sub(Duration::from_secs(WAIT));
        return span.soon(&context, late, "the time of the poll").about(&answer);
    }
    Err(Halt::inconclusive("every job was finished before it could be read"))
}

async fn every_poll(context: Context, _: Value) -> Verdict {
    // A single late response may come from a busy moment, such as the beginning of a run.
    let mut has_been_late = false;
    for _ in 0..ROUNDS {
        let jobs = queued(&context).await?;
        let Some(job_id) = jobs.last() else { continue };
        let (span, wait) = (Span::begin(&context), WAIT.to_string());
        let polls = try_join_all((0..POLLS).map(|_| polled(&context, poll(job_id, &wait))));
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
        let in_time = polls.iter().try_for_each(|poll| {
            let took = poll.ended.saturating_duration_since(cancel.ended);
            span.soon(&context, took, "the end of the job").about(poll)
        });
        if in_time.is_ok() || has_been_late {
            return in_time;
        }
        has_been_late = true;
    }
    Err(Halt::inconclusive("every job was finished before it could be cancelled"))
}

async fn wakes(context: Context, _: Value) -> Verdict {
    // A long article, so that the poll arrives before the end of the job.
    let body = longest_article(&context, steps::quiet_request(&context, "Waiting for the kettle"));
    let span = Span::begin(&context);
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let exchange = context.waiting(polled(&context, poll(&job_id, &WAIT.to_string()))).await?;
    demand::status(&exchange, 200)?;
    let job = demand::json(&exchange)?;
    let time = |field: &str| chrono::DateTime::parse_from_rfc3339(job[field].as_str().unwrap_or_default()).ok();
    let (Some(created), Some(finished)) = (time("created_at"), time("finished_at")) else {
        // A slow writer. Another requirement judges the wait.
        return Err(Halt::inconclusive("the job had not ended when the poll ended"));
    };
    // Both spans begin when the job is queued, so no two clocks are compared.
    let took = exchange.ended.saturating_duration_since(queued.ended);
    let wrote = (finished - created).to_std().unwrap_or_default();
    span.soon(&context, took.saturating_sub(wrote), "the end of the job")
}

async fn wakes_on_cancel(context: Context, _: Value) -> Verdict {
    let body = longest_article(&context, steps::quiet_request(&context, "Waiting for the rain to stop"));
    for _ in 0..TRIES {
        let job_id = steps::queue(&context, &body).await?;
        let span = Span::begin(&context);
        let poll = polled(&context, poll(&job_id, &WAIT.to_string()));
        let (poll, cancel) = try_join(poll, context.send(steps::cancel_job(&job_id))).await?;
        demand::status(&poll, 200)?;
        // The job has ended, whichever request won the race.
        ensure(matches!(cancel.status, 200 | 409), "status 200 or 409", || demand::seen(&cancel))?;
        let took = poll.ended.saturating_duration_since(cancel.ended);
        span.soon(&context, took, "the end of the job").about(&poll)?;
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
        let span = Span::begin(&context);
        let exchange = polled(&context, poll(demand::text(&job, "job_id")?, &wait)).await?;
        demand::status(&exchange, 200)?;
        span.soon(&context, exchange.elapsed, "a request about an ended job")?;
    }
    Ok(())
}

async fn not_modified(context: Context, _: Value) -> Verdict {
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Waiting for nothing")).await?;
    let ended = steps::finished(&context, &job_id).await?;
    let tag = demand::header(&ended, "etag")?;
    let span = Span::begin(&context);
    let exchange = polled(&context, poll(&job_id, &WAIT.to_string()).header("if-none-match", tag)).await?;
    demand::status(&exchange, 304)?;
    span.soon(&context, exchange.elapsed, "a request about an ended job")
}
