//! One key used several times at once.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps::keyed::keyed;
use crate::steps::{self, lists};
use crate::strategies::Draw;

const SOURCE: &str = "draft-ietf-httpapi-idempotency-key-header-07; openapi.yaml, IdempotencyKey";

const ENTRIES: &[Capability] = &[Capability::JOBS, Capability::PIPELINE];

const KEY: &str = "draft-ietf-httpapi-idempotency-key-header-07; openapi.yaml, IdempotencyKey";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("idempotency.concurrent.one-job", "Concurrent identical requests with one key make one job: each is answered with it, or 409 idempotency_in_flight.", SOURCE, concurrent)
            .drawn("2 to 16 at once", Cases::Divided(8), |_, draw| json!(draw.below(15) + 2)),
        Requirement::must("idempotency.concurrent.one-body", "Concurrent requests with one key and two bodies make one job: the other body is refused, and never answered with that job.", KEY, one_body)
            .needs(ENTRIES)
            .drawn("2 to 10 at once", Cases::Divided(8), |_, draw: &mut Draw| json!(draw.below(9) + 2)),
        Requirement::must("idempotency.concurrent.many-jobs", "Concurrent requests with different keys make one job each, with its own pipeline entry.", KEY, many_jobs)
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
    ensure(jobs.len() == 1, "one job for one key", || format!("{} jobs", jobs.len()))?;
    let later = context.send(keyed(&body, &key)).await?;
    let job_id = demand::text(demand::json(&later)?, "job_id")?.to_owned();
    ensure(jobs.contains(&job_id), "the same job afterwards", || job_id.clone())?;
    steps::discard(&context, &later).await
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
                demand::same("topic, as it was sent", &json!(topics[number % 2]), &body["topic"]).about(answer)?;
                jobs.insert((demand::text(body, "job_id")?.to_owned(), body["topic"].to_string()));
            }
        }
    }
    ensure(jobs.len() == 1, "one job of one of the bodies", || format!("{jobs:?}"))?;
    for (job_id, _) in &jobs {
        let entries = lists::entries_of(&context, job_id).await?;
        ensure(entries.len() == 1, "one pipeline entry", || entries.len().to_string())?;
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
        for entry in lists::entries_of(&context, &job_id).await? {
            entries.insert(demand::text(&entry, "id")?.to_owned());
        }
        jobs.insert(job_id);
        steps::discard(&context, &answer).await?;
    }
    let made = (jobs.len() as u64, entries.len() as u64);
    ensure(made == (count, count), format!("{count} jobs and {count} entries"), || format!("{} and {}", made.0, made.1))
}
