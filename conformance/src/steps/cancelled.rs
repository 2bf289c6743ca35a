//! A job that was cancelled before it ended.

use serde_json::Value;

use crate::check::{Context, Halt, demand};
use crate::steps;

/// The longer the article, the better the chance to be faster than the writer.
pub(crate) fn longest(context: &Context, mut body: Value) -> Value {
    body["target_word_count"] = steps::words(context, "maximum");
    body
}

/// Orders `body`, in the greatest length, and cancels until a cancel wins the race with the writer: the job's id and the answer.
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
