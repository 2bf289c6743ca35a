//! Faults in the limits of a form. Cuts what the server would refuse, and shows the caller's original.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::{form, shown};
use crate::edge::Exchange;
use crate::message::{Operation, Response};

/// Limits of texts, by field.
const BOUNDS: [(&str, usize); 10] = [
    ("/email", 254),
    ("/name", 200),
    ("/company", 200),
    ("/phone", 32),
    ("/message", 5_000),
    ("/article_id", 128),
    ("/source/page_url", 2_048),
    ("/source/referrer", 2_048),
    ("/source/form_id", 128),
    ("/consent/text", 1_000),
];
/// Limit of an additional field.
const FIELD: usize = 1_000;

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.no-bounds", "The server accepts texts of any length in a form.", &["capture.bounds.refused"])
        .exchange(|exchange| {
            let cut = |text: &mut String, max| *text = text.chars().take(max).collect();
            cutting(exchange, move |body| edit_texts(body, cut)).boxed()
        })
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.fields-uncounted", "The server accepts any number of fields in a form.", &["capture.bounds.refused"])
        .exchange(|exchange| cutting(exchange, first_fields).boxed())
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.email-of-two", "The server accepts an e-mail address of two letters.", &["capture.bounds.refused"])
        .exchange(|exchange| cutting(exchange, |body| lengthen(body, "email")).boxed())
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.phone-of-two", "The server accepts a telephone number of two digits.", &["capture.bounds.refused"])
        .exchange(|exchange| cutting(exchange, |body| lengthen(body, "phone")).boxed())
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.referrer-2049", "The maximum length of a referrer is off by one.", &["capture.bounds.refused"])
        .exchange(|exchange| cutting(exchange, cut_referrer).boxed())
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.consent-unsaid", "The server accepts a consent without given.", &["capture.bounds.refused"])
        .exchange(|exchange| {
            cutting(exchange, |body| {
                if body["consent"].as_object().is_some_and(|consent| !consent.contains_key("given")) {
                    body["consent"]["given"] = json!(false);
                }
            })
            .boxed()
        })
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.email-128", "The server refuses e-mail addresses over 128 letters.", &["capture.bounds.maxima"])
        .request(|request, _| form::change(request, "email", 254, |email| refused_over(email, 128, 254))),
    fault("leads.page-url-1000", "The server refuses page addresses over 1000 letters.", &["capture.bounds.maxima"])
        .request(|request, _| form::change(request, "page_url", 2_048, |url| refused_over(url, 1_000, 2_048))),
    fault(
        "leads.bounds-in-utf16",
        "The server counts the length of a name in UTF-16 units.",
        &["capture.bounds.maxima"],
    )
    .request(|request, _| {
        // The server refuses a text with one code point too many.
        let is_long = |name: &str| name.encode_utf16().count() > 200;
        form::change(request, "name", 200, |name| if is_long(name) { "n".repeat(201) } else { name.to_owned() });
    }),
    fault("leads.size-unlimited", "The server accepts a form of 64 KiB.", &["capture.size.limit"])
        .exchange(|exchange| size_unlimited(exchange).boxed())
        .response(shown::show)
        .hook(shown::show_in_event),
    fault("leads.size-16000", "The server limits forms to 16,000 bytes.", &["capture.size.limit"]).request(
        |request, _| {
            if request.is(Operation::CaptureLead) && request.body.len() > 16_000 {
                // Spaces after JSON have no meaning, but the server refuses this many.
                let padding = vec![b' '; form::MAX_BYTES + 1];
                request.body = [&request.body[..], &padding].concat().into();
            }
        },
    ),
    fault(
        "leads.unreachable-taken",
        "The server accepts a form without e-mail and telephone number.",
        &["capture.contact.required"],
    )
    .exchange(|exchange| unreachable_taken(exchange).boxed())
    .response(shown::show)
    .hook(shown::show_in_event),
];

/// Lengthens a text that is one letter too short.
fn lengthen(body: &mut Value, name: &str) {
    if let Some(Value::String(text)) =
        body.get_mut(name).filter(|text| text.as_str().is_some_and(|text| text.len() == 2))
    {
        text.push('0');
    }
}

fn cut_referrer(body: &mut Value) {
    if let Some(Value::String(text)) =
        body.pointer_mut("/source/referrer").filter(|text| text.as_str().is_some_and(|text| text.len() == 2_049))
    {
        text.pop();
    }
}

/// Returns a text that the server refuses if the text exceeds `longest`. The server accepts at most `most` code points.
fn refused_over(text: &str, longest: usize, most: usize) -> String {
    if text.chars().count() > longest { "x".repeat(most + 1) } else { text.to_owned() }
}

/// Changes every text that has a limit.
fn edit_texts(body: &mut Value, mut edit: impl FnMut(&mut String, usize)) {
    for (place, max) in BOUNDS {
        if let Some(Value::String(text)) = body.pointer_mut(place) {
            edit(text, max);
        }
    }
    for field in body["fields"].as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
        if let Value::String(text) = field {
            edit(text, FIELD);
        }
    }
}

/// Sends a JSON form cut by `cut`, and shows the original.
async fn cutting(exchange: Exchange, cut: impl FnOnce(&mut Value)) -> Response {
    let mut sent = exchange.request.clone();
    form::edit_json(&mut sent, cut);
    if sent == exchange.request { exchange.forward().await } else { shown::send_as(&exchange, sent).await }
}

fn first_fields(body: &mut Value) {
    if let Some(fields) = body["fields"].as_object_mut() {
        *fields = std::mem::take(fields).into_iter().take(form::MAX_FIELDS).collect();
    }
}

async fn size_unlimited(exchange: Exchange) -> Response {
    let is_large = (form::MAX_BYTES + 1..=64 * 1024).contains(&exchange.request.body.len());
    if !is_large {
        return exchange.forward().await;
    }
    // Texts over their limits stay over them.
    let shorten = |text: &mut String, max: usize| {
        let length = text.chars().count();
        let left = if length <= max { length.min(64) } else { max + 1 };
        *text = text.chars().take(left).collect();
    };
    cutting(exchange, |body| edit_texts(body, shorten)).await
}

/// Adds an e-mail to a form without contact details. The lead does not show it.
async fn unreachable_taken(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let is_missing = |name: &str| request.json().is_some_and(|body| body.get(name).is_none_or(Value::is_null));
    let is_unreachable = form::is_json(request) && is_missing("email") && is_missing("phone");
    if is_unreachable { shown::send_as(&exchange, request.clone()).await } else { exchange.forward().await }
}
