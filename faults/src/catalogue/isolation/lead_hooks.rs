//! Webhooks about leads sent to endpoints of another account.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::sender;
use crate::edge::Exchange;
use crate::hooks::Delivery;
use crate::message::{Operation, Response, write_time};

/// Address of the list of captured leads.
const CAPTURED: &str = "captured";

pub(super) const FAULTS: &[Fault] = &[fault(
    "isolation.lead-hooks-of-all",
    "The server sends webhooks about leads to the endpoints of every account.",
    &["hooks.isolation.own-leads-only"],
)
.exchange(|exchange| watch(exchange).boxed())
.delivery(|delivery| send_all(delivery).boxed())];

async fn watch(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let form = sender::form(&exchange.request);
    let website_id = exchange.request.id().filter(|_| exchange.request.is(Operation::CaptureLead));
    if let Some(website_id) = website_id.filter(|_| response.is_success()) {
        let number = exchange.memory.next_number("leads");
        let lead = json!({
            "id": sender::invented_id(&format!("lead {number}")),
            "website_id": website_id,
            "email": form.get("email"),
            "fields": {},
            "source": { "utm": {} },
            "consent": { "given": false },
            "captured_at": write_time(crate::clock::now()),
            "updated_at": write_time(crate::clock::now()),
        });
        let event = sender::invented_event("lead.captured", &number.to_string(), &json!({ "lead": lead }));
        sender::append(&exchange.memory, CAPTURED, event);
    }
    response
}

/// Sends webhooks about leads of other accounts along with one about a lead. Another key was the first to see their
/// websites.
async fn send_all(delivery: Delivery) -> Response {
    let event = delivery.event().unwrap_or_default();
    let owner = |event: &Value| {
        delivery.memory.world.owner_of(event["data"]["lead"]["website_id"].as_str().unwrap_or_default())
    };
    if let Some(own) = owner(&event) {
        let mut foreign = sender::listed(&delivery.memory, CAPTURED);
        foreign.retain(|other| owner(other).is_some_and(|other| other != own));
        sender::send_missed(&delivery, foreign).await;
    }
    delivery.forward().await
}
