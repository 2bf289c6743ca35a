//! A job that is still at work when it is looked at.

use std::sync::Arc;

use serde_json::Value;

use super::{get_job, is_terminal, queue};
use crate::check::{Context, Exchange, Halt, demand};

/// Jobs that are ordered until one is not yet done at the first look: a quick writer may end before it.
const TRIES: usize = 16;

/// Queues `body` until a first look at its job comes before its end; the job's id and that look.
pub(crate) async fn seen_at_work(context: &Context, body: &Value) -> Result<(String, Arc<Exchange>), Halt> {
    for _ in 0..TRIES {
        let job_id = queue(context, body).await?;
        let look = context.send(get_job(&job_id)).await?;
        demand::status(&look, 200)?;
        if !is_terminal(demand::text(demand::json(&look)?, "status")?) {
            return Ok((job_id, look));
        }
    }
    Err(Halt::Unmet(format!("each of {TRIES} jobs had ended before it was first looked at")))
}
