//! Responses to `HEAD`.

use http::Method;

use super::super::fault::{Fault, fault};
use super::super::refusals;
use crate::message::{Operation, Request};

pub(super) const FAULTS: &[Fault] = &[
    fault("http.head-without-date", "HEAD of an article has no Last-Modified.", &["http.head.records"]).response(
        |response, request, _| {
            if is_head(request) && request.is(Operation::GetArticle) {
                response.remove("last-modified");
            }
        },
    ),
    fault("http.head-without-link", "HEAD of a page has no Link.", &["http.head.records"]).response(
        |response, request, _| {
            if is_head(request) && request.operation().is_some_and(Operation::is_list) {
                response.remove("link");
            }
        },
    ),
    fault("http.head-of-entry", "HEAD of a scheduled post has no Cache-Control.", &["http.head.records"]).response(
        |response, request, _| {
            if is_head(request) && request.is(Operation::GetScheduledPost) {
                response.remove("cache-control");
            }
        },
    ),
    fault("http.head-unconditional", "HEAD ignores If-None-Match.", &["http.head.conditional"]).request(
        |request, _| {
            if is_head(request) {
                request.remove("if-none-match");
            }
        },
    ),
    fault("http.head-of-post", "HEAD gets 200 also where a path has no GET.", &["http.head.not-for-post"]).response(
        |response, request, _| {
            if is_head(request) && response.status == 405 {
                response.status = 200;
                response.remove("allow");
            }
        },
    ),
    fault("http.head-is-405", "The server refuses HEAD.", &["http.head.like-get"]).response(|response, request, _| {
        if is_head(request) && request.operation().is_some() {
            *response = refusals::in_place_of(response, 405, "method_not_allowed", "Method not allowed");
            response.set("allow", "GET");
        }
    }),
    fault("http.head-without-tag", "HEAD has no ETag.", &["http.head.like-get"]).response(|response, request, _| {
        if is_head(request) {
            response.remove("etag");
        }
    }),
];

fn is_head(request: &Request) -> bool {
    request.method == Method::HEAD
}
