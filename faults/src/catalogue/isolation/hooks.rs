//! Whose endpoints get a hook.

use std::time::Duration;

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::sender;
use crate::edge::Exchange;
use crate::hooks::Delivery;
use crate::message::{Operation, Request, Response};

/// How often, and with which pause, it is looked whether an article is published.
const LOOKS: usize = 60;
const LOOK: Duration = Duration::from_millis(100);
/// Where published articles are listed.
const PUBLISHED: &str = "published";

pub(super) const FAULTS: &[Fault] =
    &[fault("isolation.hooks-of-all", "Hooks go to the endpoints of every account.", &["hooks.isolation.own-only"])
        .exchange(|exchange| watch(exchange).boxed())
        .delivery(|delivery| send_all(delivery).boxed())];

/// Watches the article of each job that is done.
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

/// With a hook about an article go those about articles of other accounts: of websites that another key was the first to see.
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
