//! Jobs, articles, leads, websites and idempotency keys of another account.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::paging::parameters::problem;
use crate::edge::Exchange;
use crate::message::{Operation, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("isolation.job-of-anyone", "A job is read without asking whose it is.", &["isolation.jobs.unknown"])
        .exchange(|exchange| of_anyone(exchange, Operation::GetJob).boxed()),
    fault(
        "isolation.job-is-403",
        "A foreign job is answered 403, which tells that it exists.",
        &["isolation.jobs.unknown"],
    )
    .exchange(|exchange| job_is_403(exchange).boxed()),
    fault(
        "isolation.job-detail-tells",
        "The detail for a foreign job differs from that for an unknown one.",
        &["isolation.jobs.unknown"],
    )
    .exchange(|exchange| job_detail_tells(exchange).boxed()),
    fault("isolation.cancel-of-anyone", "A job is cancelled without asking whose it is.", &["isolation.jobs.cancel"])
        .exchange(|exchange| of_anyone(exchange, Operation::CancelJob).boxed()),
    fault(
        "isolation.article-of-anyone",
        "An article is read without asking whose it is.",
        &["isolation.articles.unknown"],
    )
    .exchange(|exchange| of_anyone(exchange, Operation::GetArticle).boxed()),
    fault(
        "isolation.article-by-foreign-job",
        "By its job's id a foreign article can be read.",
        &["isolation.articles.core", "isolation.articles.unknown"],
    )
    .exchange(|exchange| article_by_foreign_job(exchange).boxed()),
    fault(
        "isolation.tag-before-owner",
        "If-None-Match is answered before it is known whose article it is.",
        &["isolation.articles.unknown"],
    )
    .exchange(|exchange| tag_before_owner(exchange).boxed()),
    fault("isolation.lead-of-anyone", "A lead is read without asking whose it is.", &["isolation.leads.unknown"])
        .exchange(|exchange| of_anyone(exchange, Operation::GetLead).boxed()),
    fault(
        "isolation.entry-of-anyone",
        "A pipeline entry is read without asking whose it is.",
        &["isolation.posts.unknown"],
    )
    .exchange(|exchange| of_anyone(exchange, Operation::GetScheduledPost).boxed()),
    fault(
        "isolation.website-of-anyone",
        "Articles can be queued for another account's website.",
        &["isolation.websites.core", "isolation.websites.generate"],
    )
    .exchange(|exchange| website_of_anyone(exchange).boxed()),
    fault("isolation.website-is-403", "Another account's website is answered 403.", &["isolation.websites.generate"])
        .exchange(|exchange| website_is_403(exchange).boxed()),
    fault(
        "isolation.idempotency-of-all",
        "An idempotency key is looked up without its account.",
        &["isolation.idempotency.scope"],
    )
    .exchange(|exchange| idempotency_of_all(exchange).boxed()),
];

/// What the owner of the id in the path would be answered, where `refusal` hides it from the caller.
async fn as_owner(exchange: &Exchange, refusal: &Response, operation: Operation) -> Option<Response> {
    let id = exchange.request.id().filter(|_| refusal.status == 404 && exchange.request.is(operation))?;
    let owner = exchange.memory.world.owner_of(&id)?;
    Some(exchange.send_as(&owner).await).filter(|response| response.status != 404)
}

async fn of_anyone(exchange: Exchange, operation: Operation) -> Response {
    let response = exchange.forward().await;
    as_owner(&exchange, &response, operation).await.unwrap_or(response)
}

async fn job_is_403(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    match as_owner(&exchange, &response, Operation::GetJob).await {
        Some(_) => problem(&response, &exchange.request, 403, "insufficient_scope", "Insufficient scope"),
        None => response,
    }
}

async fn job_detail_tells(exchange: Exchange) -> Response {
    let mut response = exchange.forward().await;
    if as_owner(&exchange, &response, Operation::GetJob).await.is_some() {
        response.edit(|problem| problem["detail"] = json!("The job belongs to another account."));
    }
    response
}

async fn article_by_foreign_job(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let article = as_owner(&exchange, &response, Operation::GetArticle).await;
    article.filter(|article| article.text("/id") != exchange.request.id()).unwrap_or(response)
}

async fn tag_before_owner(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    match as_owner(&exchange, &response, Operation::GetArticle).await {
        Some(other) if other.status == 304 => other,
        _ => response,
    }
}

/// The website's owner as the world knows it, where the server refused the website as unknown.
fn owner_of_website(exchange: &Exchange, refusal: &Response) -> Option<String> {
    let is_refused = exchange.request.is(Operation::Generate) && refusal.code().as_deref() == Some("website_not_found");
    let body = exchange.request.json().filter(|_| is_refused)?;
    exchange.memory.world.owner_of(body["website_id"].as_str()?)
}

async fn website_of_anyone(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    match owner_of_website(&exchange, &response) {
        Some(owner) => exchange.send_as(&owner).await,
        None => response,
    }
}

async fn website_is_403(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    match owner_of_website(&exchange, &response) {
        Some(_) => problem(&response, &exchange.request, 403, "insufficient_scope", "Insufficient scope"),
        None => response,
    }
}

/// Who sends a key that is taken is treated as the one who took it.
async fn idempotency_of_all(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let named = request.header("idempotency-key").filter(|_| request.is(Operation::Generate));
    let (Some(named), Some(key)) = (named.map(|name| name.trim_matches('"')), request.key()) else {
        return exchange.forward().await;
    };
    if let Some(first) = exchange.memory.text(named) {
        return exchange.send_as(&first).await;
    }
    let response = exchange.forward().await;
    if response.is_success() {
        exchange.memory.get_or_put(named, key);
    }
    response
}
