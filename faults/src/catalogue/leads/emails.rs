//! Rules for e-mail addresses.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::{form, shown};
use crate::edge::Exchange;
use crate::message::{Request, Response};

const REFUSED: &[&str] = &["capture.email.refused"];
const ACCEPTED: &[&str] = &["capture.email.accepted"];

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.email-unchecked", "Any text is accepted as an e-mail address.", REFUSED)
        .exchange(|exchange| take_where(exchange, |_| true).boxed())
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.email-of-two-ats", "An e-mail address may have several @.", REFUSED)
        .exchange(|exchange| take_where(exchange, |email| email.matches('@').count() > 1).boxed())
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.email-with-controls", "An e-mail address may have control characters.", REFUSED)
        .exchange(|exchange| take_where(exchange, |email| email.contains(char::is_control)).boxed())
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.email-trimmed", "White space around an e-mail address is removed.", REFUSED).request(|request, _| {
        form::edit_json(request, |body| {
            if let Some(Value::String(email)) = body.get_mut("email") {
                *email = email.trim().to_owned();
            }
        });
    }),
    fault("leads.email-fault-unnamed", "The code of an invalid e-mail address is too_short.", REFUSED).response(
        |response, request, _| {
            if form::is_json(request) && response.status == 422 {
                response.edit(|problem| {
                    for error in problem["errors"].as_array_mut().into_iter().flatten() {
                        if error["pointer"] == "#/email" {
                            error["code"] = json!("too_short");
                        }
                    }
                });
            }
        },
    ),
    fault("leads.email-with-dot", "An e-mail address needs a dot after the @.", ACCEPTED).request(|request, _| {
        refuse_where(request, |email| email.rsplit_once('@').is_some_and(|(_, host)| !host.contains('.')));
    }),
    fault("leads.email-in-ascii", "An e-mail address with a letter beyond ASCII is refused.", ACCEPTED)
        .request(|request, _| refuse_where(request, |email| !email.is_ascii())),
    fault("leads.email-unquoted", "Quotation marks of an e-mail address are dropped.", ACCEPTED).request(
        |request, _| {
            form::change(request, "email", 254, |email| email.replace('"', ""));
        },
    ),
];

/// Returns true if the document accepts the text as an address.
fn is_address(email: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && !part.contains(|sign: char| sign.is_whitespace() || sign.is_control());
    matches!(email.split('@').collect::<Vec<_>>()[..], [name, host] if is_part(name) && is_part(host))
}

/// Accepts an invalid address if `is_taken` says so: sends another address instead, which leads do not show.
async fn take_where(exchange: Exchange, is_taken: fn(&str) -> bool) -> Response {
    let email = form::text(&exchange.request, "email").filter(|_| form::is_json(&exchange.request));
    let is_wrong = email
        .is_some_and(|email| (3..=254).contains(&email.chars().count()) && !is_address(&email) && is_taken(&email));
    if is_wrong { shown::send_as_stranger(&exchange).await } else { exchange.forward().await }
}

fn refuse_where(request: &mut Request, is_refused: impl Fn(&str) -> bool) {
    form::change(
        request,
        "email",
        254,
        |email| if is_refused(email) { "refused".to_owned() } else { email.to_owned() },
    );
}
