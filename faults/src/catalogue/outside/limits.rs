//! Faults in charging requests and in refusing them.

use std::time::Duration;

use futures::future::FutureExt;
use http::Method;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::limits::purse::{self, Quota};
use crate::clock;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("outside.head-free", "The server does not charge HEAD.", &["limits.quota.every-answer"])
        .exchange(|exchange| charging(exchange, |request, _| request.method == Method::HEAD).boxed()),
    fault("outside.refusals-free", "The server does not charge requests that get 404.", &["limits.quota.every-answer"])
        .exchange(|exchange| charging(exchange, |_, response| response.status == 404).boxed()),
    fault(
        "outside.not-modified-free",
        "The server does not charge requests that get 304.",
        &["limits.quota.every-answer"],
    )
    .exchange(|exchange| charging(exchange, |_, response| response.status == 304).boxed()),
    fault(
        "outside.quota-spreads",
        "The server refuses reads while the quota of generate is exceeded.",
        &["limits.quota.reading-apart"],
    )
    .exchange(|exchange| quota_spreads(exchange).boxed()),
    fault("outside.reset-is-moment", "t of RateLimit is a Unix time.", &["headers.quota.form"])
        .response(|response, _, _| edit_reset(response, |seconds| clock::now().timestamp() + seconds, "")),
    fault("outside.reset-has-fraction", "t of RateLimit has a fraction.", &["headers.quota.form"])
        .response(|response, _, _| edit_reset(response, |seconds| seconds, ".5")),
];

/// Counts the free requests and adds them to the remaining quota, until the server's quota is full again.
async fn charging(exchange: Exchange, is_free: fn(&Request, &Response) -> bool) -> Response {
    let mut response = purse::forward(&exchange).await;
    let purse = purse::of_request(&exchange.request);
    let (Some(purse), Some(quota)) = (purse, Quota::of(&response)) else { return response };
    let now = clock::now().timestamp_millis();
    let kept = exchange.memory.get(&purse).filter(|kept| kept["until"].as_i64().is_some_and(|until| now < until));
    let mut free = kept.and_then(|kept| kept["free"].as_u64()).unwrap_or(0);
    if purse::is_refusal(&response) {
        if free > 0 {
            free -= 1;
            response = purse::beyond(&exchange, response).await;
        }
    } else if is_free(&exchange.request, &response) {
        free += 1;
    }
    purse::set_left(&mut response, (quota.left + free).min(quota.requests));
    let until = now + i64::try_from(quota.whole_in.as_millis()).unwrap_or(0);
    exchange.memory.put(&purse, json!({ "free": free, "until": until }));
    response
}

/// Changes the seconds until each quota resets, and writes `rest` after them.
fn edit_reset(response: &mut Response, change: fn(i64) -> i64, rest: &str) {
    response.change("ratelimit", |value| {
        let parts = value.split(';').map(|part| match part.strip_prefix("t=").map(|told| told.split_once(',')) {
            None => part.to_owned(),
            Some(None) => {
                let told = part[2..].parse().unwrap_or_default();
                format!("t={}{rest}", change(told))
            }
            Some(Some((told, next))) => {
                format!("t={}{rest},{next}", change(told.trim().parse().unwrap_or_default()))
            }
        });
        parts.collect::<Vec<_>>().join(";")
    });
}

async fn quota_spreads(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let Some(key) = request.key().filter(|_| purse::of_request(request).is_some()) else {
        return exchange.forward().await;
    };
    if request.is(Operation::Generate) {
        let response = exchange.forward().await;
        if purse::is_refusal(&response) {
            let wait = response.header("retry-after").and_then(|wait| wait.parse().ok()).unwrap_or(1);
            purse::keep(&exchange.memory, key, &response, Duration::from_secs(wait));
        }
        return response;
    }
    match purse::refuse_again(&exchange, key).await {
        Some((mut refusal, left)) => {
            refusal.set("retry-after", &left.as_secs().saturating_add(1).to_string());
            refusal
        }
        None => exchange.forward().await,
    }
}
