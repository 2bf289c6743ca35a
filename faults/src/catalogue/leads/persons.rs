//! Faults in deciding which forms come from the same person, and which of them counts.

use std::time::Duration;

use futures::future::FutureExt;
use serde_json::{Map, Value, json};

use super::super::fault::{Fault, fault};
use super::{form, shown};
use crate::clock;
use crate::edge::Exchange;
use crate::message::{Request, Response, write_time};

/// Time for which a repeat by a person on a form belongs to the same lead.
pub(in super::super) const WINDOW: Duration = Duration::from_mins(10);
/// Replication lag for a lead.
const LAG: Duration = Duration::from_millis(500);

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.twice", "A repeated form creates a second lead.", &["leads.capture.once"])
        .exchange(|exchange| twice(exchange).boxed())
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.email-with-case", "Two spellings of an e-mail address create two leads.", &["leads.capture.once"])
        .exchange(|exchange| email_with_case(exchange).boxed())
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.last-wins", "A repeated form overwrites the lead.", &["leads.capture.once"])
        .exchange(|exchange| overwriting(exchange, last_form).boxed())
        .response(shown::show),
    fault(
        "leads.phone-is-identity",
        "Without an e-mail, the telephone number identifies the lead.",
        &["capture.identity.without-email"],
    )
    .exchange(|exchange| phone_is_identity(exchange).boxed())
    .response(shown::show)
    .hook(shown::show_in_event),
    fault("leads.form-ignored", "Two different forms by one person create one lead.", &["capture.identity.form"])
        .exchange(|exchange| merging(exchange, on_any_form).boxed()),
    fault(
        "leads.known-late",
        "The server looks up known leads on a replica that lags by half a second.",
        &["capture.identity.racing"],
    )
    .exchange(|exchange| known_late(exchange).boxed())
    .response(shown::show)
    .hook(shown::show_in_event),
];

/// Sends a known person as a stranger.
async fn twice(exchange: Exchange) -> Response {
    let Some(person) = form::identity(&exchange.request) else { return exchange.forward().await };
    if exchange.memory.get(&person).is_some() {
        return shown::send_as_stranger(&exchange).await;
    }
    let response = exchange.forward().await;
    if response.is_success() && !form::is_trapped(&exchange.request) {
        exchange.memory.put(&person, true);
    }
    response
}

/// Sends every spelling of an address except the first as a separate stranger.
async fn email_with_case(exchange: Exchange) -> Response {
    let (request, memory) = (&exchange.request, &exchange.memory);
    let (Some(person), Some(email)) = (form::identity(request), form::text(request, "email")) else {
        return exchange.forward().await;
    };
    if memory.get_or_put(&person, email.clone()) == email {
        return exchange.forward().await;
    }
    let spelling = memory.get_or_put(&format!("{person} as {email}"), shown::stranger(memory));
    let mut sent = request.clone();
    form::change(&mut sent, "email", 254, |email| spelling.as_str().unwrap_or(email).to_owned());
    shown::send_as(&exchange, sent).await
}

/// Changes the first form's lead to the fields that `of_last` takes from the repeat.
pub(in super::super) async fn overwriting(exchange: Exchange, of_last: fn(&Request) -> Map<String, Value>) -> Response {
    let (request, memory) = (&exchange.request, &exchange.memory);
    let Some(person) = form::identity(request).filter(|_| !form::is_trapped(request)) else {
        return exchange.forward().await;
    };
    let response = exchange.forward().await;
    if !response.is_success() {
        return response;
    }
    if memory.age(&person).is_some_and(|age| age < WINDOW) {
        shown::keep(memory, &person, of_last(request));
    } else {
        // Replacement values of an earlier lead do not apply to this lead.
        shown::keep(memory, &person, Map::new());
        memory.put(&person, true);
    }
    response
}

fn last_form(request: &Request) -> Map<String, Value> {
    let mut lead = form::as_lead(request);
    lead.extend(last_consent(request));
    lead
}

/// Returns the consent of a form, given now.
pub(in super::super) fn last_consent(request: &Request) -> Map<String, Value> {
    let mut consent = form::consent(request);
    consent["at"] = if consent["given"] == true { json!(write_time(clock::now())) } else { Value::Null };
    Map::from_iter([("consent".to_owned(), consent)])
}

/// Adds an e-mail to a form that has only a telephone number, always the same for that number.
async fn phone_is_identity(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let phone = form::text(request, "phone").filter(|_| form::text(request, "email").is_none());
    let (Some(phone), Some(website_id)) = (phone, request.id()) else { return exchange.forward().await };
    let who = json!([website_id, phone]).to_string();
    let email = exchange.memory.get_or_put(&who, shown::stranger(&exchange.memory));
    let mut sent = request.clone();
    form::set_text(&mut sent, "email", email.as_str());
    shown::send_as(&exchange, sent).await
}

/// Sends a form with the e-mail and form of the first one if `fold` identifies the same person, so that the server
/// treats it as a repeat.
pub(in super::super) async fn merging(exchange: Exchange, fold: fn(&Request) -> Option<String>) -> Response {
    let (request, memory) = (&exchange.request, &exchange.memory);
    let Some(person) = fold(request).filter(|_| !form::is_trapped(request)) else { return exchange.forward().await };
    let _turn = memory.turn().await;
    let is_recent = memory.age(&person).is_some_and(|age| age < WINDOW);
    if let Some(first) = memory.get(&person).filter(|_| is_recent) {
        let mut repeat = request.clone();
        for name in ["email", "form_id"] {
            let (former, now) = (first[name].as_str(), form::text(request, name));
            if former != now.as_deref() {
                form::set_text(&mut repeat, name, former);
            }
        }
        return exchange.send(repeat).await;
    }
    let response = exchange.forward().await;
    if response.is_success() {
        let first = ["email", "form_id"].map(|name| (name.to_owned(), json!(form::text(request, name))));
        memory.put(&person, Map::from_iter(first));
    }
    response
}

fn on_any_form(request: &Request) -> Option<String> {
    let email = form::text(request, "email")?.to_ascii_lowercase();
    Some(json!([request.id()?, email]).to_string())
}

/// Sends a person as a stranger if the previous form arrived less than half a second ago.
async fn known_late(exchange: Exchange) -> Response {
    let Some(person) = form::identity(&exchange.request) else { return exchange.forward().await };
    let is_first = exchange.memory.is_first(&person);
    let is_unheard = exchange.memory.age(&person).is_some_and(|age| age < LAG);
    if is_first || !is_unheard { exchange.forward().await } else { shown::send_as_stranger(&exchange).await }
}
