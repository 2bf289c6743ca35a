//! Reading an article before it is written.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::Source::{Part, Sentence};
use crate::check::{About as _, Capability, Context, Exchange, Halt, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

/// Maximum time of polling an article that is not ready, and maximum pause between two requests.
const WATCHED: Duration = Duration::from_secs(10);

const PAUSE: Duration = Duration::from_millis(20);

/// Refusals that are enough, and maximum number of jobs that are queued to see them.
const ENOUGH: u32 = 3;

const TRIES: u32 = 10;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.not-ready.retry",
            "Until the job has ended, reading its article by the job's id returns 404 article_not_ready with Retry-After in seconds.",
            &[
                Sentence("Until the job has ended, the response is 404 `article_not_ready` with `Retry-After`."),
                Sentence("The id is of a job that has not ended."),
                Sentence("There is no article with this id, none yet, or there never will be one."),
                Sentence("The article that the job writes; 404 `article_not_ready` until the job has ended."),
                Part("/components/headers/Retry-After/schema"),
            ],
            not_ready,
        )
        .needs(JOBS),
    ]
}

async fn not_ready(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Keeping a diary for a year");
    body["target_word_count"] = json!(5_000);
    let mut refusals = 0;
    // A fast target leaves a short time to read the article too early, so try several jobs.
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
    ensure_met(refusals > 0, "every article was ready before it could be requested")
}

/// Counts correct refusals until the article is there or enough were seen.
async fn refused(context: &Context, job_id: &str) -> Result<u32, Halt> {
    let since = Instant::now();
    let deadline = since + WATCHED.min(context.facts().ready_within);
    let mut refusals = 0;
    let mut begun = false;
    // Queued jobs and running jobs may be refused by different code, so wait for both.
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
            // The job may have ended without an article in between.
            let after = context.send(steps::get_job(job_id)).await?;
            if demand::json(&after)?["done"] == true {
                break;
            }
        }
        is_not_ready(&exchange)?;
        refusals += 1;
        // Poll a fast writer more often.
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
