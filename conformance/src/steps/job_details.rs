//! Fields of a job.

use serde_json::{Value, json};

use crate::check::{Exchange, Verdict, demand, ensure};
use crate::steps;

/// Demands that the fields agree with the status.
pub(crate) fn agrees(job: &Value) -> Verdict {
    let status = demand::text(job, "status")?;
    let terminal = steps::is_terminal(status);
    demand::same("done", &json!(terminal), &job["done"])?;
    let pairs = [("finished_at", terminal), ("error", status == "failed"), ("article_id", status == "completed")];
    for (field, expected) in pairs {
        let is_there = job.get(field).is_some_and(|value| !value.is_null());
        let word = if expected { "present" } else { "absent" };
        ensure(is_there == expected, format!("{field} {word} when status is {status}"), || demand::brief(job))?;
    }
    Ok(())
}

/// Returns the job in a response.
pub(crate) fn shown(exchange: &Exchange) -> Option<&Value> {
    let is_job = matches!(exchange.request.operation, Some("get_job" | "cancel_job"));
    exchange.json().filter(|_| is_job && exchange.succeeded())
}
