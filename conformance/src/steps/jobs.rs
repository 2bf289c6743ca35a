//! Jobs that are read before their end, cancelled, or failed, and the fields of a job.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::calls::{cancel_job, finished, get_job, is_terminal, queue, quiet_request, words};
use crate::check::{Context, Exchange, Halt, Verdict, demand, ensure};
use crate::spec::Document;

/// Demands that the fields agree with the status.
pub(crate) fn agrees(job: &Value) -> Verdict {
    let status = demand::text(job, "status")?;
    let terminal = is_terminal(status);
    demand::same("done", &json!(terminal), &job["done"])?;
    let pairs = [("finished_at", terminal), ("error", status == "failed"), ("article_id", status == "completed")];
    for (field, expected) in pairs {
        let is_there = job.get(field).is_some_and(|value| !value.is_null());
        let word = if expected { "present" } else { "absent" };
        ensure(is_there == expected, format!("{field} {word} when status is {status}"), || demand::brief(job))?;
    }
    Ok(())
}

/// Returns the job in a response.
pub(crate) fn shown(exchange: &Exchange) -> Option<&Value> {
    let is_job = matches!(exchange.request.operation, Some("get_job" | "cancel_job"));
    exchange.json().filter(|_| is_job && exchange.succeeded())
}

/// Returns how many jobs of one website may be unfinished at the same time.
pub(crate) fn queue_room(document: &Document) -> usize {
    let of = |name: &str| document.limit_number(name, "maximum");
    of("unfinished_jobs_per_website").min(of("unfinished_jobs_per_account"))
}

/// Maximum number of jobs that end before they are read.
const TRIES: usize = 16;

/// Queues jobs until one is read before its end. Returns its id and that response.
pub(crate) async fn seen_at_work(context: &Context, body: &Value) -> Result<(String, Arc<Exchange>), Halt> {
    for _ in 0..TRIES {
        let job_id = queue(context, body).await?;
        let read = context.send(get_job(&job_id)).await?;
        demand::status(&read, 200)?;
        if !is_terminal(demand::text(demand::json(&read)?, "status")?) {
            return Ok((job_id, read));
        }
    }
    Err(Halt::Unmet(format!("each of {TRIES} jobs had ended before it was read")))
}

/// Returns `body` with the maximum length: a long article gives the cancel time to come before the end of the job.
pub(crate) fn longest(context: &Context, mut body: Value) -> Value {
    body["target_word_count"] = words(context, "maximum");
    body
}

/// Queues and cancels long articles until a cancel comes before the end of its job. Returns the id of the job and the cancelled job.
pub(crate) async fn cancelled_of(context: &Context, body: Value) -> Result<(String, Value), Halt> {
    let body = longest(context, body);
    for _ in 0..20 {
        let job_id = queue(context, &body).await?;
        let exchange = context.send(cancel_job(&job_id)).await?;
        if exchange.status == 409 {
            demand::problem(&exchange, 409, &["job_not_cancellable"])?;
            continue;
        }
        demand::status(&exchange, 200)?;
        return Ok((job_id, demand::json(&exchange)?.clone()));
    }
    Err(Halt::inconclusive("every job was finished before it could be cancelled"))
}

/// Minimum time to wait after the other job has ended.
const LEAST: Duration = Duration::from_millis(150);

/// A job with the same body as a cancelled one. A writer that still writes the cancelled article is done a little after this job.
pub(crate) struct SameWork {
    job_id: String,
    begun: Instant,
}

impl SameWork {
    /// Queues the job.
    pub(crate) async fn begin(context: &Context, body: &Value) -> Result<Self, Halt> {
        let begun = Instant::now();
        Ok(Self { job_id: queue(context, body).await?, begun })
    }

    /// Waits until the job has ended, and a little longer.
    pub(crate) async fn done(self, context: &Context) -> Result<(), Halt> {
        finished(context, &self.job_id).await?;
        context.waiting(tokio::time::sleep((self.begun.elapsed() / 4).max(LEAST))).await;
        Ok(())
    }
}

/// Topic of failing requests, for a set-up in which the website alone causes the failure.
const TOPIC: &str = "Airing a bedroom in winter";

/// Returns a request whose job fails. An article that is written anyway is published immediately, or not at all.
pub(crate) fn failing_order(context: &Context, is_published: bool) -> Value {
    let lent = context.facts().failing_job.clone().unwrap_or_default();
    let mut body = quiet_request(context, lent.topic.as_deref().unwrap_or(TOPIC));
    if let Some(website_id) = lent.website_id {
        body["website_id"] = json!(website_id);
    }
    body["auto_publish"] = json!(is_published);
    body
}

/// Sends `body` and waits until its job has failed.
pub(crate) async fn failed(context: &Context, body: &Value) -> Result<Value, Halt> {
    let job_id = queue(context, body).await?;
    let ended = finished(context, &job_id).await?;
    let job = demand::json(&ended)?.clone();
    if job["status"] == "failed" {
        return Ok(job);
    }
    Err(Halt::inconclusive(format!(
        "the job ended as {}, so nothing is seen of failed ones: what [failing_job] names can be written about",
        job["status"]
    )))
}
