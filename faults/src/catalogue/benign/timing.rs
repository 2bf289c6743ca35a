//! Servers that respond more slowly.

use std::time::Duration;

use serde_json::Value;

use super::super::fault::{Fault, Profile, variant};
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// Time that an article takes.
const WRITING: Duration = Duration::from_millis(500);

pub(super) const FAULTS: &[Fault] = &[
    variant("benign.slow", "Every response takes 50 ms longer.", Profile::Full)
        .response(|response, _, _| response.delay = Duration::from_millis(50)),
    variant("benign.slow-writer", "Reads show a job's end at least half a second after it was queued.", Profile::Full)
        .response(slow_writer),
];

fn slow_writer(response: &mut Response, request: &Request, memory: &Memory) {
    let Some(body) = response.json().filter(|_| response.is_success()) else { return };
    let Some(job_id) = body.get("job_id").and_then(Value::as_str) else { return };
    let has_ended = match request.operation() {
        Some(Operation::Generate) => {
            memory.get_or_put(job_id, true);
            false
        }
        Some(Operation::GetJob) => body.get("status").is_some_and(|status| status == "completed"),
        Some(Operation::GetArticle) => true,
        _ => false,
    };
    if let Some(age) = memory.age(job_id).filter(|_| has_ended) {
        response.delay = WRITING.saturating_sub(age);
    }
}
