//! Faults in handling unknown methods, and other wrong reasons to refuse a request.

use futures::future::FutureExt;
use http::Method;

use super::super::fault::{Fault, fault};
use super::super::refusals;
use crate::edge::Exchange;
use crate::message::Response;

pub(super) const FAULTS: &[Fault] = &[
    fault("http.any-method", "The server treats an unknown method like GET.", &["http.method.unusual"]).request(
        |request, _| {
            let known =
                [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
            if !known.contains(&request.method) {
                request.method = Method::GET;
            }
        },
    ),
    fault("http.method-is-404", "A wrong method gets 404.", &["http.method.not-allowed"]).response(|response, _, _| {
        if response.status == 405 {
            *response = refusals::in_place_of(response, 404, "route_not_found", "Route not found");
        }
    }),
    fault("http.no-allow", "The 405 has no Allow.", &["http.method.not-allowed"]).response(|response, _, _| {
        if response.status == 405 {
            response.remove("allow");
        }
    }),
    fault("http.allow-without-head", "Allow lacks HEAD.", &["http.method.not-allowed"]).response(|response, _, _| {
        response.change("allow", |allow| {
            let others = allow.split(',').map(str::trim).filter(|method| *method != "HEAD");
            others.collect::<Vec<_>>().join(", ")
        });
    }),
    fault("http.options-204", "OPTIONS gets 204.", &["http.method.not-allowed"]).response(|response, request, _| {
        if request.method == Method::OPTIONS && response.status == 405 {
            response.status = 204;
            response.body.clear();
            response.remove("content-type");
        }
    }),
    fault(
        "http.not-acceptable",
        "The server refuses a request whose Accept excludes JSON.",
        &["http.accept.disregarded"],
    )
    .exchange(|exchange| not_acceptable(exchange).boxed()),
    fault("http.body-breaks-get", "The body of a GET causes a 500.", &["http.body.ignored-on-get"])
        .exchange(|exchange| body_breaks_get(exchange).boxed()),
];

async fn not_acceptable(exchange: Exchange) -> Response {
    let wish = exchange.request.header("accept").unwrap_or("*/*");
    if exchange.request.operation().is_none() || wish.contains("json") || wish.contains('*') {
        return exchange.forward().await;
    }
    refusals::refuse(&exchange, 406, "not_acceptable", "Not acceptable").await
}

async fn body_breaks_get(exchange: Exchange) -> Response {
    if exchange.request.method != Method::GET || exchange.request.body.is_empty() {
        return exchange.forward().await;
    }
    refusals::refuse(&exchange, 500, "internal_error", "Internal error").await
}
