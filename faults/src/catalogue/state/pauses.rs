//! Faults around a website that is paused and later resumed.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::refusals;
use super::super::validation::websites::active_website;
use super::super::{echo, paging::pages::websites_of};
use super::records::{edit_article, edit_job};
use crate::clock;
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, write_time};

const ORDERS: &[&str] = &["websites.pause.orders"];

pub(super) const FAULTS: &[Fault] = &[
    fault("state.pause-unnoticed", "A website that accepted a generation request accepts them for ever.", ORDERS)
        .exchange(|exchange| unnoticed(exchange).boxed())
        .response(echo::show),
    fault("state.resume-unnoticed", "A website that refused a generation request refuses all later ones.", ORDERS)
        .exchange(|exchange| resume_unnoticed(exchange).boxed()),
    fault("state.pause-is-404", "A paused website gets the response of an unknown one.", ORDERS)
        .exchange(|exchange| unknown(exchange).boxed()),
    fault("state.pause-unlisted", "The list of websites shows every website as active.", &["websites.pause.listed"])
        .response(|response, request, _| {
            if request.is(Operation::ListWebsites) {
                response.edit_rows(|website| website["status"] = json!("active"));
            }
        }),
    fault(
        "state.pause-before-replay",
        "The server checks the website before the idempotency key.",
        &["websites.pause.replay"],
    )
    .exchange(|exchange| before_replay(exchange).boxed()),
    fault(
        "state.pause-strands-jobs",
        "Jobs that were queued when their website was paused are never written.",
        &["websites.pause.queued"],
    )
    .response(strand),
    fault(
        "state.pause-ends-halfway",
        "Jobs that were queued when their website was paused end without a finished_at.",
        &["websites.pause.queued"],
    )
    .response(end_halfway),
    fault(
        "state.pause-not-for-forms",
        "A website that accepted a form accepts forms for ever.",
        &["websites.pause.capture"],
    )
    .response(not_for_forms),
    fault(
        "state.resume-not-for-forms",
        "A website that refused a form refuses all later ones.",
        &["websites.pause.capture"],
    )
    .response(resume_not_for_forms),
    fault(
        "state.pause-not-for-posts",
        "The server publishes scheduled articles of a paused website.",
        &["websites.pause.publication"],
    )
    .response(publish),
];

/// Returns the website of a generation request.
fn ordered_for(request: &Request) -> Option<String> {
    let body = request.json().filter(|_| request.is(Operation::Generate))?;
    body["website_id"].as_str().map(ToOwned::to_owned)
}

fn taken(website_id: &str) -> String {
    format!("{website_id} took something")
}

fn refused(website_id: &str) -> String {
    format!("{website_id} refused something")
}

/// Returns true if a generation request was refused for a website that accepted one before.
fn was_paused(exchange: &Exchange, response: &Response) -> bool {
    let Some(website_id) = ordered_for(&exchange.request) else { return false };
    if response.is_success() {
        exchange.memory.put(&taken(&website_id), true);
    }
    response.code().as_deref() == Some("website_inactive") && exchange.memory.get(&taken(&website_id)).is_some()
}

async fn unnoticed(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if !was_paused(&exchange, &response) {
        return response;
    }
    match active_website(&exchange, &response, "website_inactive").await {
        Some(id) => echo::generate_as(&exchange, &["website_id"], |body| body["website_id"] = json!(id)).await,
        None => response,
    }
}

async fn unknown(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if was_paused(&exchange, &response) {
        return refusals::in_place_of(&response, 422, "website_not_found", "Website not found");
    }
    response
}

async fn resume_unnoticed(exchange: Exchange) -> Response {
    let Some(website_id) = ordered_for(&exchange.request) else { return exchange.forward().await };
    let slot = refused(&website_id);
    if exchange.memory.get(&slot).is_some() {
        return refusals::refuse(&exchange, 403, "website_inactive", "Website inactive").await;
    }
    let response = exchange.forward().await;
    if response.code().as_deref() == Some("website_inactive") {
        exchange.memory.put(&slot, true);
    }
    response
}

async fn before_replay(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let is_replay = response.header("idempotency-replayed").is_some();
    let (Some(website_id), Some(key)) = (ordered_for(&exchange.request).filter(|_| is_replay), exchange.request.key())
    else {
        return response;
    };
    let websites = websites_of(&exchange, key).await;
    let is_paused = |website: &Value| website["website_id"] == website_id.as_str() && website["status"] != "active";
    if websites.iter().any(is_paused) {
        return refusals::in_place_of(&response, 403, "website_inactive", "Website inactive");
    }
    response
}

/// Records websites that refused their last generation request. Returns true if the response is a job or an article of such a website.
fn is_of_paused(response: &Response, request: &Request, memory: &Memory) -> bool {
    if let Some(website_id) = ordered_for(request) {
        if response.code().as_deref() == Some("website_inactive") {
            memory.put(&refused(&website_id), true);
        } else if response.is_success() {
            memory.take(&refused(&website_id));
        }
        return false;
    }
    let is_record = matches!(request.operation(), Some(Operation::GetJob | Operation::GetArticle));
    let website_id = response.text("/website_id").filter(|_| is_record && response.is_success());
    website_id.is_some_and(|website_id| memory.get(&refused(&website_id)).is_some())
}

fn strand(response: &mut Response, request: &Request, memory: &Memory) {
    if is_of_paused(response, request, memory) {
        edit_job(response, request, |job| {
            (job["status"], job["done"], job["progress"]) = (json!("queued"), json!(false), json!(0));
            for member in ["started_at", "finished_at", "article_id", "error"] {
                job[member] = Value::Null;
            }
        });
    }
}

fn end_halfway(response: &mut Response, request: &Request, memory: &Memory) {
    if is_of_paused(response, request, memory) {
        edit_job(response, request, |job| {
            if job["done"] == true {
                job["finished_at"] = Value::Null;
            }
        });
    }
}

fn publish(response: &mut Response, request: &Request, memory: &Memory) {
    if is_of_paused(response, request, memory) {
        edit_article(response, request, |article| {
            if article["status"] != "published" {
                article["status"] = json!("published");
                article["published_at"] = json!(write_time(clock::now()));
                article["url"] =
                    json!(format!("https://paused.example/{}", article["slug"].as_str().unwrap_or_default()));
            }
        });
    }
}

fn not_for_forms(response: &mut Response, request: &Request, memory: &Memory) {
    let Some(website_id) = request.id().filter(|_| request.is(Operation::CaptureLead)) else { return };
    if response.is_success() {
        memory.put(&taken(&website_id), true);
    } else if response.code().as_deref() == Some("website_inactive") && memory.get(&taken(&website_id)).is_some() {
        response.status = 202;
        response.set_body("application/json", "{}");
    }
}

fn resume_not_for_forms(response: &mut Response, request: &Request, memory: &Memory) {
    let Some(website_id) = request.id().filter(|_| request.is(Operation::CaptureLead)) else { return };
    if response.code().as_deref() == Some("website_inactive") {
        memory.put(&refused(&website_id), true);
    } else if response.is_success() && memory.get(&refused(&website_id)).is_some() {
        *response = refusals::in_place_of(response, 403, "website_inactive", "Website inactive");
    }
}
