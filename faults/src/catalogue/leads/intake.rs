//! Whether a form is taken, and what its sender is told.

use std::time::Duration;

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::paging::pages::newest_rows;
use super::form;
use crate::edge::Exchange;
use crate::message::{Operation, Response};

/// How long a lead may need to be readable.
const READABLE: Duration = Duration::from_secs(2);

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.trap-ignored", "Whoever fills the trap leaves a lead like any other.", &["capture.trap.marked"])
        .request(|request, _| {
            if form::is_trapped(request) {
                form::set_text(request, form::TRAP, None);
            }
        }),
    fault("leads.trap-told", "A filled trap is answered 422.", &["capture.trap.marked"]).request(|request, _| {
        if form::is_trapped(request) {
            // Without any way to reach the sender the form is refused.
            for name in [form::TRAP, "email", "phone"] {
                form::set_text(request, name, None);
            }
        }
    }),
    fault("leads.unknown-website-taken", "A form of an unknown website is answered 202.", &["capture.website.unknown"])
        .response(|response, request, _| {
            if request.is(Operation::CaptureLead) && response.status == 404 {
                response.status = 202;
                response.set_body("application/json", "{}");
            }
        }),
    fault("leads.id-told", "The 202 tells the lead's id.", &["capture.answer.no-id"])
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

/// Leads among which one that has just been captured is looked for.
const NEWEST: usize = 100;

/// The id of the newest lead of a person, if a key that was seen may read it.
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
