//! Faults in webhooks about failed jobs.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::sender::{emit, invented_event, is_of};
use crate::edge::Exchange;
use crate::hooks::Delivery;
use crate::message::{Operation, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "hooks.failed-announced",
        "The server sends article.published also for a failed job.",
        &["hooks.failed.silent"],
    )
    .exchange(|exchange| announced(exchange, "article.published", as_article).boxed()),
    fault(
        "hooks.failed-post-announced",
        "The server sends scheduled_post.failed also for a failed job.",
        &["hooks.failed.silent"],
    )
    .exchange(|exchange| announced(exchange, "scheduled_post.failed", as_post).boxed()),
    fault(
        "hooks.failed-unchosen",
        "The server sends job.failed to every endpoint, whatever types it chose.",
        &["hooks.registration.filter-failures"],
    )
    .exchange(|exchange| announced(exchange, "job.failed", |job| json!({ "job": job })).boxed()),
    fault(
        "hooks.failed-once",
        "The server sends job.failed only to the oldest endpoint.",
        &["hooks.failed.everywhere"],
    )
    .delivery(|delivery| failed_once(delivery).boxed()),
    fault(
        "hooks.failed-at-start",
        "The job in job.failed has the time at which it was queued as finished_at.",
        &["hooks.failed.everywhere"],
    )
    .hook(|hook, _, _| {
        if is_of(hook, "job.failed") {
            hook.edit(|event| event["data"]["job"]["finished_at"] = event["data"]["job"]["created_at"].clone());
        }
    }),
];

/// Sends an event with this type to every endpoint once a failed job is read.
async fn announced(exchange: Exchange, event_type: &str, data: fn(&Value) -> Value) -> Response {
    let response = exchange.forward().await;
    let job = response.json().filter(|job| exchange.request.is(Operation::GetJob) && job["status"] == "failed");
    let Some(job) = job else { return response };
    let job_id = job["job_id"].as_str().unwrap_or_default();
    if !exchange.memory.is_first(job_id) {
        return response;
    }
    let event = invented_event(event_type, job_id, &data(&job));
    for endpoint in exchange.relay.endpoints() {
        emit(&exchange.relay, &endpoint, &event).await;
    }
    exchange.count_as_spoiled("a hook");
    response
}

/// Returns the data of an event about an article that was never written.
fn as_article(job: &Value) -> Value {
    let article = json!({
        "id": job["job_id"],
        "job_id": job["job_id"],
        "website_id": job["website_id"],
        "status": "published",
        "title": job["topic"],
    });
    json!({ "article": article, "job_id": job["job_id"] })
}

/// Returns the data of an event about the scheduled post of a job that failed.
fn as_post(job: &Value) -> Value {
    let post = json!({
        "id": job["scheduled_post_id"],
        "job_id": job["job_id"],
        "website_id": job["website_id"],
        "topic": job["topic"],
        "status": "failed",
        "auto_publish": true,
        "attempts": 0,
        "error": job["error"],
        "created_at": job["created_at"],
        "updated_at": job["finished_at"],
    });
    json!({ "scheduled_post": post })
}

async fn failed_once(delivery: Delivery) -> Response {
    let is_unsent = delivery.event_type() == "job.failed" && delivery.endpoint.number > 0;
    if is_unsent { Response::new(204, "") } else { delivery.forward().await }
}
