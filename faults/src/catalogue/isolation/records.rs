//! Jobs, articles, leads, websites and idempotency keys of another account.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::paging::parameters::problem;
use crate::edge::Exchange;
use crate::message::{Operation, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("isolation.job-of-anyone", "The server returns a job of another account.", &["isolation.jobs.unknown"])
        .exchange(|exchange| of_anyone(exchange, Operation::GetJob).boxed()),
    fault("isolation.job-is-403", "A foreign job gets 403, which reveals that it exists.", &["isolation.jobs.unknown"])
        .exchange(|exchange| job_is_403(exchange).boxed()),
    fault(
        "isolation.job-detail-tells",
        "The detail for a foreign job differs from the detail for an unknown one.",
        &["isolation.jobs.unknown"],
    )
    .exchange(|exchange| job_detail_tells(exchange).boxed()),
    fault("isolation.cancel-of-anyone", "The server cancels a job of another account.", &["isolation.jobs.cancel"])
        .exchange(|exchange| of_anyone(exchange, Operation::CancelJob).boxed()),
    fault(
        "isolation.article-of-anyone",
        "The server returns an article of another account.",
        &["isolation.articles.unknown"],
    )
    .exchange(|exchange| of_anyone(exchange, Operation::GetArticle).boxed()),
    fault(
        "isolation.article-by-foreign-job",
        "The server returns another account's article by its job's id.",
        &["isolation.articles.core", "isolation.articles.unknown"],
    )
    .exchange(|exchange| article_by_foreign_job(exchange).boxed()),
    fault(
        "isolation.tag-before-owner",
        "The server checks If-None-Match before the article's account.",
        &["isolation.articles.unknown"],
    )
    .exchange(|exchange| tag_before_owner(exchange).boxed()),
    fault("isolation.lead-of-anyone", "The server returns a lead of another account.", &["isolation.leads.unknown"])
        .exchange(|exchange| of_anyone(exchange, Operation::GetLead).boxed()),
    fault(
        "isolation.entry-of-anyone",
        "The server returns a scheduled post of another account.",
        &["isolation.posts.unknown"],
    )
    .exchange(|exchange| of_anyone(exchange, Operation::GetScheduledPost).boxed()),
    fault(
        "isolation.website-of-anyone",
        "The server queues articles for another account's website.",
        &["isolation.websites.core", "isolation.websites.generate"],
    )
    .exchange(|exchange| website_of_anyone(exchange).boxed()),
    fault("isolation.website-is-403", "Another account's website gets 403.", &["isolation.websites.generate"])
        .exchange(|exchange| website_is_403(exchange).boxed()),
    fault(
        "isolation.idempotency-of-all",
        "The server looks up an idempotency key without its account.",
        &["isolation.idempotency.scope"],
    )
    .exchange(|exchange| idempotency_of_all(exchange).boxed()),
];

/// Returns the owner's response for the id in the path, if `refusal` hides it from the caller.
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

/// Returns the website's owner as seen so far, if the server refused the website as unknown.
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

/// Sends a used key as the account that used it first.
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
