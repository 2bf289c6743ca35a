//! Double opt-in: the state of a lead's confirmation, and the link in the webhook about the lead.

use std::cmp::Reverse;

use chrono::SubsecRound as _;
use futures::future::FutureExt;
use http::Method;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::refusals::in_place_of;
use super::reading::relist;
use super::shown::edit_leads;
use crate::clock;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, parse_time, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "leads.confirmed-at-capture",
        "confirmed_at of an unconfirmed lead is its captured_at.",
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
        "leads.pending-everywhere",
        "A lead of a website without double opt-in is shown as pending.",
        &["leads.confirmation.not-required"],
    )
    .response(|response, request, _| {
        edit_leads(response, request, |lead| {
            if lead["confirmation"]["status"] == "not_required" {
                lead["confirmation"]["status"] = json!("pending");
            }
        });
    }),
    fault(
        "leads.confirmation-forgotten",
        "Confirming a lead gets the usual response but does not change the lead.",
        &["hooks.double-opt-in.confirms"],
    )
    .exchange(|exchange| {
        async move {
            if !is_link(&exchange.request) || exchange.request.method != "POST" {
                return exchange.forward().await;
            }
            let mut opened = exchange.request.clone();
            opened.method = Method::GET;
            exchange.send(opened).await
        }
        .boxed()
    }),
    fault(
        "leads.link-for-each-form",
        "Each form of a person gets a confirmation link.",
        &["hooks.double-opt-in.one-link"],
    )
    .hook(|hook, _, _| add_link(hook, false)),
    fault(
        "leads.link-for-spam",
        "A lead that looks like spam gets a confirmation link.",
        &["hooks.double-opt-in.one-link"],
    )
    .hook(|hook, _, _| add_link(hook, true)),
    fault(
        "leads.confirmation-unrecorded",
        "A confirmation does not change updated_at of its lead.",
        &["hooks.double-opt-in.updated"],
    )
    .response(|response, request, _| {
        edit_leads(response, request, |lead| lead["updated_at"] = lead["captured_at"].clone());
    }),
    fault(
        "leads.confirmed-moves-up",
        "The list of leads is sorted by their last change.",
        &["hooks.double-opt-in.updated"],
    )
    .exchange(|exchange| relist(exchange, by_change).boxed()),
    fault(
        "leads.updated-in-seconds",
        "updated_at of a lead is cut to whole seconds.",
        &["leads.updated-at.consistent", "leads.updated-at.new"],
    )
    .response(|response, request, _| {
        edit_leads(response, request, |lead| {
            if let Some(updated) = lead["updated_at"].as_str().and_then(parse_time) {
                lead["updated_at"] = json!(write_time(updated.trunc_subsecs(0)));
            }
        });
    }),
    fault("leads.updated-by-reading", "updated_at of a lead is when it was read.", &["leads.updated-at.new"]).response(
        |response, request, _| {
            edit_leads(response, request, |lead| lead["updated_at"] = json!(write_time(clock::now())));
        },
    ),
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
        "A link that the service did not sign gets 200.",
        &["hooks.double-opt-in.changed-link"],
    )
    .response(|response, request, _| {
        if is_link(request) && response.status == 404 {
            *response = Response::new(200, "");
        }
    }),
    fault(
        "leads.link-of-any-website",
        "A confirmation link confirms its lead below the address of any website.",
        &["hooks.double-opt-in.changed-link"],
    )
    .hook(|hook, _, memory| {
        let event = hook.json().unwrap_or_default();
        if let Some((website, token)) = event["data"]["confirmation_url"].as_str().and_then(website_and_token) {
            memory.put(&format!("website of {token}"), website);
        }
    })
    .request(|request, memory| {
        let Some((asked, token)) = website_and_token(&request.path) else { return };
        if let Some(website) = memory.text(&format!("website of {token}")) {
            request.path = request.path.replacen(asked, &website, 1);
        }
    }),
    fault("leads.link-without-page", "A link gets JSON instead of a page.", &["hooks.double-opt-in.page"]).response(
        |response, request, _| {
            if is_link(request) && response.is_success() {
                response.set_body("application/json", "{}");
            }
        },
    ),
    fault(
        "leads.unknown-link-expired",
        "A link that the service did not create gets 410, as if it had expired.",
        &["capture.confirmation.unknown"],
    )
    .response(|response, request, _| {
        if is_link(request) && response.code().as_deref() == Some("route_not_found") {
            *response = in_place_of(response, 410, "confirmation_expired", "Confirmation link expired");
        }
    }),
    fault("leads.link-errors-always-pages", "An unknown link always gets a page.", &["capture.confirmation.unknown"])
        .request(|request, _| {
            if is_link(request) {
                request.set("accept", "text/html");
            }
        }),
    fault("leads.erased-link-unknown", "The link of an erased lead gets 404.", &["hooks.double-opt-in.erased"])
        .response(|response, request, _| {
            if is_link(request) && response.code().as_deref() == Some("confirmation_expired") {
                *response = in_place_of(response, 404, "route_not_found", "Route not found");
            }
        }),
    fault(
        "leads.erased-link-misnamed",
        "The link of an erased lead gets 410 with the code lead_not_found.",
        &["hooks.double-opt-in.erased"],
    )
    .response(|response, request, _| {
        if is_link(request) && response.status == 410 {
            response.edit(|problem| problem["code"] = json!("lead_not_found"));
        }
    }),
    fault("leads.link-put-unknown", "PUT of a link gets 404.", &["capture.confirmation.method"]).response(
        |response, request, _| {
            if is_link(request) && response.status == 405 {
                *response = in_place_of(response, 404, "route_not_found", "Route not found");
            }
        },
    ),
    fault("leads.link-allow-other", "PUT of a link gets 405 with `Allow: PUT`.", &["capture.confirmation.method"])
        .response(|response, request, _| {
            if is_link(request) && response.status == 405 {
                response.set("allow", "PUT");
            }
        }),
    fault("leads.link-told", "Reading a lead returns the link that confirms it.", &["hooks.double-opt-in.secret"])
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

/// Adds a link to the event of a lead that waits for confirmation, if it has none.
fn add_link(hook: &mut Request, is_spam: bool) {
    hook.edit(|event| {
        let data = &mut event["data"];
        let is_pending = data["lead"]["confirmation"]["status"] == "pending" && data["confirmation_url"].is_null();
        if is_pending && data["lead"]["spam"]["suspected"] == is_spam {
            data["confirmation_url"] = json!("https://content.example/confirmations/another");
        }
    });
}

fn by_change(rows: &mut [Value], _: &Memory) {
    let change = |lead: &Value| lead["updated_at"].as_str().map(ToOwned::to_owned);
    rows.sort_by_cached_key(|lead| Reverse(change(lead)));
}

/// Returns the website and the last part of a confirmation link.
fn website_and_token(link: &str) -> Option<(&str, &str)> {
    let (_, rest) = link.split_once("/capture/")?;
    rest.split_once("/confirmations/")
}

/// Returns true if the request is to a link that confirms a lead.
fn is_link(request: &Request) -> bool {
    request.path.contains("/confirmations/")
}
