//! Calls about jobs in exchanges, for the rules of the `model`.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value;
use tokio::time::Instant;

use super::calls::without_nulls;
use super::lists::rows;
use super::paths::percent_decoded;
use crate::check::{Exchange, demand};
use crate::model::job::{Answer, Call, PostStatus, Status};

/// Returns what an exchange shows about jobs: the id of each job, the call, and the response.
pub(crate) fn of_jobs(exchange: &Exchange) -> Vec<(String, Call, Answer)> {
    let Some(body) = exchange.json() else { return Vec::new() };
    let id = |value: &Value| value["job_id"].as_str().map(ToOwned::to_owned);
    let one = |id: Option<String>, call, answer| id.map(|id| (id, call, answer)).into_iter().collect();
    match (exchange.request.operation, exchange.status) {
        (Some("get_job"), 200) => one(id(body), Call::Read, job(body)),
        (Some("cancel_job"), 200) => one(id(body), Call::Cancel, job(body)),
        (Some("cancel_job"), 409) if exchange.code() == Some("job_not_cancellable") => {
            one(id_in_path(exchange), Call::Cancel, Answer::NotCancellable)
        }
        (Some("get_article"), 200) => one(id(body), Call::ReadArticle, Answer::Article),
        (Some("get_article"), 404) => {
            let answer = match exchange.code() {
                Some("article_not_ready") => Answer::NotReady,
                Some("generation_failed") => Answer::GenerationFailed,
                Some("generation_cancelled") => Answer::GenerationCancelled,
                _ => return Vec::new(),
            };
            one(id_in_path(exchange), Call::ReadArticle, answer)
        }
        (Some("get_scheduled_post"), 200) => post(body).into_iter().collect(),
        (Some("list_scheduled_posts"), 200) => rows(body).iter().filter_map(post).collect(),
        _ => Vec::new(),
    }
}

/// Returns the body of a job as a response to `get_job` or `cancel_job`.
fn job(body: &Value) -> Answer {
    let Some(status) = body["status"].as_str().and_then(Status::parse) else {
        return Answer::Other(format!("200, {}", demand::brief(&body["status"])));
    };
    let progress = body["progress"].as_u64().and_then(|progress| u8::try_from(progress).ok());
    // `null` and an absent field mean the same.
    let mut hasher = DefaultHasher::new();
    without_nulls(body).to_string().hash(&mut hasher);
    Answer::Job { status, progress, body: hasher.finish() }
}

/// Returns a scheduled post as a response about its job.
fn post(body: &Value) -> Option<(String, Call, Answer)> {
    let id = body["job_id"].as_str()?.to_owned();
    let status = PostStatus::parse(body["status"].as_str()?)?;
    Some((id, Call::ReadPost, Answer::Post(status)))
}

/// Returns the id in the path of a request for a job or an article.
fn id_in_path(exchange: &Exchange) -> Option<String> {
    let path = exchange.request.path.split('?').next()?;
    let below = ["/jobs/", "/articles/"].iter().find_map(|name| path.split_once(name))?.1;
    let id = below.split('/').next()?;
    String::from_utf8(percent_decoded(id)).ok()
}

/// Returns the time between two instants in nanoseconds; 0 if `time` is earlier.
pub(crate) fn nanoseconds(origin: Instant, time: Instant) -> u64 {
    u64::try_from(time.saturating_duration_since(origin).as_nanos()).unwrap_or(u64::MAX)
}
