//! Entity tags, `If-None-Match`, `Last-Modified` and `Cache-Control` of jobs and articles.

use chrono::DateTime;
use futures::future::FutureExt;

use super::super::fault::{Fault, fault};
use super::conditional::{decide, held_tags, holds_anything, not_modified, tag_of, with_tag};
use super::records::is_read;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "state.article-match-exact",
        "The server compares If-None-Match of an article as text.",
        &["articles.etag.every-form"],
    )
    .exchange(|exchange| article_match_exact(exchange).boxed()),
    fault(
        "state.article-tag-of-address",
        "The entity tag of an article depends on the address.",
        &["articles.etag.by-job-id"],
    )
    .exchange(|exchange| article_tag_of_address(exchange).boxed()),
    fault("state.tag-each-time", "The entity tag of a job differs between responses.", &["jobs.terminal.stable"])
        .exchange(|exchange| tag_each_time(exchange).boxed()),
    fault("state.tag-weak", "The entity tag of a job is weak.", &["jobs.cache.private"]).response(
        |response, request, _| {
            if request.is(Operation::GetJob) {
                response.change("etag", |tag| format!("W/{}", tag.trim_start_matches("W/")));
            }
        },
    ),
    fault("state.tag-of-id", "The entity tag of a job depends only on its id.", &["jobs.etag.follows-change"])
        .exchange(|exchange| tag_of_id(exchange).boxed()),
    fault(
        "state.article-tag-of-id",
        "Publishing does not change the entity tag of an article.",
        &["articles.etag.follows-change"],
    )
    .exchange(|exchange| article_tag_of_id(exchange).boxed()),
    fault("state.match-ignored", "The server ignores If-None-Match.", &["jobs.etag.not-modified"])
        .request(|request, _| request.remove("if-none-match")),
    fault(
        "state.match-without-list",
        "The server ignores If-None-Match with several tags.",
        &["jobs.etag.not-modified"],
    )
    .request(|request, _| {
        if held_tags(request).len() > 1 {
            request.remove("if-none-match");
        }
    }),
    fault("state.match-without-star", "The server ignores If-None-Match: *.", &["jobs.etag.not-modified"]).request(
        |request, _| {
            if holds_anything(request) {
                request.remove("if-none-match");
            }
        },
    ),
    fault(
        "state.not-modified-without-tag",
        "A 304 has no ETag.",
        &["articles.etag.not-modified", "jobs.etag.not-modified"],
    )
    .response(|response, _, _| {
        if response.status == 304 {
            response.remove("etag");
        }
    }),
    fault("state.modified-since", "A request with If-Modified-Since gets 304.", &["articles.etag.not-modified"])
        .response(|response, request, _| {
            if is_read(response, request, Operation::GetArticle) && is_unmodified(response, request) {
                *response = not_modified(response.clone());
            }
        }),
    fault("state.job-public", "Shared caches may store a job.", &["jobs.cache.private"]).response(
        |response, request, _| {
            if is_read(response, request, Operation::GetJob) {
                response.set("cache-control", "public, max-age=60");
            }
        },
    ),
    fault("state.article-public", "Shared caches may store an article.", &["articles.cache.private"]).response(
        |response, request, _| {
            if is_read(response, request, Operation::GetArticle) {
                response.set("cache-control", "public, max-age=60");
            }
        },
    ),
    fault("state.last-modified-iso", "Last-Modified is an RFC 3339 time.", &["articles.cache.private"]).response(
        |response, request, _| {
            if request.is(Operation::GetArticle) {
                response.change("last-modified", |date| match DateTime::parse_from_rfc2822(date) {
                    Ok(date) => write_time(date.to_utc()),
                    Err(_) => date.to_owned(),
                });
            }
        },
    ),
];

/// Returns the id of an article that is read by either id. `HEAD` shows it only in `Content-Location`.
pub(in crate::catalogue) fn article_id(response: &Response, request: &Request) -> String {
    let located = || Some(response.header("content-location")?.rsplit('/').next()?.to_owned());
    response.text("/id").or_else(located).or_else(|| request.id()).unwrap_or_default()
}

async fn article_match_exact(exchange: Exchange) -> Response {
    if !exchange.request.is(Operation::GetArticle) {
        return exchange.forward().await;
    }
    let held = exchange.request.header("if-none-match").unwrap_or_default().to_owned();
    decide(&exchange, |tag| tag == held).await
}

async fn article_tag_of_address(exchange: Exchange) -> Response {
    if !exchange.request.is(Operation::GetArticle) {
        return exchange.forward().await;
    }
    with_tag(&exchange, |response| {
        tag_of(&format!("{} {}", exchange.request.path, response.header("etag").unwrap_or_default()))
    })
    .await
}

async fn tag_each_time(exchange: Exchange) -> Response {
    if !exchange.request.is(Operation::GetJob) {
        return exchange.forward().await;
    }
    with_tag(&exchange, |_| tag_of(&exchange.memory.next_number("answers").to_string())).await
}

async fn tag_of_id(exchange: Exchange) -> Response {
    if !exchange.request.is(Operation::GetJob) {
        return exchange.forward().await;
    }
    with_tag(&exchange, |_| tag_of(&exchange.request.id().unwrap_or_default())).await
}

async fn article_tag_of_id(exchange: Exchange) -> Response {
    if !exchange.request.is(Operation::GetArticle) {
        return exchange.forward().await;
    }
    with_tag(&exchange, |response| tag_of(&article_id(response, &exchange.request))).await
}

/// Returns true if the article has not changed since the caller's time.
fn is_unmodified(response: &Response, request: &Request) -> bool {
    let time = |text: &str| DateTime::parse_from_rfc2822(text).ok();
    let since = request.header("if-modified-since").and_then(time);
    let modified = response.header("last-modified").and_then(time);
    since.zip(modified).is_some_and(|(since, modified)| modified <= since)
}
