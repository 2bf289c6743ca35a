//! Jobs that are cancelled before they end.

use serde_json::Value;

use crate::check::{Context, Halt, demand};
use crate::steps;

/// Returns `body` with the maximum length: a long article gives the cancel time to come before the end of the job.
pub(crate) fn longest(context: &Context, mut body: Value) -> Value {
    body["target_word_count"] = steps::words(context, "maximum");
    body
}

/// Queues and cancels long articles until a cancel comes before the end of its job. Returns the id of the job and the cancelled job.
pub(crate) async fn cancelled_of(context: &Context, body: Value) -> Result<(String, Value), Halt> {
    let body = longest(context, body);
    for _ in 0..20 {
        let job_id = steps::queue(context, &body).await?;
        let exchange = context.send(steps::cancel_job(&job_id)).await?;
        if exchange.status == 409 {
            demand::problem(&exchange, 409, &["job_not_cancellable"])?;
            continue;
        }
        demand::status(&exchange, 200)?;
        return Ok((job_id, demand::json(&exchange)?.clone()));
    }
    Err(Halt::inconclusive("every job was finished before it could be cancelled"))
}
