//! Webhooks sent before their records can be read, or long after.

use std::time::Duration;

use futures::future::{FutureExt, ready};
use serde_json::{Map, Value, json};

use super::super::fault::{Fault, fault};
use crate::hooks::Delivery;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, edit_objects};

/// Time for which a record is missing after its webhook.
const BEHIND: Duration = Duration::from_secs(2);
/// Delay of a slow sender. The server's own attempt does not wait: it gets a success at once.
const LEISURE: Duration = Duration::from_secs(12);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "hooks.article-early",
        "The server sends the webhook of an article before the API shows it as published.",
        &["hooks.article.readable"],
    )
    .delivery(|delivery| tell(delivery, "/data/article/id").boxed())
    .response(hide_publication),
    fault(
        "hooks.lead-early",
        "The server sends the webhook of a lead before the API shows it.",
        &["hooks.lead.readable"],
    )
    .delivery(|delivery| tell(delivery, "/data/lead/id").boxed())
    .response(hide_lead),
    fault("hooks.leisurely", "Webhooks are sent twelve seconds late.", &["hooks.time.real"]).delivery(|delivery| {
        delivery.relay.clone().spawn(async move {
            tokio::time::sleep(LEISURE).await;
            delivery.forward().await;
        });
        ready(Response::new(204, "")).boxed()
    }),
];

/// Records the subject of the first webhook about a record.
async fn tell(delivery: Delivery, id: &str) -> Response {
    let event = delivery.event().unwrap_or_default();
    if let Some(id) = event.pointer(id).and_then(Value::as_str) {
        delivery.memory.get_or_put(id, true);
    }
    delivery.forward().await
}

fn is_behind(record: &Map<String, Value>, memory: &Memory) -> bool {
    let id = record.get("id").and_then(Value::as_str);
    id.and_then(|id| memory.age(id)).is_some_and(|age| age < BEHIND)
}

fn hide_publication(response: &mut Response, request: &Request, memory: &Memory) {
    if !response.is_success() || !matches!(request.operation(), Some(Operation::GetArticle | Operation::ListArticles)) {
        return;
    }
    response.edit(|body| {
        edit_objects(body, &mut |record| {
            if is_behind(record, memory) {
                record.insert("status".to_owned(), json!("scheduled"));
                record.insert("url".to_owned(), Value::Null);
                record.insert("published_at".to_owned(), Value::Null);
            }
        });
    });
}

fn hide_lead(response: &mut Response, request: &Request, memory: &Memory) {
    if !response.is_success() {
        return;
    }
    let hidden = |lead: &Value| lead.as_object().is_some_and(|lead| is_behind(lead, memory));
    if request.is(Operation::ListLeads) {
        response.edit(|page| {
            if let Some(rows) = page.get_mut("items").and_then(Value::as_array_mut) {
                rows.retain(|row| !hidden(row));
            }
        });
    } else if request.is(Operation::GetLead) && response.json().as_ref().is_some_and(hidden) {
        *response = Response::problem(response, 404, "lead_not_found", "Lead not found");
    }
}
