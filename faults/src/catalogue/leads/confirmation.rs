//! Double opt-in: the state of a lead's confirmation, and the link that the hook about it carries.

use futures::future::FutureExt;
use http::Method;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::shown::edit_leads;
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "leads.confirmed-at-capture",
        "A lead that nobody confirmed has the time of its capture as that of its confirmation.",
        &["leads.confirmation.consistent"],
    )
    .response(|response, request, _| {
        edit_leads(response, request, |lead| {
            if lead["confirmation"]["confirmed_at"].is_null() {
                lead["confirmation"]["confirmed_at"] = lead["captured_at"].clone();
            }
        });
    }),
    fault(
        "leads.confirmation-forgotten",
        "Who confirms a lead is thanked, and the lead stays as it is.",
        &["hooks.double-opt-in.confirms"],
    )
    .exchange(|exchange| {
        async move {
            if !is_link(&exchange.request) || exchange.request.method != "POST" {
                return exchange.forward().await;
            }
            let mut looked = exchange.request.clone();
            looked.method = Method::GET;
            exchange.send(looked).await
        }
        .boxed()
    }),
    fault(
        "leads.confirmed-by-looking",
        "Opening the link confirms the lead, as a scanner of mail does.",
        &["hooks.double-opt-in.looking"],
    )
    .request(|request, _| {
        if is_link(request) && request.method == "GET" {
            request.method = Method::POST;
        }
    }),
    fault(
        "leads.any-link-confirms",
        "A link that was not signed here is taken like any other.",
        &["hooks.double-opt-in.changed-link"],
    )
    .response(|response, request, _| {
        if is_link(request) && response.status == 404 {
            *response = Response::new(200, "");
        }
    }),
    fault("leads.link-told", "A lead that is read has the link that confirms it.", &["hooks.double-opt-in.secret"])
        .hook(|hook, _, memory| {
            let event = hook.json().unwrap_or_default();
            let data = &event["data"];
            if let (Some(id), Some(link)) = (data["lead"]["id"].as_str(), data["confirmation_url"].as_str()) {
                memory.put(id, link);
            }
        })
        .response(|response, request, memory| {
            let link = request.id().and_then(|id| memory.text(&id));
            if let Some(link) = link.filter(|_| request.is(Operation::GetLead) && response.is_success()) {
                response.edit(|lead| lead["confirmation"]["url"] = json!(link));
            }
        }),
];

/// Whether it goes to a link that confirms a lead.
fn is_link(request: &Request) -> bool {
    request.path.contains("/confirmations/")
}
