//! Unexpected webhooks, differences between webhooks about articles and about leads, and leaks.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::sender;
use super::attempts::follow;
use crate::edge::Exchange;
use crate::hooks::Delivery;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

const REDIRECTS: &[&str] = &["hooks.redirect.not-followed"];
const ARTICLE_REQUEST: &[&str] = &["hooks.article.json-post"];

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "hooks.cancelled-announced",
        "The server sends a failure webhook for a cancelled job.",
        &["hooks.cancelled.silent"],
    )
    .exchange(|exchange| note_cancelled(exchange).boxed())
    .delivery(|delivery| announce_cancelled(delivery).boxed()),
    fault("hooks.article-as-text", "Webhooks about articles have the media type text/plain.", ARTICLE_REQUEST).hook(
        |hook, _, _| {
            if sender::is_of(hook, "article.published") {
                hook.set("content-type", "text/plain");
            }
        },
    ),
    fault("hooks.article-is-put", "Webhooks about articles are sent with PUT.", ARTICLE_REQUEST).hook(|hook, _, _| {
        if sender::is_of(hook, "article.published") {
            hook.method = http::Method::PUT;
        }
    }),
    fault("hooks.moved-permanently", "301 is followed.", REDIRECTS)
        .delivery(|delivery| follow(delivery, &[301]).boxed()),
    fault("hooks.see-other", "303 is followed.", REDIRECTS).delivery(|delivery| follow(delivery, &[303]).boxed()),
    fault("hooks.article-once", "The server does not retry webhooks about articles.", &["hooks.article.retried"])
        .delivery(|delivery| article_once(delivery).boxed()),
    fault("hooks.visitor-told", "The webhook of a lead contains the visitor's IP address.", &["hooks.lead.no-visitor"])
        .response(note_visitor)
        .hook(|hook, _, memory| {
            let event = hook.json().unwrap_or_default();
            let email = event.pointer("/data/lead/email").and_then(Value::as_str).unwrap_or_default();
            if let Some(visitor) = memory.get(&visitor_of(email)) {
                hook.edit(|event| event["data"]["visitor"] = visitor);
            }
        }),
    fault("hooks.excerpt-cut", "Payloads cut the excerpt at 40 characters.", &["hooks.article.same-as-read"]).hook(
        |hook, _, _| {
            hook.edit(|event| {
                if let Some(Value::String(excerpt)) = event.pointer_mut("/data/article/excerpt") {
                    *excerpt = excerpt.chars().take(40).collect();
                }
            });
        },
    ),
    fault("hooks.tags-untold", "The tags of a payload are empty.", &["hooks.article.same-as-read"]).hook(
        |hook, _, _| {
            hook.edit(|event| {
                if let Some(tags) = event.pointer_mut("/data/article/tags") {
                    *tags = json!([]);
                }
            });
        },
    ),
];

fn cancelled_on(website_id: &Value) -> String {
    format!("cancelled on {website_id}")
}

async fn note_cancelled(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if exchange.request.is(Operation::CancelJob) && response.is_success() {
        let job = response.json().unwrap_or_default();
        let id = job["job_id"].as_str().unwrap_or_default();
        if exchange.memory.is_first(&format!("cancelled {id}")) {
            let event = sender::invented_event("job.failed", id, &json!({ "job": job }));
            sender::append(&exchange.memory, &cancelled_on(&job["website_id"]), event);
        }
    }
    response
}

/// A webhook of the same website shows whose endpoint it is.
async fn announce_cancelled(delivery: Delivery) -> Response {
    let event = delivery.event().unwrap_or_default();
    if event["type"] == "article.published" {
        let cancelled = cancelled_on(&event["data"]["article"]["website_id"]);
        sender::send_missed(&delivery, sender::listed(&delivery.memory, &cancelled)).await;
    }
    delivery.forward().await
}

async fn article_once(delivery: Delivery) -> Response {
    let response = delivery.forward().await;
    let is_kept = response.status == 410 || delivery.event_type() != "article.published";
    if is_kept { response } else { Response::new(204, "") }
}

fn visitor_of(email: &str) -> String {
    format!("visitor {}", email.to_ascii_lowercase())
}

fn note_visitor(response: &mut Response, request: &Request, memory: &Memory) {
    if !request.is(Operation::CaptureLead) || !response.is_success() {
        return;
    }
    if let (Some(email), Some(address)) = (sender::form(request).get("email").and_then(Value::as_str), request.address)
    {
        let agent = request.header("user-agent").unwrap_or_default();
        memory.put(&visitor_of(email), json!({ "ip": address.to_string(), "user_agent": agent }));
    }
}
