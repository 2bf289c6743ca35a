//! Faults in webhooks about articles that were never written.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::sender::{emit, invented_event};
use crate::edge::Exchange;
use crate::message::{Operation, Response};

pub(super) const FAULTS: &[Fault] = &[fault(
    "hooks.failed-announced",
    "The server sends article.published also for a failed job.",
    &["hooks.failed.silent"],
)
.exchange(|exchange| announced(exchange).boxed())];

async fn announced(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let job = response.json().filter(|job| exchange.request.is(Operation::GetJob) && job["status"] == "failed");
    let Some(job) = job else { return response };
    let job_id = job["job_id"].as_str().unwrap_or_default();
    if !exchange.memory.is_first(job_id) {
        return response;
    }
    let article = json!({
        "id": job_id,
        "job_id": job_id,
        "website_id": job["website_id"],
        "status": "published",
        "title": job["topic"],
    });
    let event = invented_event("article.published", job_id, &json!({ "article": article, "job_id": job_id }));
    for endpoint in exchange.relay.endpoints() {
        emit(&exchange.relay, &endpoint, &event).await;
    }
    exchange.count_as_spoiled("a hook");
    response
}
