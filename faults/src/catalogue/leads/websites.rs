//! Faults in checking the website and the article of a form.

use futures::future::FutureExt;
use serde_json::{Map, json};

use super::super::fault::{Fault, fault};
use super::super::paging::pages::websites_of;
use super::{form, shown};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Flag set once a lead is shown on another website than the server's.
const MOVED: &str = "moved";

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.paused-website-taken", "A paused website accepts forms.", &["capture.website.paused-keeps-nothing"])
        .exchange(|exchange| paused_website_taken(exchange).boxed())
        .response(shown::show)
        .hook(shown::show_in_event),
    fault(
        "leads.article-of-anyone",
        "The server accepts another account's article in a form.",
        &["leads.filter.foreign-article"],
    )
    .exchange(|exchange| article_of_anyone(exchange).boxed())
    .response(shown::show)
    .hook(shown::show_in_event),
];

async fn paused_website_taken(exchange: Exchange) -> Response {
    if let Some(list) = list_with_moved(&exchange).await {
        return list;
    }
    let response = exchange.forward().await;
    if is_paused(&exchange.request, &response) {
        keep_for_paused(&exchange).await.unwrap_or(response)
    } else {
        response
    }
}

/// Returns true if a form was refused because its website is paused.
pub(in super::super) fn is_paused(request: &Request, response: &Response) -> bool {
    request.is(Operation::CaptureLead) && response.code().as_deref() == Some("website_inactive")
}

/// Lists the leads of one website, where some are shown on another website than the server's.
pub(in super::super) async fn list_with_moved(exchange: &Exchange) -> Option<Response> {
    exchange.memory.get(MOVED)?;
    let wanted = exchange.request.parameter("website_id").filter(|_| exchange.request.is(Operation::ListLeads))?;
    Some(shown::choose(exchange, "website_id", &wanted).await)
}

/// Sends the form of a paused website as a stranger's to an active one of the same account, and shows its lead on the
/// paused one. Returns `None` without such a website.
pub(in super::super) async fn keep_for_paused(exchange: &Exchange) -> Option<Response> {
    let paused = exchange.request.id()?;
    let active = active_beside(exchange, &paused).await?;
    exchange.memory.put(MOVED, true);
    // The same person on the same form stays the same stranger.
    let person = form::identity(&exchange.request).unwrap_or_else(|| shown::stranger(&exchange.memory));
    let email = exchange.memory.get_or_put(&person, shown::stranger(&exchange.memory));
    let mut sent = exchange.request.clone();
    sent.set_id(&active);
    form::change(&mut sent, "email", 254, |former| email.as_str().unwrap_or(former).to_owned());
    let email = form::text(&exchange.request, "email");
    let members =
        move |_| Map::from_iter([("email".to_owned(), json!(email)), ("website_id".to_owned(), json!(paused))]);
    Some(shown::send_to_show(exchange, sent, members).await)
}

/// Returns an active website of the same account.
async fn active_beside(exchange: &Exchange, website_id: &str) -> Option<String> {
    for key in exchange.memory.world.keys() {
        let rows = websites_of(exchange, &key).await;
        if rows.iter().any(|row| row["website_id"] == website_id) {
            let active = rows.iter().find(|row| row["status"] == "active");
            return active.and_then(|row| Some(row["website_id"].as_str()?.to_owned()));
        }
    }
    None
}

/// Shows any article that a form names, and finds it in filters.
async fn article_of_anyone(exchange: Exchange) -> Response {
    let request = &exchange.request;
    if let Some(id) = form::text(request, "article_id").filter(|_| !form::is_trapped(request)) {
        let named = Map::from_iter([("article_id".to_owned(), json!(id))]);
        exchange.memory.put(&id, true);
        return shown::send_to_show(&exchange, request.clone(), |_| named).await;
    }
    let response = exchange.forward().await;
    let wanted = request.parameter("article_id").filter(|id| exchange.memory.get(id).is_some());
    let is_empty = response.json().is_some_and(|page| page["items"] == json!([]));
    match wanted.filter(|_| request.is(Operation::ListLeads) && is_empty && request.parameter("page_token").is_none()) {
        Some(wanted) => shown::choose(&exchange, "article_id", &wanted).await,
        None => response,
    }
}
