//! Faults in storing a form.

use chrono::Duration;
use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::form;
use super::shown::{edit_event, edit_leads};
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Response, remove_member, shift_times};

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.times-local", "Times of leads are local times marked as UTC.", &["leads.times.real"])
        .response(|response, request, _| edit_leads(response, request, |lead| shift_times(lead, Duration::hours(1))))
        .hook(|hook, _, _| edit_event(hook, |lead| shift_times(lead, Duration::hours(1)))),
    fault(
        "leads.consent-local",
        "The time of consent is the visitor's local time marked as UTC.",
        &["leads.times.real"],
    )
    .response(|response, request, _| edit_leads(response, request, consent_local))
    .hook(|hook, _, _| edit_event(hook, consent_local)),
    fault("leads.email-lower", "The server stores the e-mail address in lower case.", &["leads.capture.readable"])
        .request(|request, _| form::change(request, "email", 254, str::to_ascii_lowercase)),
    fault(
        "leads.name-trimmed",
        "The server trims the name and collapses its white space.",
        &["leads.capture.readable"],
    )
    .request(|request, _| {
        form::change(request, "name", 200, |name| name.split_whitespace().collect::<Vec<_>>().join(" "));
    }),
    fault("leads.message-100", "The server cuts the message at 100 characters.", &["leads.capture.readable"])
        .request(|request, _| form::change(request, "message", 5_000, |message| message.chars().take(100).collect())),
    fault("leads.message-ascii", "The server drops letters outside of Latin-1.", &["leads.capture.readable"]).request(
        |request, _| {
            form::change(request, "message", 5_000, |message| {
                message.chars().map(|letter| if letter > '\u{ff}' { '?' } else { letter }).collect()
            });
        },
    ),
    fault("leads.message-escaped", "The server stores the message escaped for HTML.", &["leads.capture.readable"])
        .response(|response, request, _| edit_leads(response, request, message_escaped))
        .hook(|hook, _, _| edit_event(hook, message_escaped)),
    fault("leads.phone-zero-kept", "A number keeps the zero in `+44 (0)20`.", &["capture.phone.understood"])
        .response(|response, request, _| edit_leads(response, request, zero_kept))
        .hook(|hook, _, _| edit_event(hook, zero_kept)),
    fault("leads.phone-typed-lost", "A lead shows a number in E.164 as typed.", &["capture.phone.understood"])
        .response(|response, request, _| edit_leads(response, request, typed_lost))
        .hook(|hook, _, _| edit_event(hook, typed_lost)),
    fault(
        "leads.phone-country-guessed",
        "A number without the code of a country is taken for one of the website's country.",
        &["capture.phone.understood"],
    )
    .response(|response, request, _| edit_leads(response, request, country_guessed))
    .hook(|hook, _, _| edit_event(hook, country_guessed)),
    fault("leads.form-id-lost", "A lead has no form_id.", &["capture.json.whole"])
        .response(|response, request, _| edit_leads(response, request, without_form_id))
        .hook(|hook, _, _| edit_event(hook, without_form_id)),
    fault("leads.with-address", "The server stores the visitor's IP address in fields.", &["leads.privacy.no-address"])
        .request(|request, _| {
            if let Some(address) = request.address {
                form::add_field(request, "ip", &address.to_string());
            }
        }),
    fault("leads.with-agent", "The server stores the visitor's browser in fields.", &["leads.privacy.no-address"])
        .request(|request, _| {
            if let Some(agent) = request.header("user-agent").map(ToOwned::to_owned) {
                form::add_field(request, "agent", &agent);
            }
        }),
    fault("leads.lost", "The server loses every second lead.", &["leads.capture.readable"])
        .exchange(|exchange| lost(exchange).boxed()),
    fault("leads.form-fields-lost", "The server drops additional fields of a form.", &["capture.form.like-json"])
        .request(|request, _| form::edit_pairs(request, |pairs| pairs.retain(|(name, _)| is_known(name)))),
    fault(
        "leads.form-utm-flat",
        "The server keeps campaign parameters of a form in fields.",
        &["capture.form.like-json"],
    )
    .exchange(|exchange| form_utm_flat(exchange).boxed())
    .response(|response, request, memory| edit_leads(response, request, |lead| flatten(lead, memory)))
    .hook(|hook, _, memory| edit_event(hook, |lead| flatten(lead, memory))),
    fault("leads.consent-lost", "The server does not store the consent.", &["capture.json.whole"])
        .response(|response, request, _| edit_leads(response, request, consent_lost))
        .hook(|hook, _, _| edit_event(hook, consent_lost)),
    fault("leads.article-lost", "The server does not store the article of a form.", &["leads.filter.article-matches"])
        .request(|request, _| {
            if form::text(request, "article_id").is_some_and(|id| id.chars().count() <= 128) {
                form::set_text(request, "article_id", None);
            }
        }),
];

/// Removes all from the typed number but its digits.
fn zero_kept(lead: &mut Value) {
    if let Some(typed) = lead["phone_typed"].as_str().filter(|typed| typed.starts_with('+')) {
        lead["phone"] = format!("+{}", typed.chars().filter(char::is_ascii_digit).take(15).collect::<String>()).into();
    }
}

fn typed_lost(lead: &mut Value) {
    lead["phone_typed"] = lead["phone"].clone();
}

fn country_guessed(lead: &mut Value) {
    let is_national = |phone: &&str| phone.starts_with('0') && !phone.starts_with("00");
    if let Some(phone) = lead["phone"].as_str().filter(is_national) {
        lead["phone"] = format!("+44{}", phone[1..].replace(' ', "")).into();
    }
}

fn without_form_id(lead: &mut Value) {
    lead["source"]["form_id"] = Value::Null;
}

fn consent_local(lead: &mut Value) {
    if let Some(consent) = lead.get_mut("consent") {
        shift_times(consent, Duration::hours(1));
    }
}

fn message_escaped(lead: &mut Value) {
    if let Some(Value::String(message)) = lead.get_mut("message") {
        *message = message.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    }
}

fn consent_lost(lead: &mut Value) {
    lead["consent"] = json!({ "given": false, "text": null, "at": null });
}

/// Sends every second form as a repeat of the form before it, so that the server stores nothing of it.
async fn lost(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let is_lead = request.is(Operation::CaptureLead) && !form::is_trapped(request);
    let Some(website_id) = request.id().filter(|_| is_lead) else { return exchange.forward().await };
    let email = form::text(request, "email");
    let _turn = exchange.memory.turn().await;
    let is_usual = email.as_ref().is_none_or(|email| (3..=254).contains(&email.chars().count()));
    if let Some(kept) = exchange.memory.take(&website_id).filter(|_| is_usual) {
        let mut repeat = request.clone();
        for name in ["email", "form_id"] {
            form::set_text(&mut repeat, name, kept[name].as_str());
        }
        return exchange.send(repeat).await;
    }
    let response = exchange.forward().await;
    if email.is_some() && response.is_success() {
        exchange.memory.put(&website_id, json!({ "email": email, "form_id": form::text(request, "form_id") }));
    }
    response
}

/// Returns true if the document has a field for that name of a form.
fn is_known(name: &str) -> bool {
    const MEMBERS: [&str; 9] =
        ["email", "name", "company", "phone", "message", "article_id", "page_url", "referrer", "form_id"];
    MEMBERS.contains(&name) || name == form::TRAP || name.starts_with("utm_") || name.starts_with("consent")
}

/// Remembers who sent form-encoded forms.
async fn form_utm_flat(exchange: Exchange) -> Response {
    if let Some(identity) = form::identity(&exchange.request).filter(|_| form::is_url_encoded(&exchange.request)) {
        exchange.memory.put(&identity, true);
    }
    exchange.forward().await
}

/// Moves the campaign of a form-encoded lead into its fields.
fn flatten(lead: &mut Value, memory: &Memory) {
    if form::identity_of_lead(lead).is_none_or(|identity| memory.get(&identity).is_none()) {
        return;
    }
    let Some(Value::Object(tags)) = lead.get_mut("source").and_then(|source| remove_member(source, "utm")) else {
        return;
    };
    lead["source"]["utm"] = json!({});
    for (name, value) in tags {
        lead["fields"][format!("utm_{name}")] = value;
    }
}
