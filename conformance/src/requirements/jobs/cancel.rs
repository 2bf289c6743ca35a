//! Cancelling a job: what it ends, what it refuses, what never appears afterwards.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::cancelled::{cancelled_of, longest};
use crate::steps::lists::{ARTICLES, POSTS};
use crate::steps::orders::plain;
use crate::steps::same_work::SameWork;
use crate::steps::{self, lists};
use crate::strategies::{Draw, Space};

/// Longest delay of a cancel where the writer is quick, in milliseconds.
const QUICK: usize = 400;

const JOBS: &[Capability] = &[Capability::JOBS];

const LISTS: &[Capability] = &[Capability::JOBS, Capability::PIPELINE, Capability::ARTICLES];

const SOURCE: &str = "openapi.yaml, cancel_job";

const CANCEL: &str = "openapi.yaml, cancel_job";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("jobs.cancel.ends", "Cancelling an unfinished job is answered 200 with status cancelled, and reading the job afterwards shows the same status.", SOURCE, ends)
            .needs(JOBS)
            .drawn("plain topics", Cases::Divided(8), plain),
        Requirement::must("jobs.cancel.idempotent", "Cancelling a cancelled job is answered 200 again, with the same body.", SOURCE, idempotent).needs(JOBS),
        Requirement::must("jobs.cancel.finished-refused", "Cancelling a completed job is answered 409 job_not_cancellable and changes nothing.", SOURCE, finished_refused).needs(LISTS),
        Requirement::must("jobs.cancel.no-article", "A cancelled job never has an article: reading it by the job's id is answered 404 generation_cancelled, and its pipeline entry is cancelled.", SOURCE, no_article)
            .needs(LISTS)
            .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::must("jobs.cancel.frees-place", "A cancelled job no longer counts as unfinished: generate is not answered queue_full while few jobs are unfinished.", "openapi.yaml, x-limits, unfinished_jobs_per_website", frees_place)
            .needs(LISTS)
            .drawn("plain topics", Cases::Searched, |space, draw| {
                let mut case = plain(space, draw);
                case["room"] = json!(space.document().limit_number("unfinished_jobs_per_website", "maximum"));
                case
            }),
        Requirement::must("jobs.cancel.body-ignored", "Cancel needs no body and ignores a small one.", SOURCE, body_ignored).needs(JOBS),
        Requirement::must("jobs.cancel.race-with-end", "A cancel that races with the end of a job has one result: 200 and never an article, or 409 and a job that was not cancelled.", CANCEL, race_with_end)
            .needs(JOBS)
            .drawn("delays up to 0.4 s, and up to 1.2 times what an article takes", Cases::Divided(4), moment)
            .shrinks("", |_, case| case.is_u64() || case["of_article"].is_u64()),
        Requirement::must("jobs.cancel.race-of-many", "Concurrent cancels of one job all get the same answer.", CANCEL, race_of_many)
            .needs(JOBS)
            .drawn("2 to 12 at once", Cases::Divided(16), |_, draw: &mut Draw| json!(draw.below(11) + 2)),
    ]
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
    let limit = case["room"].as_u64().unwrap_or(0);
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
    ensure_met(job["status"] == "cancelled", "no job is cancelled after its cancel was answered 200")?;
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
    let body = longest(&context, steps::quiet_request(&context, steps::topic_of(&case)));
    let (job_id, _) = cancelled_of(&context, body.clone()).await?;
    stays_without_article(&context, &job_id).await?;
    // The writer may still be at work; give it time to do wrong.
    SameWork::begin(&context, &body).await?.done(&context).await?;
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

/// When a job is cancelled after it was queued: so many milliseconds later, or so many thousandths of an article's time.
fn moment(_: &Space, draw: &mut Draw) -> Value {
    if draw.index().is_multiple_of(2) { json!(draw.below(QUICK)) } else { json!({ "of_article": draw.below(1_200) }) }
}

fn delayed(context: &Context, moment: &Value) -> Duration {
    let quick = Duration::from_millis(QUICK as u64);
    match moment["of_article"].as_u64().and_then(|thousandths| u32::try_from(thousandths).ok()) {
        Some(thousandths) => context.article_time().unwrap_or(quick) * thousandths / 1_000,
        None => Duration::from_millis(moment.as_u64().unwrap_or(0)),
    }
}

async fn race_with_end(context: Context, delay: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Cutting it fine");
    let job_id = steps::queue(&context, &body).await?;
    let same = SameWork::begin(&context, &body).await?;
    // The delay is what the case is about: it moves the cancel over the end of the job.
    context.waiting(tokio::time::sleep(delayed(&context, &delay))).await;
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
    same.done(&context).await?;
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
