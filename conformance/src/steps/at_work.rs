//! A job that is read before it ends.

use std::sync::Arc;

use serde_json::Value;

use super::{get_job, is_terminal, queue};
use crate::check::{Context, Exchange, Halt, demand};

/// Maximum number of jobs that end before they are read.
const TRIES: usize = 16;

/// Queues jobs until one is read before its end. Returns its id and that response.
pub(crate) async fn seen_at_work(context: &Context, body: &Value) -> Result<(String, Arc<Exchange>), Halt> {
    for _ in 0..TRIES {
        let job_id = queue(context, body).await?;
        let read = context.send(get_job(&job_id)).await?;
        demand::status(&read, 200)?;
        if !is_terminal(demand::text(demand::json(&read)?, "status")?) {
            return Ok((job_id, read));
        }
    }
    Err(Halt::Unmet(format!("each of {TRIES} jobs had ended before it was read")))
}
