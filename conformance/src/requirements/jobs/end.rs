//! The end of a job: in time, with fields that fit its status, and without later changes.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::draws::plain;
use crate::steps::jobs::{agrees, failed, failing_order};

const JOBS: &[Capability] = &[Capability::JOBS];

const FAILING: &[Capability] = &[Capability::JOBS, Capability::FAILING_JOB];

/// Codes of the document, and whether they are retryable.
const RETRYABLE: [(&str, bool); 7] = [
    ("generator_unavailable", true),
    ("generation_timeout", true),
    ("internal", true),
    ("content_rejected", false),
    ("voice_unsatisfiable", false),
    ("language_not_supported", false),
    ("website_inactive", false),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.finish.in-time",
            "A job ends by its deadline_at, and within article.ready_within if the configuration declares that time.",
            &[
                Sentence("Latest time at which the job ends."),
                Part("/x-limits/job_queued/maximum"),
                Part("/x-limits/job_in_progress/maximum"),
            ],
            in_time,
        )
        .needs(JOBS),
        Requirement::new(
            "jobs.done.consistent",
            "done is true and finished_at is given exactly if the job has ended, error exactly if it failed, article_id exactly if it completed.",
            &[
                Sentence(
                    "`done` is true exactly if `status` is `completed`, `failed` or `cancelled`, and exactly if `finished_at` is \
                     not null.",
                ),
                Sentence("True once the job has ended."),
                Sentence("`error` is not null exactly if `status` is `failed`."),
                Sentence("Null in every other state."),
                Sentence("Id of the article once the job has completed."),
                Sentence(
                    "`article_id` is not null exactly if `status` is `completed`, and exactly if \
                     `GET /api/v1/articles/{article_id}` answers 200.",
                ),
            ],
            consistent,
        )
        .drawn("plain topics", Cases::Divided(8), plain)
        .needs(JOBS),
        Requirement::new(
            "jobs.failed.error",
            "A failed job has an error with a code, a message and whether the same request may succeed later, and no article.",
            &[
                Sentence("`error` is not null exactly if `status` is `failed`."),
                Part("/components/schemas/JobError"),
                Part("/components/schemas/JobError/properties/message/minLength"),
                Sentence("Whether the same request may succeed later."),
                Sentence("`generator_unavailable`, `generation_timeout` and `internal` are retryable."),
                Sentence("`content_rejected`, `voice_unsatisfiable`, `language_not_supported` and `website_inactive` are not."),
                Sentence(
                    "`article_id` is not null exactly if `status` is `completed`, and exactly if \
                     `GET /api/v1/articles/{article_id}` answers 200.",
                ),
            ],
            error_of_failed,
        )
        .needs(FAILING),
        Requirement::new(
            "jobs.failed.cancel",
            "Cancelling a failed job gets 409 job_not_cancellable and changes nothing.",
            &[
                Sentence("If the job completed or failed, it is 409 `job_not_cancellable`."),
                Sentence("Once `done` is true, the body and its `ETag` no longer change."),
                Sentence("The job has already completed or failed."),
            ],
            cancel_failed,
        )
        .needs(FAILING),
        Requirement::new(
            "jobs.terminal.stable",
            "The body of an ended job and its ETag no longer change.",
            &[Sentence("Once `done` is true, the body and its `ETag` no longer change.")],
            stable,
        )
        .drawn("plain topics", Cases::Divided(16), plain)
        .needs(JOBS),
    ]
}

async fn in_time(context: Context, _: Value) -> Verdict {
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Finishing what was begun")).await?;
    steps::ended_in_time(&context, &job_id).await.map(drop)
}

async fn consistent(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let job_id = steps::queue(&context, &body).await?;
    let early = context.send(steps::get_job(&job_id)).await?;
    let late = steps::finished(&context, &job_id).await?;
    for exchange in [&early, &late] {
        agrees(demand::json(exchange)?)?;
    }
    Ok(())
}

async fn error_of_failed(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &failing_order(&context, false)).await?;
    agrees(&job)?;
    let error = &job["error"];
    demand::schema(&context, error, "JobError")?;
    let code = demand::text(error, "code")?;
    let known = RETRYABLE.iter().find(|(known, _)| *known == code);
    // A later document may add codes.
    known.map_or(Ok(()), |(_, is_retryable)| {
        demand::same(&format!("retryable of {code}"), &json!(is_retryable), &error["retryable"])
    })
}

async fn cancel_failed(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &failing_order(&context, false)).await?;
    let job_id = demand::text(&job, "job_id")?;
    let refused = context.send(steps::cancel_job(job_id)).await?;
    demand::problem(&refused, 409, &["job_not_cancellable"])?;
    let after = context.send(steps::get_job(job_id)).await?;
    demand::status(&after, 200)?;
    demand::same("the job", &job, demand::json(&after)?)
}

async fn stable(context: Context, case: Value) -> Verdict {
    let begun = Instant::now();
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let job_id = steps::queue(&context, &body).await?;
    let first = steps::finished(&context, &job_id).await?;
    // Late work on an ended job should not take longer than the job itself.
    let took = begun.elapsed();
    let tag = demand::header(&first, "etag")?.to_owned();
    for pause in [Duration::from_millis(20), took / 3, took] {
        context.waiting(tokio::time::sleep(pause)).await;
        let again = context.send(steps::get_job(&job_id)).await?;
        ensure(again.body == first.body, "the same bytes for an ended job", || demand::seen(&again))?;
        ensure(again.header("etag") == Some(&tag), format!("the same ETag {tag}"), || {
            again.header("etag").unwrap_or("none").to_owned()
        })?;
    }
    Ok(())
}
