//! Entries of the pipeline.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::check::{Context, Halt, demand};
use crate::steps::lists;

/// Reads the entry until its status is one of `wanted`.
pub(crate) async fn settled(context: &Context, job_id: &str, wanted: &[&str], limit: Duration) -> Result<Value, Halt> {
    context.waiting(read_until(context, job_id, wanted, limit)).await
}

async fn read_until(context: &Context, job_id: &str, wanted: &[&str], limit: Duration) -> Result<Value, Halt> {
    let deadline = Instant::now() + limit;
    loop {
        let entries = lists::entries_of(context, job_id).await?;
        let entry = entries.first().cloned().unwrap_or_default();
        let status = entry["status"].as_str().unwrap_or_default();
        if wanted.contains(&status) {
            return Ok(entry);
        }
        if Instant::now() >= deadline {
            return Err(Halt::fail(
                format!("an entry that becomes {} within {} s", wanted.join(" or "), limit.as_secs()),
                demand::brief(&entry),
            ));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
