//! Cancelling a job: its effect, its refusals, and its races with the writer.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{
    About as _, Capability, Cases, Context, Halt, Request, Requirement, Verdict, demand, ensure, ensure_met,
};
use crate::steps::draws::plain;
use crate::steps::jobs::{SameWork, cancelled_of, longest, queue_room};
use crate::steps::lists::{ARTICLES, POSTS};
use crate::steps::pipeline::settled;
use crate::steps::times::{server_now, written_at};
use crate::steps::{self, lists, pipeline};
use crate::strategies::{Draw, Space};

/// Maximum delay of a cancel for a quick writer, in milliseconds.
const QUICK: usize = 400;

/// Largest queue that the default number of cases fills.
const MOST_ROOM: u64 = 256;

/// Maximum number of pages to search for unfinished jobs.
const MOST_PAGES: usize = 10;

const JOBS: &[Capability] = &[Capability::JOBS];

const LISTS: &[Capability] = &[Capability::JOBS, Capability::PIPELINE, Capability::ARTICLES];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.cancel.ends",
            "Cancelling a job that has not ended gets 200 with status cancelled, and reading the job afterwards shows this status.",
            &[
                Sentence("Cancels a job that has not ended, and its scheduled post."),
                Part("/paths/~1api~1v1~1jobs~1{job_id}~1cancel/post/responses/200"),
            ],
            ends,
        )
        .needs(JOBS)
        .drawn("plain topics", Cases::Divided(8), plain),
        Requirement::new(
            "jobs.cancel.idempotent",
            "Cancelling a cancelled job gets 200 again, with the same body.",
            &[
                Sentence("For a job that is already cancelled the response is the same again."),
                Sentence(
                    "`x-repeatable` on an operation that changes something: calling it twice has the effect of calling it once.",
                ),
            ],
            idempotent,
        )
        .needs(JOBS),
        Requirement::new(
            "jobs.cancel.finished-refused",
            "Cancelling a completed job gets 409 job_not_cancellable and changes nothing, also if its article is scheduled for later.",
            &[
                Sentence("If the job completed or failed, it is 409 `job_not_cancellable`."),
                Sentence("Once `done` is true, the body and its `ETag` no longer change."),
            ],
            finished_refused,
        )
        .drawn("whether the article is scheduled", Cases::Exactly(2), |_, draw| json!(draw.index() % 2 == 1))
        .needs(LISTS),
        Requirement::new(
            "jobs.cancel.no-article",
            "A cancelled job never has an article: its id gets 404 generation_cancelled, and its scheduled post is cancelled.",
            &[
                Sentence("A cancelled job never gets an article."),
                Sentence("Cancels a job that has not ended, and its scheduled post."),
                Sentence("If the job failed or was cancelled, it is 404 `generation_failed` or `generation_cancelled`."),
            ],
            no_article,
        )
        .needs(LISTS)
        .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::new(
            "jobs.cancel.frees-place",
            "A cancelled job no longer counts as unfinished: generate is not refused with queue_full while no job is unfinished.",
            &[
                Sentence("Jobs that have not ended."),
                Sentence("Too many jobs have not ended."),
                Part("/x-limits/unfinished_jobs_per_website/maximum"),
            ],
            frees_place,
        )
        .needs(LISTS)
        .drawn("plain topics", Cases::Searched, |space, draw| {
            let mut case = plain(space, draw);
            case["room"] = json!(queue_room(space.document()));
            case
        }),
        Requirement::new(
            "jobs.cancel.body-ignored",
            "Cancel needs no body and ignores a small one.",
            &[Sentence("The service ignores a request body of up to 64 KiB.")],
            body_ignored,
        )
        .needs(JOBS),
        Requirement::new(
            "jobs.cancel.race-with-end",
            "A cancel that races with the end of a job has one result: 200 and never an article, or 409 and a job that is not cancelled.",
            &[
                Sentence("Cancels a job that has not ended, and its scheduled post."),
                Sentence("A cancelled job never gets an article."),
                Sentence("If the job completed or failed, it is 409 `job_not_cancellable`."),
                Sentence("Once `done` is true, the body and its `ETag` no longer change."),
            ],
            race_with_end,
        )
        .needs(JOBS)
        .drawn("delays up to 0.4 s, and up to 1.2 times the time of an article", Cases::Divided(4), moment),
        Requirement::new(
            "jobs.cancel.race-of-many",
            "Concurrent cancels of one job all get the same response.",
            &[
                Sentence("For a job that is already cancelled the response is the same again."),
                Sentence("If the job completed or failed, it is 409 `job_not_cancellable`."),
            ],
            race_of_many,
        )
        .needs(JOBS)
        .drawn("2 to 12 at once", Cases::Divided(16), |_, draw: &mut Draw| json!(draw.below(11) + 2)),
    ]
}

/// Queues a job and cancels it. After many cases the queue is full if cancelled jobs still count.
async fn frees_place(context: Context, case: Value) -> Verdict {
    let room = case["room"].as_u64().unwrap_or(0);
    let limits = "unfinished_jobs_per_website and unfinished_jobs_per_account";
    ensure_met(room <= MOST_ROOM, format!("a queue for {room} jobs ({limits}) is too large to fill"))?;
    let order = steps::generate(&steps::quiet_request(&context, steps::topic_of(&case)));
    let refused = match context.send(order.clone()).await {
        Ok(queued) => {
            demand::success(&queued)?;
            return steps::discard(&context, &queued).await;
        }
        Err(halt) => halt,
    };
    let is_full = context.trace().last().is_some_and(|exchange| exchange.code() == Some("queue_full"));
    if !is_full || has_unfinished(&context).await? {
        return Err(refused);
    }
    // Other checks queue jobs, too: the last of them may have ended since the refusal.
    let again = context.send(Request { keep_429: true, ..order }).await?;
    if again.code() != Some("queue_full") || has_unfinished(&context).await? {
        steps::discard(&context, &again).await?;
        return Err(refused);
    }
    let expected = format!("room in a queue for {room} jobs, of which none is unfinished");
    Err(Halt::fail(expected, demand::seen(&again)).about(&again))
}

/// Returns true if the pipeline has a scheduled post whose job has not ended, or too many posts to read.
async fn has_unfinished(context: &Context) -> Result<bool, Halt> {
    for status in ["queued", "generating"] {
        let query = format!("limit=100&status={status}");
        let (found, is_whole) = lists::walk(context, POSTS, &query, MOST_PAGES, |ids| !ids.is_empty()).await?;
        if !found.is_empty() || !is_whole {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Queues and cancels until a cancel comes before the end of its job; returns its id and the cancelled job.
async fn cancelled(context: &Context, topic: &str) -> Result<(String, Value), Halt> {
    cancelled_of(context, steps::quiet_request(context, topic)).await
}

async fn ends(context: Context, case: Value) -> Verdict {
    let (job_id, job) = cancelled(&context, steps::topic_of(&case)).await?;
    demand::schema(&context, &job, "Job")?;
    demand::same("status", &json!("cancelled"), &job["status"])?;
    steps::jobs::agrees(&job)?;
    let read = context.send(steps::get_job(&job_id)).await?;
    demand::same("status when read", &json!("cancelled"), &demand::json(&read)?["status"])
}

async fn idempotent(context: Context, _: Value) -> Verdict {
    let (job_id, job) = cancelled(&context, "Building a bird house").await?;
    ensure_met(job["status"] == "cancelled", "no job is cancelled after its cancel got 200")?;
    let again = context.send(steps::cancel_job(&job_id)).await?;
    demand::status(&again, 200)?;
    demand::same("the job", &job, demand::json(&again)?)
}

async fn finished_refused(context: Context, is_scheduled: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Building a kite");
    if is_scheduled == true {
        body["auto_publish"] = json!(true);
        body["publish_at"] = json!(written_at(server_now(&context).await? + chrono::Duration::days(30)));
    }
    let (job, _) = steps::written(&context, &body).await?;
    let job_id = demand::text(&job, "job_id")?;
    // The scheduled post follows the end of its job a moment later.
    let before =
        settled(&context, job_id, &["ready", "scheduled"], context.grace()).await.map_err(|halt| match halt {
            Halt::Fail(_) => {
                Halt::inconclusive("the scheduled post of a written article did not become ready or scheduled")
            }
            other => other,
        })?;
    let exchange = context.send(steps::cancel_job(job_id)).await?;
    demand::problem(&exchange, 409, &["job_not_cancellable"])?;
    let read = context.send(steps::get_job(job_id)).await?;
    demand::same("the job", &job, demand::json(&read)?)?;
    let after = pipeline::entries_of(&context, job_id).await?;
    demand::same("its scheduled post", &json!([before]), &json!(after))
}

async fn no_article(context: Context, case: Value) -> Verdict {
    let body = longest(&context, steps::quiet_request(&context, steps::topic_of(&case)));
    let (job_id, _) = cancelled_of(&context, body.clone()).await?;
    stays_without_article(&context, &job_id).await?;
    // The writer may still be at work: wait until it would have published.
    SameWork::begin(&context, &body).await?.done(&context).await?;
    stays_without_article(&context, &job_id).await
}

async fn stays_without_article(context: &Context, job_id: &str) -> Verdict {
    let exchange = context.send(steps::get_article(job_id)).await?;
    demand::problem(&exchange, 404, &["generation_cancelled"])?;
    let page = lists::page(context, ARTICLES, "limit=100").await?;
    let row = lists::rows(demand::json(&page)?).iter().find(|row| row["job_id"] == job_id).cloned();
    ensure(row.is_none(), "no article of a cancelled job", || row.map_or_else(String::new, |row| demand::brief(&row)))?;
    let entries = pipeline::entries_of(context, job_id).await?;
    let statuses: Vec<&Value> = entries.iter().map(|entry| &entry["status"]).collect();
    demand::same("status of its scheduled post", &json!(["cancelled"]), &json!(statuses))
}

async fn body_ignored(context: Context, _: Value) -> Verdict {
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Drying herbs"))).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let request = steps::cancel_job(&job_id).bytes("text/plain", b"please".to_vec());
    let exchange = context.send(request).await?;
    ensure(matches!(exchange.status, 200 | 409), "status 200, or 409 once the job has ended", || {
        demand::seen(&exchange)
    })
}

/// Draws the delay of a cancel: in milliseconds, or in thousandths of an article's time.
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
    // Over all cases, the delay moves the cancel across the end of the job.
    context.waiting(tokio::time::sleep(delayed(&context, &delay))).await;
    let (cancel, read) =
        futures::future::join(context.send(steps::cancel_job(&job_id)), context.send(steps::get_job(&job_id))).await;
    let (cancel, read) = (cancel?, read?);
    demand::status(&read, 200)?;
    let ended = steps::finished(&context, &job_id).await?;
    let job = demand::json(&ended)?;
    steps::jobs::agrees(job)?;
    let article = context.send(steps::get_article(&job_id)).await?;
    if cancel.status == 409 {
        demand::problem(&cancel, 409, &["job_not_cancellable"])?;
        ensure(job["status"] != "cancelled", "a job that is not cancelled after 409", || demand::brief(job))
            .about(&ended)?;
        return if job["status"] == "completed" { demand::status(&article, 200) } else { Ok(()) };
    }
    demand::status(&cancel, 200)?;
    demand::same("status after a cancel with 200", &json!("cancelled"), &job["status"]).about(&ended)?;
    demand::problem(&article, 404, &["generation_cancelled"])?;
    // The writer may still be at work on the cancelled job.
    same.done(&context).await?;
    let later = context.send(steps::get_job(&job_id)).await?;
    demand::same("the cancelled job, when its writer is done", job, demand::json(&later)?).about(&later)?;
    demand::problem(&*context.send(steps::get_article(&job_id)).await?, 404, &["generation_cancelled"])
}

async fn race_of_many(context: Context, count: Value) -> Verdict {
    let body = longest(&context, steps::quiet_request(&context, "Cutting it many times"));
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
