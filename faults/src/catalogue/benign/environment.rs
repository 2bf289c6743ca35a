//! Interruptions of a correct server during a run: a pause, a spent quota, an error from a gateway.

use futures::future::FutureExt;
use http::Method;
use serde_json::json;

use super::super::fault::{Fault, Profile, variant};
use super::super::limits::purse;
use super::super::refusals;
use crate::edge::Exchange;
use crate::message::{Request, Response};

/// Number of the read that is interrupted.
const TURN: u64 = 400;

const ENVOY: &str = "upstream connect error or disconnect/reset before headers. reset reason: connection termination";
const KONG: &str = r#"{"message":"An invalid response was received from the upstream server","request_id":"7f3a"}"#;
const GOOGLE: &str = "<!DOCTYPE html>\n<html lang=en>\n<title>Error 502 (Server Error)!!1</title>\n\
    <p><b>502.</b> <ins>That\u{2019}s an error.</ins>\n<p>The server encountered a temporary error.\n";

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.one-503",
        "One read in the middle gets 503 unavailable with Retry-After, which every operation may return.",
        Profile::Full,
    )
    .exchange(|exchange| unavailable(exchange).boxed()),
    variant(
        "benign.one-429",
        "One read in the middle gets 429 with Retry-After: other clients may use up the quota of the key, too.",
        Profile::Full,
    )
    .exchange(|exchange| rate_limited(exchange).boxed()),
    variant(
        "benign.gateway-envoy",
        "One read in the middle gets the 503 of an Istio gateway: RFC 9110 15.6.4 describes it.",
        Profile::Full,
    )
    .exchange(|exchange| {
        let headers = &[("server", "istio-envoy"), ("content-type", "text/plain")];
        gateway(exchange, 503, headers, ENVOY).boxed()
    }),
    variant(
        "benign.gateway-traefik",
        "One read in the middle gets the 502 of Traefik: RFC 9110 15.6.3 describes it.",
        Profile::Full,
    )
    .exchange(|exchange| {
        let headers = &[("content-type", "text/plain; charset=utf-8"), ("x-content-type-options", "nosniff")];
        gateway(exchange, 502, headers, "Bad Gateway").boxed()
    }),
    variant(
        "benign.gateway-kong",
        "One read in the middle gets the 502 of Kong in JSON: RFC 9110 15.6.3 describes it.",
        Profile::Full,
    )
    .exchange(|exchange| {
        let headers = &[("server", "kong/3.7.1"), ("content-type", "application/json; charset=utf-8")];
        gateway(exchange, 502, headers, KONG).boxed()
    }),
    variant(
        "benign.gateway-google",
        "One read in the middle gets the 502 page of a Google load balancer: RFC 9110 15.6.3 describes it.",
        Profile::Full,
    )
    .exchange(|exchange| gateway(exchange, 502, &[("content-type", "text/html; charset=UTF-8")], GOOGLE).boxed()),
    variant(
        "benign.gateway-timeout",
        "One read in the middle gets the 504 of an AWS gateway in JSON: RFC 9110 15.6.5 describes it.",
        Profile::Full,
    )
    .exchange(|exchange| {
        let headers = &[("content-type", "application/json"), ("x-amzn-errortype", "GatewayTimeoutException")];
        gateway(exchange, 504, headers, r#"{"message": "Endpoint request timed out"}"#).boxed()
    }),
];

/// Returns true for one read of the API with a key. A client can repeat a read without loss.
fn is_turn(exchange: &Exchange) -> bool {
    let request = &exchange.request;
    let is_read = request.method == Method::GET && request.operation().is_some() && request.key().is_some();
    is_read && exchange.memory.next_number("reads") == TURN
}

async fn unavailable(exchange: Exchange) -> Response {
    if !is_turn(&exchange) {
        return exchange.forward().await;
    }
    let mut response = refusals::refuse(&exchange, 503, "unavailable", "Unavailable").await;
    response.set("retry-after", "1");
    response
}

/// Shows the server's own quota with nothing left.
async fn rate_limited(exchange: Exchange) -> Response {
    if !is_turn(&exchange) {
        return exchange.forward().await;
    }
    let mut list = Request::get("/api/v1/websites?limit=1");
    list.headers = exchange.request.headers.clone();
    let list = exchange.send(list).await;
    let policy = list.header("ratelimit-policy").and_then(|policy| policy.split('"').nth(1)).map(ToOwned::to_owned);
    let Some(policy) = policy else { return exchange.forward().await };
    let mut response = refusals::in_place_of(&list, 429, "rate_limited", "Quota exceeded");
    response.edit(|problem| {
        problem["type"] = json!("https://iana.org/assignments/http-problem-types#quota-exceeded");
        problem["violated-policies"] = json!([policy]);
    });
    purse::set_left(&mut response, 0);
    response.set("retry-after", "1");
    response
}

/// Returns the page of a gateway that cannot reach the server. It has no request id and no problem.
async fn gateway(
    exchange: Exchange,
    status: u16,
    headers: &'static [(&'static str, &'static str)],
    page: &'static str,
) -> Response {
    if !is_turn(&exchange) {
        return exchange.forward().await;
    }
    let mut response = Response::new(status, page);
    for (name, value) in headers {
        response.set(name, value);
    }
    response
}
