//! Faults in choosing which events to send.

use std::time::Duration;

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::sender;
use crate::edge::Exchange;
use crate::hooks::Delivery;
use crate::message::{Operation, Request, Response, parse_time};

/// Time for which a repeated form waits for the first webhook, its polling interval, and the time for further
/// endpoints.
const FIRST_WITHIN: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(100);
const OTHERS_WITHIN: Duration = Duration::from_millis(300);

pub(super) const FAULTS: &[Fault] = &[
    fault("hooks.lead-unsent", "The server sends no webhook for a captured lead.", &["hooks.lead.sent"])
        .delivery(|delivery| unsent(delivery, "lead.captured").boxed()),
    fault("hooks.article-unsent", "The server sends no webhook for a published article.", &["hooks.article.sent"])
        .delivery(|delivery| unsent(delivery, "article.published").boxed()),
    fault(
        "hooks.draft-sent",
        "The server sends article.published for a finished draft.",
        &["hooks.article.not-before"],
    )
    .exchange(|exchange| find_draft(exchange).boxed())
    .delivery(|delivery| draft_sent(delivery).boxed()),
    fault(
        "hooks.burst-coalesced",
        "The server sends only one webhook for leads within the same second.",
        &["hooks.lead.burst"],
    )
    .delivery(|delivery| burst_coalesced(delivery).boxed()),
    fault("hooks.repeat-sent", "The server sends another webhook for a repeated form.", &["hooks.lead.one-event"])
        .exchange(|exchange| announce_repeat(exchange).boxed())
        .delivery(|delivery| keep_event(delivery).boxed()),
    fault(
        "hooks.confirmed-unasked",
        "The server sends lead.confirmed also for a lead that needs no confirmation.",
        &["hooks.double-opt-in.not-required"],
    )
    .delivery(|delivery| confirmed_unasked(delivery).boxed()),
    fault(
        "hooks.updated-unasked",
        "The server sends article.updated also when an article is published.",
        &["hooks.article.one-event"],
    )
    .delivery(|delivery| updated_unasked(delivery).boxed()),
];

async fn unsent(delivery: Delivery, event_type: &str) -> Response {
    if delivery.event_type() == event_type { Response::new(204, "") } else { delivery.forward().await }
}

/// Reads the article of each finished job to find out if it stays a draft.
async fn find_draft(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let article_id = response.text("/article_id").filter(|_| exchange.request.is(Operation::GetJob));
    if let (Some(id), Some(key)) = (article_id, exchange.request.key())
        && exchange.memory.is_first(&id)
    {
        let article = exchange.send(Request::get(&format!("/api/v1/articles/{id}")).with_key(key)).await;
        if let Some(article) = article.json().filter(|article| article["status"] == "draft") {
            let data = json!({ "article": sender::summary(&article), "job_id": article["job_id"] });
            let event = sender::invented_event("article.published", &id, &data);
            sender::append(&exchange.memory, &drafts_of(&article), event);
        }
    }
    response
}

fn drafts_of(article: &Value) -> String {
    format!("drafts of {}", article["website_id"])
}

/// A webhook of the same website shows whose endpoint it is. Send the drafts before it.
async fn draft_sent(delivery: Delivery) -> Response {
    let event = delivery.event().unwrap_or_default();
    if event["type"] == "article.published" {
        let drafts = sender::listed(&delivery.memory, &drafts_of(&event["data"]["article"]));
        sender::send_missed(&delivery, drafts).await;
    }
    delivery.forward().await
}

async fn burst_coalesced(delivery: Delivery) -> Response {
    let lead = delivery.event().unwrap_or_default()["data"]["lead"].take();
    let Some(captured_at) = lead["captured_at"].as_str().and_then(parse_time) else { return delivery.forward().await };
    let second = format!("{} at {}", captured_at.timestamp(), delivery.endpoint.number);
    let id = sender::event_id(&delivery.request);
    let announced = delivery.memory.get_or_put(&second, id.clone());
    if announced == json!(id) { delivery.forward().await } else { Response::new(204, "") }
}

/// Identity of a lead: website, form and e-mail without ASCII case. `None` without an e-mail.
fn identity(website_id: &str, form: &Value) -> Option<String> {
    let email = form["email"].as_str().filter(|email| !email.is_empty())?.to_ascii_lowercase();
    let form_id = [&form["source"]["form_id"], &form["form_id"]].into_iter().find_map(Value::as_str);
    Some(format!("{website_id} {} {email}", form_id.unwrap_or_default()))
}

async fn keep_event(delivery: Delivery) -> Response {
    let event = delivery.event().unwrap_or_default();
    let lead = &event["data"]["lead"];
    if let Some(identity) = lead["website_id"].as_str().and_then(|website_id| identity(website_id, lead)) {
        delivery.memory.put(&format!("{identity} at {}", delivery.endpoint.number), event);
    }
    delivery.forward().await
}

async fn announce_repeat(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if !exchange.request.is(Operation::CaptureLead) || !response.is_success() {
        return response;
    }
    let form = Value::Object(sender::form(&exchange.request));
    let identity = exchange.request.id().and_then(|website_id| identity(&website_id, &form));
    if let Some(identity) = identity {
        let repeat = exchange.memory.next_number(&identity);
        if repeat > 0 {
            exchange.relay.clone().spawn(announce_again(exchange, identity, repeat));
        }
    }
    response
}

async fn announce_again(exchange: Exchange, identity: String, repeat: u64) {
    let (relay, memory) = (&exchange.relay, &exchange.memory);
    let kept = || {
        let endpoints = relay.endpoints().into_iter();
        let kept = endpoints.filter_map(|to| Some((memory.get(&format!("{identity} at {}", to.number))?, to)));
        kept.collect::<Vec<_>>()
    };
    let deadline = tokio::time::Instant::now() + FIRST_WITHIN;
    while kept().is_empty() && tokio::time::Instant::now() < deadline {
        tokio::time::sleep(LOOK).await;
    }
    tokio::time::sleep(OTHERS_WITHIN).await;
    for (mut event, endpoint) in kept() {
        event["id"] = json!(sender::invented_id(&format!("{} {repeat}", event["id"])));
        exchange.count_as_spoiled("sends a hook");
        sender::emit(relay, &endpoint, &event).await;
    }
}

async fn confirmed_unasked(delivery: Delivery) -> Response {
    let response = delivery.forward().await;
    let event = delivery.event().unwrap_or_default();
    let lead = &event["data"]["lead"];
    if event["type"] == "lead.captured" && lead["confirmation"]["status"] != "pending" {
        let id = lead["id"].as_str().unwrap_or_default();
        let confirmed = sender::invented_event("lead.confirmed", id, &json!({ "lead": lead }));
        sender::send_missed(&delivery, vec![confirmed]).await;
    }
    response
}

async fn updated_unasked(delivery: Delivery) -> Response {
    let response = delivery.forward().await;
    let event = delivery.event().unwrap_or_default();
    if event["type"] == "article.published" {
        let id = event["data"]["article"]["id"].as_str().unwrap_or_default();
        let updated = sender::invented_event("article.updated", id, &event["data"]);
        sender::send_missed(&delivery, vec![updated]).await;
    }
    response
}
