//! Scheduled posts of failed jobs.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::failing::{entry, failed, order};

const FAILING: &[Capability] = &[Capability::JOBS, Capability::PIPELINE, Capability::FAILING_JOB];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pipeline.failed.entry",
            "The scheduled post of a failed job is failed, with code and retryable of the job's error; it has no article \
            and is never published.",
            &[
                Sentence(
                    "If its job fails, the post is `failed`, with the `code` and `retryable` of the job's `error`.",
                ),
                Sentence(
                    "Why a scheduled post failed, for programs: `publish_failed` (retryable), `publish_rejected`, or \
                    the code of the job that failed.",
                ),
                Sentence("Id of the article once it is written."),
                Sentence("`published_at` is not null exactly if `status` is `published`."),
            ],
            failed_entry,
        )
        .needs(FAILING),
    ]
}

async fn failed_entry(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &order(&context, true)).await?;
    let entry = entry(&context, &job).await?;
    demand::same("status of the scheduled post", &json!("failed"), &entry["status"])?;
    demand::same("code of the scheduled post", &job["error"]["code"], &entry["error"]["code"])?;
    demand::same("retryable of the scheduled post", &job["error"]["retryable"], &entry["error"]["retryable"])?;
    for field in ["article_id", "published_at"] {
        demand::same(
            &format!("{field} of the scheduled post"),
            &Value::Null,
            entry.get(field).unwrap_or(&Value::Null),
        )?;
    }
    Ok(())
}
