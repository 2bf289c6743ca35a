//! A configured request whose job fails for good.
//!
//! `requirements` check the resulting job, scheduled post and article.

use serde_json::{Value, json};

use super::lists::POSTS;
use super::{calls, searched};
use crate::check::{Context, Credential, Halt, Look, demand};

/// An ordinary topic, for a website that alone causes the failure.
const TOPIC: &str = "Airing a bedroom in winter";

/// Returns the request. An article that is written anyway is published immediately, or not at all.
pub(crate) fn order(context: &Context, is_published: bool) -> Value {
    let lent = context.facts().failing_job.clone().unwrap_or_default();
    let mut body = calls::quiet_request(context, lent.topic.as_deref().unwrap_or(TOPIC));
    if let Some(website_id) = lent.website_id {
        body["website_id"] = json!(website_id);
    }
    body["auto_publish"] = json!(is_published);
    body
}

/// Sends `body` and waits until its job has failed.
pub(crate) async fn failed(context: &Context, body: &Value) -> Result<Value, Halt> {
    let job_id = calls::queue(context, body).await?;
    let ended = calls::finished(context, &job_id).await?;
    let job = demand::json(&ended)?.clone();
    if job["status"] == "failed" {
        return Ok(job);
    }
    Err(Halt::inconclusive(format!(
        "the job ended as {}, so nothing is seen of failed ones: what [failing_job] names can be written about",
        job["status"]
    )))
}

/// Returns the scheduled post of a failed job once it has failed too.
pub(crate) async fn entry(context: &Context, job: &Value) -> Result<Value, Halt> {
    let query = &format!("limit=100&website_id={}", calls::segment(demand::text(job, "website_id")?));
    let look = || async move {
        let of_job = |row: &Value| row["job_id"] == job["job_id"];
        Ok(match searched::row(context, POSTS, query, Credential::Main, of_job).await? {
            Some(entry) if entry["status"] == "failed" => Look::Found(entry),
            Some(entry) => Look::NotYet(Halt::fail("an entry that has failed, as its job has", demand::brief(&entry))),
            None => Look::NotYet(Halt::fail("an entry with the job_id", "none")),
        })
    };
    context.eventually(context.grace(), look).await
}
