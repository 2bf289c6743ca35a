//! `GET /jobs/{job_id}`: progress, terminal bodies, validators, long polls.
//!
//! Cancelling is in `jobs_cancel`, random sequences in `sequences`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Request;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::{Halt, Verdict, ensure};
use crate::strategies::{Draw, Space, hostile_id};

const JOBS: &[Capability] = &[Capability::Jobs];
const SOURCE: &str = "openapi.yaml, get_job and Job";

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must("jobs.poll.monotone", "Status and progress never go back over successive polls, from queued to a terminal state.", SOURCE, monotone)
            .drawn("plain topics", Cases::Divided(8), plain),
        Requirement::must(
            "jobs.finish.in-time",
            "A job reaches a terminal state: within the time that the set-up declares (article.ready_within, 60 s by default).",
            SOURCE,
            in_time,
        ),
        Requirement::must("jobs.done.consistent", "done, a terminal status and finished_at go together; failed and error go together; completed and article_id go together.", SOURCE, consistent)
            .drawn("plain topics", Cases::Divided(8), plain),
        Requirement::must("jobs.times.ordered", "created_at is not after started_at, nor that after finished_at; a job ends by deadline_at.", SOURCE, ordered)
            .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::must("jobs.progress.ends", "progress is 100 when a job is completed.", SOURCE, progress_ends)
            .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::must("jobs.terminal.stable", "The body of a finished job never changes again, and neither does its ETag.", SOURCE, stable)
            .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::must("jobs.etag.not-modified", "With the current ETag in If-None-Match the answer is 304 without a body; with another it is 200.", "RFC 9110, sections 13.1.2 and 15.4.5", not_modified),
        Requirement::must("jobs.echo.what-was-sent", "A job repeats topic, website_id and metadata as they were sent.", SOURCE, echo)
            .drawn("valid requests: edges of the schema and random ones by turns", Cases::Divided(2), Space::mixed_request)
            .shrinks("", Space::accepts_request),
        Requirement::must("jobs.unknown.not-found", "An id that names no job is 404 job_not_found, whatever it looks like.", "openapi.yaml, x-problem-codes", unknown)
            .drawn("ids that name nothing", Cases::Searched, |_, draw: &mut Draw| json!(draw.value(&hostile_id()))),
        Requirement::must("jobs.long-poll.answers-in-time", "With Prefer: wait=N a poll answers when the job is done, or after N seconds.", "RFC 7240, section 4.3; openapi.yaml, get_job", long_poll),
        Requirement::must("jobs.long-poll.malformed-ignored", "A malformed Prefer is ignored, and so is wait=0.", "RFC 7240, section 2", malformed_prefer)
            .drawn("malformed preferences", Cases::Exactly(6), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::must("jobs.cache.private", "A job is served with Cache-Control: private, no-cache and a strong ETag.", "RFC 9111, section 5.2.2; openapi.yaml, get_job", cache),
    ];
    all.into_iter().map(|requirement| requirement.needs(JOBS)).collect()
}

fn plain(space: &Space, draw: &mut Draw) -> Value {
    json!({ "topic": space.plain_topic(draw) })
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
    let job_id = steps::queue(&context, &body).await?;
    let mut last = (0, 0);
    for _ in 0..400 {
        let exchange = context.send(steps::get_job(&job_id)).await?;
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
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
    steps::finished(&context, &job_id).await.map(|_| ())
}

async fn consistent(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let job_id = steps::queue(&context, &body).await?;
    let early = context.send(steps::get_job(&job_id)).await?;
    let late = steps::finished(&context, &job_id).await?;
    for exchange in [&early, &late] {
        agrees(demand::json(exchange)?)?;
    }
    Ok(())
}

async fn in_time(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Finishing what was begun");
    let job_id = steps::queue(&context, &body).await?;
    let patience = context.facts().ready_within;
    steps::finished_within(&context, &job_id, patience).await.map(|_| ()).map_err(|halt| match halt {
        Halt::Inconclusive(observed) => Halt::fail("a finished job in the declared time", observed),
        other => other,
    })
}

/// The members of a job that must go together do.
pub(super) fn agrees(job: &Value) -> Verdict {
    let status = demand::text(job, "status")?;
    let terminal = steps::is_terminal(status);
    demand::same("done", &json!(terminal), &job["done"])?;
    let pairs = [("finished_at", terminal), ("error", status == "failed"), ("article_id", status == "completed")];
    for (member, expected) in pairs {
        let is_there = job.get(member).is_some_and(|value| !value.is_null());
        let word = if expected { "present" } else { "absent" };
        ensure(is_there == expected, format!("{member} {word} when status is {status}"), || demand::brief(job))?;
    }
    Ok(())
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

async fn progress_ends(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let (job, _) = steps::written(&context, &body).await?;
    demand::same("progress", &json!(100), &job["progress"])
}

async fn stable(context: Context, case: Value) -> Verdict {
    let begun = Instant::now();
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let job_id = steps::queue(&context, &body).await?;
    let first = steps::finished(&context, &job_id).await?;
    // What a server still does about a job that has ended takes no longer than the job did.
    let took = begun.elapsed();
    let tag = demand::header(&first, "etag")?.to_owned();
    for pause in [Duration::from_millis(20), took / 3, took] {
        tokio::time::sleep(pause).await;
        let again = context.send(steps::get_job(&job_id)).await?;
        ensure(again.body == first.body, "the same bytes for a finished job", || demand::seen(&again))?;
        ensure(again.header("etag") == Some(&tag), format!("the same ETag {tag}"), || {
            again.header("etag").unwrap_or("none").to_owned()
        })?;
    }
    Ok(())
}

async fn not_modified(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Folding a fitted sheet");
    let job_id = steps::queue(&context, &body).await?;
    let first = steps::finished(&context, &job_id).await?;
    let tag = demand::header(&first, "etag")?.to_owned();
    for matching in [tag.clone(), format!("\"other\", {tag}"), "*".to_owned()] {
        let request = steps::get_job(&job_id).header("if-none-match", matching);
        let exchange = context.send(request).await?;
        demand::status(&exchange, 304)?;
        ensure(exchange.body.is_empty(), "no body in a 304", || demand::seen(&exchange))?;
        demand::same("ETag of the 304", &json!(tag), &json!(demand::header(&exchange, "etag")?))?;
    }
    let request = steps::get_job(&job_id).header("if-none-match", "\"other\"");
    demand::status(&*context.send(request).await?, 200)
}

async fn echo(context: Context, body: Value) -> Verdict {
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let exchange = context.send(steps::get_job(&job_id)).await?;
    let job = demand::json(&exchange)?;
    demand::same("job_id", &json!(job_id), &job["job_id"])?;
    demand::same("topic", &body["topic"], &job["topic"])?;
    demand::same("website_id", &body["website_id"], &job["website_id"])?;
    let metadata = body.get("metadata").cloned().unwrap_or_else(|| json!({}));
    let seen = job.get("metadata").filter(|value| !value.is_null()).cloned();
    demand::same("metadata", &metadata, &seen.unwrap_or_else(|| json!({})))?;
    steps::discard(&context, &queued).await
}

async fn unknown(context: Context, id: Value) -> Verdict {
    let id = id.as_str().unwrap_or("x");
    // As drawn: the segment is percent-encoded already.
    let exchange = context.send(Request::new("get_job", "GET", &format!("/jobs/{id}"))).await?;
    demand::problem(&exchange, 404, &["job_not_found"])?;
    let exchange = context.send(Request::new("cancel_job", "POST", &format!("/jobs/{id}/cancel"))).await?;
    demand::problem(&exchange, 404, &["job_not_found"])
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
    ensure(waited < Duration::from_secs(5), "an answer soon after 2 s", || format!("{:.1} s", waited.as_secs_f64()))?;
    let _ = steps::finished(&context, &job_id).await?;
    let mut request = steps::get_job(&job_id).header("prefer", "wait=30");
    request.patience = Duration::from_secs(30);
    let exchange = context.send(request).await?;
    ensure(exchange.elapsed < Duration::from_secs(5), "a finished job answered at once", || {
        format!("{:.1} s", exchange.elapsed.as_secs_f64())
    })
}

async fn malformed_prefer(context: Context, case: Value) -> Verdict {
    let values = ["wait=0", "wait=-1", "wait=abc", "wait", ";;;,,,", "wait=\"5"];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % values.len();
    let body = steps::quiet_request(&context, "Choosing a garden hose");
    let queued = context.send(steps::generate(&body)).await?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let exchange = context.send(steps::get_job(&job_id).header("prefer", values[index])).await?;
    demand::status(&exchange, 200)?;
    steps::discard(&context, &queued).await
}

async fn cache(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Choosing a watering can");
    let queued = context.send(steps::generate(&body)).await?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let exchange = context.send(steps::get_job(&job_id)).await?;
    let control = demand::header(&exchange, "cache-control")?;
    ensure(control.contains("private") && control.contains("no-cache"), "Cache-Control: private, no-cache", || {
        control.to_owned()
    })?;
    let tag = demand::header(&exchange, "etag")?;
    ensure(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 2, "a strong ETag", || tag.to_owned())
}
