//! A job that failed for good: what it says, and that nothing follows from it.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::failing::{failed, order};
use crate::steps::job_details::agrees;

const SOURCE: &str = "openapi.yaml, Job and JobErrorCode";

const FAILING: &[Capability] = &[Capability::JOBS, Capability::FAILING_JOB];

/// The codes of the document, and whether the same request may succeed later.
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
        Requirement::must(
            "jobs.failed.error",
            "A job that failed says why in error, with a code, a sentence and whether the same request may succeed later; it has no article.",
            SOURCE,
            error,
        )
        .needs(FAILING),
        Requirement::must(
            "jobs.failed.cancel",
            "A job that failed cannot be cancelled: 409 job_not_cancellable, whose detail names its state, and it stays as it is.",
            "openapi.yaml, x-problem-codes, job_not_cancellable; Job, job-stable-end",
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
    demand::text(error, "message")?;
    let code = demand::text(error, "code")?;
    let known = RETRYABLE.iter().find(|(known, _)| *known == code);
    // A later version of the document may have further codes.
    known.map_or(Ok(()), |(_, is_retryable)| {
        demand::same(&format!("retryable of {code}"), &json!(is_retryable), &error["retryable"])
    })
}

async fn cancel(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &order(&context, false)).await?;
    let job_id = demand::text(&job, "job_id")?;
    let refused = context.send(steps::cancel_job(job_id)).await?;
    demand::problem(&refused, 409, &["job_not_cancellable"])?;
    let detail = demand::text(demand::json(&refused)?, "detail")?;
    ensure(detail.contains("failed"), "a detail that names the state `failed`", || detail.to_owned())?;
    let after = context.send(steps::get_job(job_id)).await?;
    demand::status(&after, 200)?;
    demand::same("the job", &job, demand::json(&after)?)
}
