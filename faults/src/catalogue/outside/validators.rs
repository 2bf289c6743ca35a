//! Faults in entity tags, `If-None-Match` and updates of an article.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::state::conditional::{decide, held_tags, holds, holds_anything, not_modified, whole, with_tag};
use super::super::state::records::is_read;
use super::super::state::validators::article_id;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response, parse_time};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.by-job-kept",
        "An article that is read by the id of its job never changes after the first read.",
        &["articles.by-job-id.follows-change"],
    )
    .exchange(|exchange| by_job_kept(exchange).boxed()),
    fault("outside.tag-kept", "Publishing does not change the ETag of the article.", &["articles.etag.follows-change"])
        .exchange(|exchange| tag_kept(exchange).boxed()),
    fault(
        "outside.modified-is-created",
        "Last-Modified is the time of the article's creation.",
        &["articles.last-modified.follows-change"],
    )
    .response(|response, request, _| {
        let created = response.text("/created_at").as_deref().and_then(parse_time);
        if let Some(created) = created.filter(|_| is_read(response, request, Operation::GetArticle)) {
            response.set("last-modified", &created.format("%a, %d %b %Y %H:%M:%S GMT").to_string());
        }
    }),
    fault(
        "outside.star-before-existence",
        "If-None-Match: * gets 304 even if the job does not exist.",
        &["jobs.etag.not-modified"],
    )
    .response(|response, request, _| {
        let is_known_caller = matches!(response.status, 200 | 304 | 404);
        if request.is(Operation::GetJob) && is_known_caller && holds_anything(request) {
            *response = not_modified(response.clone());
            // Without an earlier read of the job, the caller has no tag of it.
            response.remove("etag");
        }
    }),
    fault(
        "outside.tags-without-case",
        "The server compares entity tags without regard to case.",
        &["articles.etag.by-case"],
    )
    .exchange(|exchange| tags_without_case(exchange).boxed()),
    fault(
        "outside.match-first-line",
        "The server reads only the first of several If-None-Match lines.",
        &["articles.etag.several-lines"],
    )
    .request(|request, _| {
        if let Some(first) = request.header("if-none-match").map(ToOwned::to_owned) {
            request.set("if-none-match", &first);
        }
    }),
    fault(
        "outside.match-not-by-job",
        "The server ignores If-None-Match if the article is read by the id of its job.",
        &["articles.etag.by-job-id"],
    )
    .exchange(|exchange| match_not_by_job(exchange).boxed()),
    fault(
        "outside.match-with-gzip",
        "A client that accepts gzip gets 200 without a body if its copy is current.",
        &["articles.etag.compressed"],
    )
    .response(|response, request, _| {
        if response.status == 304 && request.header("accept-encoding").is_some() {
            response.status = 200;
        }
    }),
];

fn is_by_other_id(response: &Response, request: &Request) -> bool {
    request.id().is_some_and(|id| id != article_id(response, request))
}

async fn by_job_kept(exchange: Exchange) -> Response {
    let request = &exchange.request;
    if !request.is(Operation::GetArticle) {
        return exchange.forward().await;
    }
    let mut response = whole(&exchange).await;
    if !response.is_success() {
        return response;
    }
    if let Some(body) = response.json().filter(|_| is_by_other_id(&response, request)) {
        let tag = response.header("etag").unwrap_or_default();
        let kept = exchange.memory.get_or_put(&request.path, json!({ "tag": tag, "body": body }));
        response.edit(|body| body.clone_from(&kept["body"]));
        response.set("etag", kept["tag"].as_str().unwrap_or_default());
    }
    let is_held = response.header("etag").is_some_and(|tag| holds(request, tag));
    if is_held { not_modified(response) } else { response }
}

async fn tag_kept(exchange: Exchange) -> Response {
    if !exchange.request.is(Operation::GetArticle) {
        return exchange.forward().await;
    }
    with_tag(&exchange, |response| {
        let tag = response.header("etag").unwrap_or_default();
        let kept = exchange.memory.get_or_put(&article_id(response, &exchange.request), tag);
        kept.as_str().map_or_else(String::new, ToOwned::to_owned)
    })
    .await
}

async fn tags_without_case(exchange: Exchange) -> Response {
    let request = &exchange.request;
    if !matches!(request.operation(), Some(Operation::GetArticle | Operation::GetJob)) {
        return exchange.forward().await;
    }
    let is_held =
        |tag: &str| holds(request, tag) || held_tags(request).iter().any(|held| held.eq_ignore_ascii_case(tag));
    decide(&exchange, is_held).await
}

async fn match_not_by_job(exchange: Exchange) -> Response {
    let request = &exchange.request;
    if !request.is(Operation::GetArticle) {
        return exchange.forward().await;
    }
    let response = whole(&exchange).await;
    let tag = response.header("etag").filter(|_| response.is_success() && !is_by_other_id(&response, request));
    let is_held = tag.is_some_and(|tag| holds(request, tag));
    if is_held { not_modified(response) } else { response }
}
