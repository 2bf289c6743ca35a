//! Failed jobs.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::failing::{failed, order};
use crate::steps::job_details::agrees;

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
            error,
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
            cancel,
        )
        .needs(FAILING),
    ]
}

async fn error(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &order(&context, false)).await?;
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

async fn cancel(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &order(&context, false)).await?;
    let job_id = demand::text(&job, "job_id")?;
    let refused = context.send(steps::cancel_job(job_id)).await?;
    demand::problem(&refused, 409, &["job_not_cancellable"])?;
    let after = context.send(steps::get_job(job_id)).await?;
    demand::status(&after, 200)?;
    demand::same("the job", &job, demand::json(&after)?)
}
