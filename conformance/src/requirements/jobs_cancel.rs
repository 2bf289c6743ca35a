//! `POST /jobs/{job_id}/cancel`: what it ends, what it refuses, what never appears afterwards.
//!
//! Reading jobs is in `jobs`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::steps_lists::{self, ARTICLES, POSTS};
use super::verdict::{Halt, Verdict, ensure};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::Jobs];
const LISTS: &[Capability] = &[Capability::Jobs, Capability::Pipeline, Capability::Articles];
const SOURCE: &str = "openapi.yaml, cancel_job";

pub(super) fn requirements() -> Vec<Requirement> {
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
        let page = steps_lists::page(&context, POSTS, &format!("limit=100&status={status}")).await?;
        unfinished += steps_lists::rows(demand::json(&page)?).len() as u64;
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

/// The longer the article, the better the chance to be faster than the writer.
fn longest(mut body: Value) -> Value {
    body["target_word_count"] = json!(5_000);
    body
}

/// The same for jobs with this body.
pub(super) async fn cancelled_of(context: &Context, body: Value) -> Result<(String, Value), Halt> {
    let body = longest(body);
    for _ in 0..20 {
        let job_id = steps::queue(context, &body).await?;
        let exchange = context.send(steps::cancel_job(&job_id)).await?;
        if exchange.status == 409 {
            demand::problem(&exchange, 409, &["job_not_cancellable"])?;
            continue;
        }
        demand::status(&exchange, 200)?;
        return Ok((job_id, demand::json(&exchange)?.clone()));
    }
    Err(Halt::inconclusive("every job was finished before it could be cancelled"))
}

async fn ends(context: Context, case: Value) -> Verdict {
    let (job_id, job) = cancelled(&context, steps::topic_of(&case)).await?;
    demand::schema(&context, &job, "Job")?;
    demand::same("status", &json!("cancelled"), &job["status"])?;
    super::jobs::agrees(&job)?;
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
    let before = steps_lists::entries_of(&context, job_id).await?;
    let exchange = context.send(steps::cancel_job(job_id)).await?;
    demand::problem(&exchange, 409, &["job_not_cancellable"])?;
    let read = context.send(steps::get_job(job_id)).await?;
    demand::same("the job", &job, demand::json(&read)?)?;
    let after = steps_lists::entries_of(&context, job_id).await?;
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
    let page = steps_lists::page(context, ARTICLES, "limit=100").await?;
    let row = steps_lists::rows(demand::json(&page)?).iter().find(|row| row["job_id"] == job_id).cloned();
    ensure(row.is_none(), "no article of a cancelled job", || row.map_or_else(String::new, |row| demand::brief(&row)))?;
    let entries = steps_lists::entries_of(context, job_id).await?;
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
