//! What an article answers before it is there, and when to ask again.

use crate::check::About as _;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::{Capability, Context, Exchange, Halt, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

/// How long an article that is not ready is looked at, and the longest pause between two looks.
const WATCHED: Duration = Duration::from_secs(10);

const PAUSE: Duration = Duration::from_millis(20);

/// Refusals after which enough was seen, and articles that are queued for them where the target writes fast.
const ENOUGH: u32 = 3;

const TRIES: u32 = 10;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.not-ready.retry",
            "While the job is not finished, reading an article by the job's id is answered 404 article_not_ready with Retry-After.",
            "openapi.yaml, x-problem-codes",
            not_ready,
        )
        .needs(JOBS),
    ]
}

async fn not_ready(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Keeping a diary for a year");
    body["target_word_count"] = json!(5_000);
    let mut refusals = 0;
    // The window is short on a fast target, so look into it more than once.
    for _ in 0..TRIES {
        let queued = context.send(steps::generate(&body)).await?;
        demand::success(&queued)?;
        let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
        let looked = refused(&context, &job_id).await;
        steps::discard(&context, &queued).await?;
        refusals += looked?;
        if refusals >= ENOUGH {
            return Ok(());
        }
    }
    ensure_met(refusals > 0, "every article was ready before it could be asked for")
}

/// How often the article was refused in the right way until it was there, or until enough was seen.
async fn refused(context: &Context, job_id: &str) -> Result<u32, Halt> {
    let since = Instant::now();
    let deadline = since + WATCHED.min(context.facts().ready_within);
    let mut refusals = 0;
    let mut begun = false;
    // What waits in the queue may be refused elsewhere than what is being written.
    while Instant::now() < deadline && !(begun && refusals >= ENOUGH) {
        let before = context.send(steps::get_job(job_id)).await?;
        demand::status(&before, 200)?;
        let job = demand::json(&before)?;
        begun = job["status"] != "queued";
        let exchange = context.send(steps::get_article(job_id)).await?;
        if exchange.status == 200 || job["done"] == true {
            break;
        }
        if exchange.code() != Some("article_not_ready") {
            // Between the two the job may have ended without an article.
            let after = context.send(steps::get_job(job_id)).await?;
            if demand::json(&after)?["done"] == true {
                break;
            }
        }
        is_not_ready(&exchange)?;
        refusals += 1;
        // A fast writer is looked at more often.
        tokio::time::sleep((since.elapsed() / 4).min(PAUSE)).await;
    }
    Ok(refusals)
}

fn is_not_ready(exchange: &Exchange) -> Verdict {
    demand::problem(exchange, 404, &["article_not_ready"])?;
    let wait = demand::header(exchange, "retry-after")?;
    let is_wait = wait.parse::<u64>().is_ok_and(|seconds| seconds >= 1);
    ensure(is_wait, "whole seconds in Retry-After", || wait.to_owned()).about(exchange)
}
