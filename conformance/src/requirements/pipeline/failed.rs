//! The entry of a job that failed.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::failing::{entry, failed, order};

const FAILING: &[Capability] = &[Capability::JOBS, Capability::PIPELINE, Capability::FAILING_JOB];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pipeline.failed.entry",
            "The entry of a job that failed is failed, with the code of the job; it has no article and is never published.",
            "openapi.yaml, ScheduledPost and PostErrorCode",
            failed_entry,
        )
        .needs(FAILING),
    ]
}

async fn failed_entry(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &order(&context, true)).await?;
    let entry = entry(&context, &job).await?;
    demand::same("status of the entry", &json!("failed"), &entry["status"])?;
    demand::same("code of the entry", &job["error"]["code"], &entry["error"]["code"])?;
    demand::same("retryable of the entry", &job["error"]["retryable"], &entry["error"]["retryable"])?;
    for member in ["article_id", "published_at"] {
        demand::same(&format!("{member} of the entry"), &Value::Null, entry.get(member).unwrap_or(&Value::Null))?;
    }
    Ok(())
}
