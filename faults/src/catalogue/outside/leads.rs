//! Faults in identifying people and in storing forms.

use futures::future::FutureExt;
use serde_json::{Map, Value, json};

use super::super::fault::{Fault, fault};
use super::super::leads::persons::{self, WINDOW};
use super::super::leads::{form, reading, shown, websites};
use crate::clock;
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, parse_time, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.any-form",
        "A submission without a form_id matches any form of the same person.",
        &["capture.identity.form"],
    )
    .exchange(|exchange| any_form(exchange).boxed()),
    fault("outside.unicode-case", "The server ignores Unicode case in e-mails.", &["capture.identity.other-letters"])
        .exchange(|exchange| persons::merging(exchange, unicode_case).boxed()),
    fault(
        "outside.plus-folded",
        "The server ignores the text after a plus sign in an e-mail.",
        &["capture.identity.plus"],
    )
    .exchange(|exchange| persons::merging(exchange, plus_folded).boxed()),
    fault(
        "outside.address-with-port",
        "The server stores the visitor's IP address and port in fields.",
        &["leads.privacy.no-address"],
    )
    .request(|request, _| {
        if let Some(address) = request.address {
            form::add_field(request, "visitor", &format!("{address}:51234"));
        }
    }),
    fault(
        "outside.consent-of-last",
        "A repeat within ten minutes overwrites the consent.",
        &["capture.identity.consent"],
    )
    .exchange(|exchange| persons::overwriting(exchange, persons::last_consent).boxed())
    .response(shown::show),
    fault(
        "outside.repeat-moves-up",
        "A repeat within ten minutes moves the lead to the beginning of the list.",
        &["leads.list.newest-first"],
    )
    .exchange(|exchange| repeat_moves_up(exchange).boxed()),
    fault(
        "outside.paused-kept",
        "The server refuses a form of a paused website but stores its lead.",
        &["capture.website.paused-keeps-nothing"],
    )
    .exchange(|exchange| paused_kept(exchange).boxed())
    .response(shown::show)
    .hook(shown::show_in_event),
    fault("outside.trap-not-in-forms", "The trap for robots works only in JSON.", &["capture.trap.in-forms"])
        .request(|request, _| form::edit_pairs(request, |pairs| pairs.retain(|(name, _)| name != form::TRAP))),
    fault(
        "outside.trap-remembers",
        "After a filled trap, the server drops the sender's forms for ten minutes.",
        &["capture.trap.not-held-against"],
    )
    .exchange(|exchange| holding_against(exchange, |request, _| form::is_trapped(request)).boxed()),
    fault(
        "outside.refused-remembered",
        "The server treats a corrected form after a refused one as a repeat.",
        &["capture.bounds.refused"],
    )
    .exchange(|exchange| holding_against(exchange, |_, response| response.status == 422).boxed()),
    fault(
        "outside.website-of-body",
        "A website_id in the form overrides the one in the address.",
        &["capture.website.of-address"],
    )
    .request(|request, memory| {
        let named = form::text(request, "website_id").filter(|id| memory.world.owner_of(id).is_some());
        if let Some(website_id) = named {
            request.set_id(&website_id);
        }
    }),
    fault(
        "outside.captured-at-of-body",
        "A captured_at in the form sets the lead's captured_at.",
        &["capture.time.own"],
    )
    .exchange(|exchange| captured_at_of_body(exchange).boxed())
    .response(shown::show)
    .hook(shown::show_in_event),
    fault(
        "outside.fields-clobber",
        "An additional field named phone or name overwrites the field of that name.",
        &["capture.fields.apart"],
    )
    .request(|request, _| form::edit_json(request, fields_clobber)),
];

/// Sends a form without a name under its sender's last name used.
async fn any_form(exchange: Exchange) -> Response {
    let (request, memory) = (&exchange.request, &exchange.memory);
    let (Some(website_id), Some(email)) = (request.id(), form::text(request, "email")) else {
        return exchange.forward().await;
    };
    let person = json!([website_id, email.to_ascii_lowercase()]).to_string();
    let _turn = memory.turn().await;
    if let Some(form_id) = form::text(request, "form_id") {
        let response = exchange.forward().await;
        if response.is_success() && !form::is_trapped(request) {
            memory.put(&person, form_id);
        }
        return response;
    }
    let mut sent = request.clone();
    if let Some(form_id) = memory.text(&person).filter(|_| memory.age(&person).is_some_and(|age| age < WINDOW)) {
        form::set_text(&mut sent, "form_id", Some(&form_id));
    }
    exchange.send(sent).await
}

fn unicode_case(request: &Request) -> Option<String> {
    let email = form::text(request, "email")?.to_lowercase();
    Some(json!([request.id()?, form::text(request, "form_id"), email]).to_string())
}

fn plus_folded(request: &Request) -> Option<String> {
    let email = form::text(request, "email")?.to_ascii_lowercase();
    let (mailbox, host) = email.rsplit_once('@')?;
    let mailbox = mailbox.split_once('+').map_or(mailbox, |(mailbox, _)| mailbox);
    Some(json!([request.id()?, form::text(request, "form_id"), mailbox, host]).to_string())
}

/// Records the time of each sender's last form, and sorts leads by it.
async fn repeat_moves_up(exchange: Exchange) -> Response {
    if exchange.request.is(Operation::ListLeads) {
        return reading::relist(exchange, by_last_form).await;
    }
    let response = exchange.forward().await;
    let person = form::identity(&exchange.request).filter(|_| !form::is_trapped(&exchange.request));
    if let Some(person) = person.filter(|_| response.is_success()) {
        let first = format!("first: {person}");
        if exchange.memory.age(&first).is_some_and(|age| age < WINDOW) {
            exchange.memory.put(&person, write_time(clock::now()));
        } else {
            exchange.memory.put(&first, true);
            exchange.memory.take(&person);
        }
    }
    response
}

fn by_last_form(rows: &mut [Value], memory: &Memory) {
    let moment = |lead: &Value| {
        let repeated = form::identity_of_lead(lead).and_then(|person| memory.text(&person));
        repeated.or_else(|| Some(lead["captured_at"].as_str()?.to_owned()))
    };
    rows.sort_by_cached_key(|lead| std::cmp::Reverse(moment(lead)));
}

async fn paused_kept(exchange: Exchange) -> Response {
    if let Some(list) = websites::list_with_moved(&exchange).await {
        return list;
    }
    let response = exchange.forward().await;
    if websites::is_paused(&exchange.request, &response) {
        websites::keep_for_paused(&exchange).await;
    }
    response
}

/// Drops the forms of a sender for ten minutes after one for which `is_held` is true.
async fn holding_against(exchange: Exchange, is_held: fn(&Request, &Response) -> bool) -> Response {
    let (request, memory) = (&exchange.request, &exchange.memory);
    let Some(email) = form::text(request, "email") else { return exchange.forward().await };
    let mut sent = request.clone();
    if memory.age(&email).is_some_and(|age| age < WINDOW) {
        form::leave_nothing(&mut sent);
        return exchange.send(sent).await;
    }
    let response = exchange.send(sent).await;
    if is_held(request, &response) {
        memory.put(&email, true);
    }
    response
}

async fn captured_at_of_body(exchange: Exchange) -> Response {
    let time = form::text(&exchange.request, "captured_at").and_then(|time| parse_time(&time));
    let Some(time) = time else { return exchange.forward().await };
    let members = Map::from_iter([("captured_at".to_owned(), json!(write_time(time)))]);
    shown::send_to_show(&exchange, exchange.request.clone(), |_| members).await
}

fn fields_clobber(body: &mut Value) {
    for (name, lengths) in [("name", 0..=200), ("phone", 3..=32)] {
        let field = body.pointer(&format!("/fields/{name}")).and_then(Value::as_str).map(ToOwned::to_owned);
        if let Some(field) = field.filter(|field| lengths.contains(&field.chars().count())) {
            body[name] = json!(field);
        }
    }
}
