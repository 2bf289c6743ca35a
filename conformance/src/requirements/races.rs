//! Races that a server must not lose: cancelling while a job ends, one key with two bodies, many keys at once.
//!
//! The same without a race is in `jobs_cancel` and `idempotency`.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::steps_lists;
use super::verdict::{About, Verdict, ensure};
use crate::strategies::Draw;

const JOBS: &[Capability] = &[Capability::Jobs];
const ENTRIES: &[Capability] = &[Capability::Jobs, Capability::Pipeline];
const CANCEL: &str = "openapi.yaml, cancel_job";
const KEY: &str = "draft-ietf-httpapi-idempotency-key-header-07; openapi.yaml, IdempotencyKey";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("jobs.cancel.race-with-end", "However a cancel races with the end of the job, one of them wins for good: 200 and no article ever, or 409 and a completed job.", CANCEL, race_with_end)
            .needs(JOBS)
            .drawn("delays up to 0.4 s", Cases::Divided(4), |_, draw: &mut Draw| json!(draw.below(400)))
            .shrinks("", |_, case| case.is_u64()),
        Requirement::must("jobs.cancel.race-of-many", "N cancels of one job at once all get the same answer.", CANCEL, race_of_many)
            .needs(JOBS)
            .drawn("2 to 12 at once", Cases::Divided(16), |_, draw: &mut Draw| json!(draw.below(11) + 2)),
        Requirement::must("idempotency.concurrent.one-body", "One key with two bodies at once makes one job of one of them; the other body is refused, never answered with the job of the first.", KEY, one_body)
            .needs(ENTRIES)
            .drawn("2 to 10 at once", Cases::Divided(8), |_, draw: &mut Draw| json!(draw.below(9) + 2)),
        Requirement::must("idempotency.concurrent.many-jobs", "N keys at once make N jobs, each with its own pipeline entry.", KEY, many_jobs)
            .needs(ENTRIES)
            .drawn("2 to 12 at once", Cases::Divided(16), |_, draw: &mut Draw| json!(draw.below(11) + 2)),
    ]
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
    super::jobs::agrees(job)?;
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
        let entries = steps_lists::entries_of(&context, job_id).await?;
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
        for entry in steps_lists::entries_of(&context, &job_id).await? {
            entries.insert(demand::text(&entry, "id")?.to_owned());
        }
        jobs.insert(job_id);
        steps::discard(&context, &answer).await?;
    }
    let made = (jobs.len() as u64, entries.len() as u64);
    ensure(made == (count, count), format!("{count} jobs and {count} entries"), || format!("{} and {}", made.0, made.1))
}
