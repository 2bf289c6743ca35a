//! Cancelling a job: what it ends, what it refuses, what never appears afterwards.

use crate::check::About as _;
use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::cancelled::{cancelled_of, longest};
use crate::steps::lists;
use crate::steps::lists::{ARTICLES, POSTS};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::JOBS];

const LISTS: &[Capability] = &[Capability::JOBS, Capability::PIPELINE, Capability::ARTICLES];

const SOURCE: &str = "openapi.yaml, cancel_job";

const CANCEL: &str = "openapi.yaml, cancel_job";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("jobs.cancel.ends", "Cancelling an unfinished job answers 200 with status cancelled, and reading it says so too.", SOURCE, ends)
            .needs(JOBS)
            .drawn("plain topics", Cases::Divided(8), plain),
        Requirement::must("jobs.cancel.idempotent", "Cancelling a cancelled job answers 200 again, with the same body.", SOURCE, idempotent).needs(JOBS),
        Requirement::must("jobs.cancel.finished-refused", "Cancelling a completed job is 409 job_not_cancellable and changes nothing.", SOURCE, finished_refused).needs(LISTS),
        Requirement::must("jobs.cancel.no-article", "No article appears after cancelled: reading it by the job's id is 404 generation_cancelled, and the pipeline entry is cancelled.", SOURCE, no_article)
            .needs(LISTS)
            .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::must("jobs.cancel.frees-place", "A cancelled job leaves its place in the queue: generate is not refused with queue_full while few jobs are unfinished.", "openapi.yaml, x-limits, unfinished_jobs_per_website", frees_place)
            .needs(LISTS)
            .drawn("plain topics", Cases::Searched, plain),
        Requirement::must("jobs.cancel.body-ignored", "Cancel needs no body and ignores a small one.", SOURCE, body_ignored).needs(JOBS),
        Requirement::must("jobs.cancel.race-with-end", "However a cancel races with the end of the job, one of them wins for good: 200 and no article ever, or 409 and a completed job.", CANCEL, race_with_end)
            .needs(JOBS)
            .drawn("delays up to 0.4 s", Cases::Divided(4), |_, draw: &mut Draw| json!(draw.below(400)))
            .shrinks("", |_, case| case.is_u64()),
        Requirement::must("jobs.cancel.race-of-many", "N cancels of one job at once all get the same answer.", CANCEL, race_of_many)
            .needs(JOBS)
            .drawn("2 to 12 at once", Cases::Divided(16), |_, draw: &mut Draw| json!(draw.below(11) + 2)),
    ]
}

fn plain(space: &Space, draw: &mut Draw) -> Value {
    json!({ "topic": space.plain_topic(draw) })
}

/// Each case queues a job and cancels it; after many of them a queue that keeps their places is full.
async fn frees_place(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let refused = match context.send(steps::generate(&body)).await {
        Ok(queued) => {
            demand::success(&queued)?;
            return steps::discard(&context, &queued).await;
        }
        Err(halt) => halt,
    };
    let last = context.trace().pop();
    let Some(full) = last.filter(|exchange| exchange.code() == Some("queue_full")) else { return Err(refused) };
    // Half of the limit, because jobs come and go meanwhile.
    let limit = context.document().limit("unfinished_jobs_per_website")["maximum"].as_u64().unwrap_or(100);
    let mut unfinished = 0;
    for status in ["queued", "generating"] {
        let page = lists::page(&context, POSTS, &format!("limit=100&status={status}")).await?;
        unfinished += lists::rows(demand::json(&page)?).len() as u64;
    }
    if unfinished > limit / 2 {
        return Err(refused);
    }
    let expected = format!("room in the queue, where {unfinished} jobs of the account are unfinished");
    Err(Halt::fail(expected, demand::seen(&full)).about(&full))
}

/// Queues and cancels until a cancel wins the race; the job's id and the answer to the cancel.
async fn cancelled(context: &Context, topic: &str) -> Result<(String, Value), Halt> {
    cancelled_of(context, steps::quiet_request(context, topic)).await
}

async fn ends(context: Context, case: Value) -> Verdict {
    let (job_id, job) = cancelled(&context, steps::topic_of(&case)).await?;
    demand::schema(&context, &job, "Job")?;
    demand::same("status", &json!("cancelled"), &job["status"])?;
    steps::job_details::agrees(&job)?;
    let read = context.send(steps::get_job(&job_id)).await?;
    demand::same("status when read", &json!("cancelled"), &demand::json(&read)?["status"])
}

async fn idempotent(context: Context, _: Value) -> Verdict {
    let (job_id, job) = cancelled(&context, "Building a bird house").await?;
    let again = context.send(steps::cancel_job(&job_id)).await?;
    demand::status(&again, 200)?;
    demand::same("the job", &job, demand::json(&again)?)
}

async fn finished_refused(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Building a kite");
    let (job, _) = steps::written(&context, &body).await?;
    let job_id = demand::text(&job, "job_id")?;
    let before = lists::entries_of(&context, job_id).await?;
    let exchange = context.send(steps::cancel_job(job_id)).await?;
    demand::problem(&exchange, 409, &["job_not_cancellable"])?;
    let read = context.send(steps::get_job(job_id)).await?;
    demand::same("the job", &job, demand::json(&read)?)?;
    let after = lists::entries_of(&context, job_id).await?;
    demand::same("its pipeline entry", &json!(before), &json!(after))
}

async fn no_article(context: Context, case: Value) -> Verdict {
    let body = longest(steps::quiet_request(&context, steps::topic_of(&case)));
    let (job_id, _) = cancelled_of(&context, body.clone()).await?;
    stays_without_article(&context, &job_id).await?;
    // The writer may still be at work; give it time to do wrong.
    steps::as_long_as_writing(&context, &body).await?;
    stays_without_article(&context, &job_id).await
}

async fn stays_without_article(context: &Context, job_id: &str) -> Verdict {
    let exchange = context.send(steps::get_article(job_id)).await?;
    demand::problem(&exchange, 404, &["generation_cancelled"])?;
    let page = lists::page(context, ARTICLES, "limit=100").await?;
    let row = lists::rows(demand::json(&page)?).iter().find(|row| row["job_id"] == job_id).cloned();
    ensure(row.is_none(), "no article of a cancelled job", || row.map_or_else(String::new, |row| demand::brief(&row)))?;
    let entries = lists::entries_of(context, job_id).await?;
    let statuses: Vec<&Value> = entries.iter().map(|entry| &entry["status"]).collect();
    demand::same("status of its pipeline entry", &json!(["cancelled"]), &json!(statuses))
}

async fn body_ignored(context: Context, _: Value) -> Verdict {
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Drying herbs"))).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let request = steps::cancel_job(&job_id).bytes("text/plain", b"please".to_vec());
    let exchange = context.send(request).await?;
    ensure(matches!(exchange.status, 200 | 409), "status 200, or 409 once the job is finished", || {
        demand::seen(&exchange)
    })
}

async fn race_with_end(context: Context, delay: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Cutting it fine");
    let job_id = steps::queue(&context, &body).await?;
    // The delay is what the case is about: it moves the cancel over the end of the job.
    tokio::time::sleep(Duration::from_millis(delay.as_u64().unwrap_or(0))).await;
    let (cancel, read) =
        futures::future::join(context.send(steps::cancel_job(&job_id)), context.send(steps::get_job(&job_id))).await;
    let (cancel, read) = (cancel?, read?);
    demand::status(&read, 200)?;
    let ended = steps::finished(&context, &job_id).await?;
    let job = demand::json(&ended)?;
    steps::job_details::agrees(job)?;
    let article = context.send(steps::get_article(&job_id)).await?;
    if cancel.status == 409 {
        demand::problem(&cancel, 409, &["job_not_cancellable"])?;
        ensure(job["status"] != "cancelled", "a job that goes on after 409", || demand::brief(job)).about(&ended)?;
        return if job["status"] == "completed" { demand::status(&article, 200) } else { Ok(()) };
    }
    demand::status(&cancel, 200)?;
    demand::same("status after a cancel that was answered 200", &json!("cancelled"), &job["status"]).about(&ended)?;
    demand::problem(&article, 404, &["generation_cancelled"])?;
    // A writer that lost the race may still be at work.
    steps::as_long_as_writing(&context, &body).await?;
    let later = context.send(steps::get_job(&job_id)).await?;
    demand::same("the cancelled job, when its writer is done", job, demand::json(&later)?).about(&later)?;
    demand::problem(&*context.send(steps::get_article(&job_id)).await?, 404, &["generation_cancelled"])
}

async fn race_of_many(context: Context, count: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Cutting it many times");
    body["target_word_count"] = json!(5_000);
    let job_id = steps::queue(&context, &body).await?;
    let calls = (0..count.as_u64().unwrap_or(4)).map(|_| context.send(steps::cancel_job(&job_id)));
    let answers = futures::future::try_join_all(calls).await?;
    let seen: BTreeSet<u16> = answers.iter().map(|answer| answer.status).collect();
    let fine = seen == BTreeSet::from([200]) || seen == BTreeSet::from([409]);
    ensure(fine, "200 for all of them, or 409 for all of them", || format!("{seen:?}"))?;
    if seen.contains(&200) {
        let bodies: BTreeSet<String> =
            answers.iter().map(|answer| demand::json(answer).map(Value::to_string)).collect::<Result<_, _>>()?;
        ensure(bodies.len() == 1, "one and the same cancelled job", || format!("{} different bodies", bodies.len()))?;
    }
    Ok(())
}
