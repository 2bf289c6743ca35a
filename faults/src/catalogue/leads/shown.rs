//! Shows a lead differently from the server's copy: in lists, alone, and in its event. A fault can so send a form as
//! another person's, or cut to the server's limits, and still show the original.

use serde_json::{Map, Value, json};

use super::form;
use crate::clock;
use crate::edge::Exchange;
use crate::hooks::Endpoint;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// Changes the leads of a list, or a single lead.
pub(in super::super) fn edit_leads(response: &mut Response, request: &Request, edit: impl FnMut(&mut Value)) {
    if !response.is_success() {
        return;
    }
    match request.operation() {
        Some(Operation::ListLeads) => response.edit_rows(edit),
        Some(Operation::GetLead) => response.edit(edit),
        _ => {}
    }
}

/// Changes the lead of an event.
pub(in super::super) fn edit_event(hook: &mut Request, edit: impl FnOnce(&mut Value)) {
    hook.edit(|event| {
        if let Some(lead) = event.pointer_mut("/data/lead") {
            edit(lead);
        }
    });
}

/// Returns an unused e-mail.
pub(in super::super) fn stranger(memory: &Memory) -> String {
    format!("stranger-{:x}-{}@example.com", clock::now().timestamp_millis(), memory.next_number("strangers"))
}

/// Sends a form as `sent`, and shows the original values from then on. A form without an e-mail goes to the server with
/// a stranger's.
pub(in super::super) async fn send_as(exchange: &Exchange, sent: Request) -> Response {
    let before = form::as_lead(&exchange.request);
    send_to_show(exchange, sent, |after| {
        before.into_iter().filter(|(name, value)| after.get(name) != Some(value)).collect()
    })
    .await
}

/// Sends a form as `sent`, and shows the selected `members` of it in its lead.
pub(in super::super) async fn send_to_show(
    exchange: &Exchange,
    mut sent: Request,
    members: impl FnOnce(Map<String, Value>) -> Map<String, Value>,
) -> Response {
    if form::text(&sent, "email").is_none() {
        form::set_text(&mut sent, "email", Some(&stranger(&exchange.memory)));
    }
    let members = members(form::as_lead(&sent));
    let Some(slot) = form::identity(&sent).map(|identity| slot(&identity)) else { return exchange.send(sent).await };
    // The event may arrive before the response. The first of several repeats counts.
    let is_first = exchange.memory.get(&slot).is_none();
    if is_first {
        exchange.memory.put(&slot, members);
    }
    let response = exchange.send(sent).await;
    if is_first && !response.is_success() {
        exchange.memory.take(&slot);
    }
    response
}

/// Sends a form as that of a person unknown to the server.
pub(in super::super) async fn send_as_stranger(exchange: &Exchange) -> Response {
    let mut sent = exchange.request.clone();
    // The server must refuse an invalid e-mail.
    form::change(&mut sent, "email", 254, |_| stranger(&exchange.memory));
    send_as(exchange, sent).await
}

/// Shows `members` in the server's lead of this person from now on.
pub(in super::super) fn keep(memory: &Memory, identity: &str, members: Map<String, Value>) {
    memory.put(&slot(identity), members);
}

/// Shows leads with their original values.
pub(in super::super) fn show(response: &mut Response, request: &Request, memory: &Memory) {
    edit_leads(response, request, |lead| restore(lead, memory));
}

/// Same for events.
pub(in super::super) fn show_in_event(hook: &mut Request, _: &Endpoint, memory: &Memory) {
    edit_event(hook, |lead| restore(lead, memory));
}

fn restore(lead: &mut Value, memory: &Memory) {
    let members = form::identity_of_lead(lead).and_then(|identity| memory.get(&slot(&identity)));
    let at = lead.pointer("/consent/at").cloned();
    for (name, value) in members.iter().filter_map(Value::as_object).flatten() {
        lead[name] = value.clone();
    }
    if let (Some(consent), Some(at)) = (lead.get_mut("consent").and_then(Value::as_object_mut), at) {
        consent.entry("at").or_insert(at);
    }
}

fn slot(identity: &str) -> String {
    format!("shown: {identity}")
}

/// Filters a list of leads by a replaced value: requests the list without the filter `name`, and then filters by the
/// shown values.
pub(in super::super) async fn choose(exchange: &Exchange, name: &str, wanted: &str) -> Response {
    let mut request = exchange.request.clone();
    request.remove_parameter(name);
    let mut response = exchange.send(request).await;
    show(&mut response, &exchange.request, &exchange.memory);
    response.edit(|page| {
        if let Some(rows) = page.get_mut("items").and_then(Value::as_array_mut) {
            rows.retain(|row| row[name] == json!(wanted));
        }
    });
    let pair = url::form_urlencoded::Serializer::new(String::new()).append_pair(name, wanted).finish();
    response.change("link", |link| link.replacen('>', &format!("&{pair}>"), 1));
    response
}
