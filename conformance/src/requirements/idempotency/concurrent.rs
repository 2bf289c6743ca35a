//! Concurrent requests with one key.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{About as _, Capability, Cases, Context, Exchange, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::keyed::keyed;
use crate::steps::{self, pipeline};
use crate::strategies::Draw;

const ENTRIES: &[Capability] = &[Capability::JOBS, Capability::PIPELINE];

/// Maximum wait for a request that the server still processes.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "idempotency.concurrent.one-job",
            "Concurrent identical requests with one key make one job: each gets that job, or 409 idempotency_in_flight.",
            &[
                Sentence(
                    "Identical calls with one `Idempotency-Key` make one job and one scheduled post, also if they are concurrent.",
                ),
                Sentence("The first request with this key is still being processed; `Retry-After` is 1."),
                Sentence("A server may wait for the first request instead and send its response."),
            ],
            concurrent,
        )
        .drawn("2 to 16 at once", Cases::Divided(8), |_, draw| json!(draw.below(15) + 2)),
        Requirement::new(
            "idempotency.concurrent.one-body",
            "Concurrent requests with one key and two bodies make one job: the other body is refused and never gets that job.",
            &[
                Sentence("Repeating the call with the same key does not queue a second job."),
                Sentence("The key was used before with another body."),
                Part("/x-problem-codes/idempotency_mismatch/status"),
                Part("/x-problem-codes/idempotency_in_flight/status"),
            ],
            one_body,
        )
        .needs(ENTRIES)
        .drawn("2 to 10 at once", Cases::Divided(8), |_, draw: &mut Draw| json!(draw.below(9) + 2)),
        Requirement::new(
            "idempotency.concurrent.many-jobs",
            "Concurrent requests with different keys make one job each, with its own scheduled post.",
            &[
                Sentence("Key of this logical call."),
                Sentence(
                    "When the response arrives, `GET /api/v1/scheduled_posts` lists exactly one scheduled post with this `job_id`.",
                ),
            ],
            many_jobs,
        )
        .needs(ENTRIES)
        .drawn("2 to 12 at once", Cases::Divided(16), |_, draw: &mut Draw| json!(draw.below(11) + 2)),
    ]
}

async fn concurrent(context: Context, count: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Sweeping a chimney");
    let key = context.fresh("key");
    let calls = (0..count.as_u64().unwrap_or(4)).map(|_| context.send(keyed(&body, &key)));
    let answers = futures::future::try_join_all(calls).await?;
    let mut jobs = BTreeSet::new();
    for exchange in &answers {
        if exchange.succeeded() {
            jobs.insert(demand::text(demand::json(exchange)?, "job_id")?.to_owned());
        } else {
            demand::problem(exchange, 409, &["idempotency_in_flight"])?;
            let wait = demand::header(exchange, "retry-after")?;
            ensure(wait.parse::<u64>().is_ok(), "whole seconds in Retry-After", || wait.to_owned()).about(exchange)?;
        }
    }
    let later = settled(&context, &body, &key).await?;
    demand::success(&later)?;
    jobs.insert(demand::text(demand::json(&later)?, "job_id")?.to_owned());
    ensure(jobs.len() == 1, "one job for one key", || format!("{} jobs", jobs.len())).about(&later)?;
    steps::discard(&context, &later).await
}

/// Sends the request again. While the server still processes the first one, waits once as Retry-After says.
async fn settled(context: &Context, body: &Value, key: &str) -> Result<Arc<Exchange>, Halt> {
    let later = context.send(keyed(body, key)).await?;
    let Some(wait) = later.retry_after().filter(|_| later.status == 409) else { return Ok(later) };
    context.waiting(tokio::time::sleep(wait.min(LONGEST_WAIT))).await;
    context.send(keyed(body, key)).await
}

async fn one_body(context: Context, count: Value) -> Verdict {
    let key = context.fresh("race");
    let topics = [context.fresh("first"), context.fresh("second")];
    let calls = (0..count.as_u64().unwrap_or(4)).map(|number| {
        let topic = &topics[usize::from(number % 2 == 1)];
        let body = steps::quiet_request(&context, topic);
        context.send(steps::generate(&body).header("idempotency-key", key.clone()))
    });
    let answers = futures::future::try_join_all(calls).await?;
    let mut jobs = BTreeSet::new();
    for (number, answer) in answers.iter().enumerate() {
        match answer.status {
            409 => demand::problem(answer, 409, &["idempotency_in_flight"])?,
            422 => demand::problem(answer, 422, &["idempotency_mismatch"])?,
            _ => {
                demand::success(answer)?;
                let body = demand::json(answer)?;
                demand::same("the topic that was sent", &json!(topics[number % 2]), &body["topic"]).about(answer)?;
                jobs.insert((demand::text(body, "job_id")?.to_owned(), body["topic"].to_string()));
            }
        }
    }
    ensure(jobs.len() == 1, "one job, of one of the bodies", || format!("{jobs:?}"))?;
    for (job_id, _) in &jobs {
        let entries = pipeline::entries_of(&context, job_id).await?;
        ensure(entries.len() == 1, "one scheduled post", || entries.len().to_string())?;
        context.send(steps::cancel_job(job_id)).await?;
    }
    Ok(())
}

async fn many_jobs(context: Context, count: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Sorting many things at once");
    let count = count.as_u64().unwrap_or(4);
    let calls = (0..count).map(|_| {
        let request = steps::generate(&body).header("idempotency-key", context.fresh("many"));
        context.send(request)
    });
    let mut jobs = BTreeSet::new();
    let mut entries = BTreeSet::new();
    for answer in futures::future::try_join_all(calls).await? {
        demand::success(&answer)?;
        let job_id = demand::text(demand::json(&answer)?, "job_id")?.to_owned();
        for entry in pipeline::entries_of(&context, &job_id).await? {
            entries.insert(demand::text(&entry, "id")?.to_owned());
        }
        jobs.insert(job_id);
        steps::discard(&context, &answer).await?;
    }
    let made = (jobs.len() as u64, entries.len() as u64);
    ensure(made == (count, count), format!("{count} jobs and {count} scheduled posts"), || {
        format!("{} and {}", made.0, made.1)
    })
}
