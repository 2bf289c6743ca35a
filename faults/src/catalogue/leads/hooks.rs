//! Faults in webhooks about forms.

use futures::future::FutureExt;
use serde_json::{Map, Value, json};

use super::super::fault::{Fault, fault};
use super::super::sender;
use crate::clock;
use crate::hooks::Delivery;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, write_time};

pub(super) const FAULTS: &[Fault] = &[fault(
    "leads.trap-announced",
    "The server sends a webhook for a form with a filled trap.",
    &["hooks.trap.marked"],
)
.response(note_trapped)
.delivery(|delivery| announce_trapped(delivery).boxed())];

fn note_trapped(response: &mut Response, request: &Request, memory: &Memory) {
    if !request.is(Operation::CaptureLead) || !response.is_success() {
        return;
    }
    let form = sender::form(request);
    let is_trapped = form.get("_hp").and_then(Value::as_str).is_some_and(|trap| !trap.is_empty());
    if let Some(website_id) = request.id().filter(|_| is_trapped) {
        let number = memory.next_number("trapped");
        let lead = lead(form, &website_id, number);
        let event = sender::invented_event("lead.captured", &number.to_string(), &json!({ "lead": lead }));
        sender::append(memory, &trapped_on(&website_id), event);
    }
}

fn trapped_on(website_id: &str) -> String {
    format!("trapped on {website_id}")
}

/// Returns the lead that the form would create.
fn lead(mut form: Map<String, Value>, website_id: &str, number: u64) -> Value {
    let mut lead = json!({
        "id": sender::invented_id(&format!("lead {number}")),
        "website_id": website_id,
        "fields": {},
        "source": { "utm": {} },
        "consent": { "given": false },
        "captured_at": write_time(clock::now()),
        "updated_at": write_time(clock::now()),
    });
    for name in ["email", "name", "company", "phone", "message", "fields", "source", "consent"] {
        if let Some(value) = form.remove(name) {
            lead[name] = value;
        }
    }
    if lead["source"].is_object() && lead["source"]["utm"].is_null() {
        lead["source"]["utm"] = json!({});
    }
    lead
}

/// A webhook about the same website shows whose endpoint it is. Send the trapped forms before it.
async fn announce_trapped(delivery: Delivery) -> Response {
    let event = delivery.event().unwrap_or_default();
    if let Some(website_id) = event["data"]["lead"]["website_id"].as_str() {
        let trapped = sender::listed(&delivery.memory, &trapped_on(website_id));
        sender::send_missed(&delivery, trapped).await;
    }
    delivery.forward().await
}
