//! Steps that wait for a scheduled post.

use std::time::Duration;

use serde_json::Value;

use crate::check::{Context, Halt, Look, demand};
use crate::steps::lists;

/// Reads the scheduled post of a job until its status is one of `wanted`.
pub(crate) async fn settled(context: &Context, job_id: &str, wanted: &[&str], limit: Duration) -> Result<Value, Halt> {
    let look = || async move {
        let entries = lists::entries_of(context, job_id).await?;
        let entry = entries.into_iter().next().unwrap_or_default();
        if wanted.contains(&entry["status"].as_str().unwrap_or_default()) {
            return Ok(Look::Found(entry));
        }
        let expected = format!("a scheduled post that becomes {} within {} s", wanted.join(" or "), limit.as_secs());
        Ok(Look::NotYet(Halt::fail(expected, demand::brief(&entry))))
    };
    context.eventually(limit, look).await
}
