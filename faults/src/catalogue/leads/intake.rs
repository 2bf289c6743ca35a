//! Faults in accepting a form and in the response to its sender.

use std::time::Duration;

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::paging::pages::newest_rows;
use super::form;
use crate::edge::Exchange;
use crate::message::{Operation, Response};

/// Maximum time until a lead can be read.
const READABLE: Duration = Duration::from_secs(2);

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.trap-ignored", "A form with a filled trap creates a normal lead.", &["capture.trap.marked"]).request(
        |request, _| {
            if form::is_trapped(request) {
                form::set_text(request, form::TRAP, None);
            }
        },
    ),
    fault("leads.trap-told", "A filled trap gets 422.", &["capture.trap.marked"]).request(|request, _| {
        if form::is_trapped(request) {
            // Removes all contact details, so that the server refuses the form.
            for name in [form::TRAP, "email", "phone"] {
                form::set_text(request, name, None);
            }
        }
    }),
    fault("leads.unknown-website-taken", "A form of an unknown website gets 202.", &["capture.website.unknown"])
        .response(|response, request, _| {
            if request.is(Operation::CaptureLead) && response.status == 404 {
                response.status = 202;
                response.set_body("application/json", "{}");
            }
        }),
    fault("leads.id-told", "The 202 contains the lead's id.", &["capture.answer.no-id"])
        .exchange(|exchange| id_told(exchange).boxed()),
];

/// Waits until the lead of a form can be read, and adds its id to the response.
async fn id_told(exchange: Exchange) -> Response {
    let mut response = exchange.forward().await;
    let person = form::identity(&exchange.request).filter(|_| response.is_success());
    let (Some(person), Some(website_id)) = (person, exchange.request.id()) else { return response };
    let found = tokio::time::timeout(READABLE, async {
        loop {
            if let Some(id) = id_of(&exchange, &website_id, &person).await {
                return id;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    if let Ok(id) = found.await {
        let mut body = response.json().filter(Value::is_object).unwrap_or(json!({}));
        body["id"] = id;
        response.set_body("application/json", body.to_string());
    }
    response
}

/// Address of the list in which to find a new lead.
const NEWEST: usize = 100;

/// Returns the id of a person's newest lead, if a key seen so far may read it.
async fn id_of(exchange: &Exchange, website_id: &str, person: &str) -> Option<Value> {
    for key in exchange.memory.world.keys() {
        let of_website = [("website_id".to_owned(), website_id.to_owned())];
        let leads = newest_rows(exchange, "/api/v1/leads", &key, &of_website, NEWEST).await.unwrap_or_default();
        if let Some(lead) = leads.iter().find(|lead| form::identity_of_lead(lead).as_deref() == Some(person)) {
            return Some(lead["id"].clone());
        }
    }
    None
}
