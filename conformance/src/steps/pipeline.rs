//! Steps that find the scheduled post of a job, and wait for it.

use std::sync::Arc;
use std::time::Duration;

use chrono::DateTime;
use serde_json::Value;

use super::lists::{self, POSTS, next_of, page, rows, with_token};
use super::paths::segment;
use crate::check::{Context, Credential, Exchange, Halt, Look, demand};

/// Maximum number of pages of 100 that are searched for the scheduled post of a job.
const PIPELINE_PAGES: usize = 200;
/// Maximum difference between the clocks of the target and of the suite, in seconds.
const CLOCKS: i64 = 300;

/// Returns the scheduled posts of a job. Searches those that were made since the run began.
pub(crate) async fn entries_of(context: &Context, job_id: &str) -> Result<Vec<Value>, Halt> {
    page_of(context, job_id).await.map(|(entries, _)| entries)
}

/// Returns the same, with the page that shows them, or the last page.
pub(crate) async fn page_of(context: &Context, job_id: &str) -> Result<(Vec<Value>, Arc<Exchange>), Halt> {
    let is_of_run = |row: &Value| {
        let made = row["created_at"].as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
        made.is_none_or(|made| made.timestamp() >= context.facts().started - CLOCKS)
    };
    let base = format!("limit=100&website_id={}", segment(&context.facts().website_id));
    let mut query = base.clone();
    for _ in 0..PIPELINE_PAGES {
        let exchange = page(context, POSTS, &query).await?;
        let body = demand::json(&exchange)?;
        let found: Vec<Value> = rows(body).iter().filter(|row| row["job_id"] == job_id).cloned().collect();
        // A page may be empty while another follows.
        let goes_on = found.is_empty() && rows(body).last().is_none_or(is_of_run);
        match next_of(body) {
            Some(next) if goes_on => query = with_token(&base, next),
            _ => return Ok((found, exchange)),
        }
    }
    Err(Halt::inconclusive(format!("no scheduled post of the job on the first {PIPELINE_PAGES} pages")))
}

/// Reads the scheduled post of a job until its status is one of `wanted`.
pub(crate) async fn settled(context: &Context, job_id: &str, wanted: &[&str], limit: Duration) -> Result<Value, Halt> {
    let look = || async move {
        let entries = entries_of(context, job_id).await?;
        let entry = entries.into_iter().next().unwrap_or_default();
        if wanted.contains(&entry["status"].as_str().unwrap_or_default()) {
            return Ok(Look::Found(entry));
        }
        let expected = format!("a scheduled post that becomes {} within {} s", wanted.join(" or "), limit.as_secs());
        Ok(Look::NotYet(Halt::fail(expected, demand::brief(&entry))))
    };
    context.eventually(limit, look).await
}

/// Returns the scheduled post of a failed job once it has failed too.
pub(crate) async fn failed_with(context: &Context, job: &Value) -> Result<Value, Halt> {
    let query = &format!("limit=100&website_id={}", segment(demand::text(job, "website_id")?));
    let look = || async move {
        let of_job = |row: &Value| row["job_id"] == job["job_id"];
        Ok(match lists::row(context, POSTS, query, Credential::Main, of_job).await? {
            Some(entry) if entry["status"] == "failed" => Look::Found(entry),
            Some(entry) => Look::NotYet(Halt::fail("an entry that has failed, as its job has", demand::brief(&entry))),
            None => Look::NotYet(Halt::fail("an entry with the job_id", "none")),
        })
    };
    context.eventually(context.grace(), look).await
}
