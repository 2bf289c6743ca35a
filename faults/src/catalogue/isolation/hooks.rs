//! Webhooks sent to endpoints of another account.

use std::time::Duration;

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::sender;
use crate::edge::Exchange;
use crate::hooks::Delivery;
use crate::message::{Operation, Request, Response};

/// Number and length of the pauses between checks if an article is published.
const LOOKS: usize = 60;
const LOOK: Duration = Duration::from_millis(100);
/// Address of the list of published articles.
const PUBLISHED: &str = "published";

pub(super) const FAULTS: &[Fault] = &[fault(
    "isolation.hooks-of-all",
    "The server sends webhooks to the endpoints of every account.",
    &["hooks.isolation.own-only"],
)
.exchange(|exchange| watch(exchange).boxed())
.delivery(|delivery| send_all(delivery).boxed())];

/// Watches the article of each finished job.
async fn watch(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let article_id = response.text("/article_id").filter(|_| exchange.request.is(Operation::GetJob));
    if let Some(id) = article_id.filter(|id| exchange.memory.is_first(id)) {
        exchange.relay.clone().spawn(list_when_published(exchange, id));
    }
    response
}

async fn list_when_published(exchange: Exchange, id: String) {
    let Some(key) = exchange.request.key() else { return };
    for _ in 0..LOOKS {
        let article = exchange.send(Request::get(&format!("/api/v1/articles/{id}")).with_key(key)).await;
        if let Some(article) = article.json().filter(|article| article["status"] == "published") {
            let data = json!({ "article": sender::summary(&article), "job_id": article["job_id"] });
            let event = sender::invented_event("article.published", &id, &data);
            sender::append(&exchange.memory, PUBLISHED, event);
            return;
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Sends webhooks about articles of other accounts along with one about an article. Another key was the first to see
/// their websites.
async fn send_all(delivery: Delivery) -> Response {
    let event = delivery.event().unwrap_or_default();
    let owner = |event: &serde_json::Value| {
        delivery.memory.world.owner_of(event["data"]["article"]["website_id"].as_str().unwrap_or_default())
    };
    if let Some(own) = owner(&event) {
        let mut foreign = sender::listed(&delivery.memory, PUBLISHED);
        foreign.retain(|other| owner(other).is_some_and(|other| other != own));
        sender::send_missed(&delivery, foreign).await;
    }
    delivery.forward().await
}
