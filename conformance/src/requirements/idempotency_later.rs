//! What a key answers once its job has gone on: cancelled, or published.
//!
//! Repeats while nothing has happened are in `idempotency`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::{Exchange, Request};
use super::requirement::Requirement;
use super::steps;
use super::steps_articles;
use super::verdict::{About, Halt, Verdict};

const JOBS: &[Capability] = &[Capability::Jobs];
const SOURCE: &str = "openapi.yaml, info.description, Idempotency: within 24 hours the same key with the same body answers with the first success again and queues nothing";

/// How often a job may be written faster than it can be cancelled.
const ATTEMPTS: usize = 20;

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "idempotency.replay.after-cancel",
            "A key whose job was cancelled stands for that job all the same: a repeat names it and queues no other.",
            SOURCE,
            after_cancel,
        )
        .needs(JOBS),
        Requirement::must(
            "idempotency.replay.after-publishing",
            "A key whose article was published stands for its job all the same: a repeat names it and queues no other.",
            SOURCE,
            after_publishing,
        )
        .needs(JOBS)
        .background(),
    ]
}

fn keyed(body: &Value, key: &str) -> Request {
    steps::generate(body).header("idempotency-key", key)
}

/// Sends the request of `first` once more: it is answered with the same job, and says that it is a repeat.
async fn is_repeated(context: &Context, first: &Exchange) -> Verdict {
    let again = context.send(first.request.clone()).await?;
    demand::success(&again)?;
    let (wanted, told) = (&demand::json(first)?["job_id"], &demand::json(&again)?["job_id"]);
    let mark = json!(again.header("idempotency-replayed"));
    let verdict = demand::same("job_id of the repeat", wanted, told)
        .and_then(|()| demand::same("Idempotency-Replayed", &json!("true"), &mark))
        .about(&again);
    if verdict.is_err() {
        steps::discard(context, &again).await?;
    }
    verdict
}

async fn queued(context: &Context, body: &Value) -> Result<(Arc<Exchange>, String), Halt> {
    let first = context.send(keyed(body, &context.fresh("key"))).await?;
    demand::success(&first)?;
    let job_id = demand::text(demand::json(&first)?, "job_id")?.to_owned();
    Ok((first, job_id))
}

async fn after_cancel(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Cancelling a subscription politely");
    // The longer the article, the better the chance to be faster than the writer.
    body["target_word_count"] = json!(5_000);
    for _ in 0..ATTEMPTS {
        let (first, job_id) = queued(&context, &body).await?;
        let cancel = context.send(steps::cancel_job(&job_id)).await?;
        if cancel.status == 409 {
            continue;
        }
        demand::status(&cancel, 200)?;
        return is_repeated(&context, &first).await;
    }
    Err(Halt::inconclusive("every job was finished before it could be cancelled"))
}

async fn after_publishing(context: Context, _: Value) -> Verdict {
    let body = steps::published_request(&context, "Sending a letter twice");
    let (first, job_id) = queued(&context, &body).await?;
    let job = steps::finished(&context, &job_id).await?;
    let Some(id) = demand::json(&job)?["article_id"].as_str() else {
        return Err(Halt::inconclusive("the job did not complete"));
    };
    steps_articles::until_published(&context, id, context.facts().ready_within).await?;
    is_repeated(&context, &first).await
}
