//! Faults in handling a receiver's response, and differences between attempts.

use std::time::Duration;

use futures::future::FutureExt;
use http::Method;
use serde_json::json;
use url::Url;

use super::super::fault::{Fault, fault};
use super::super::sender::{attempts_before, event_id, seconds_now};
use crate::clock;
use crate::hooks::{Delivery, Endpoint};
use crate::memory::Memory;
use crate::message::{Request, Response, parse_time};

/// Maximum number of redirects to follow.
const MAX_HOPS: usize = 3;
/// Pause after the first retry, and number of retries within one attempt of the server.
const SHORT: Duration = Duration::from_secs(1);
const SHORT_PAUSES: usize = 5;

pub(super) const FAULTS: &[Fault] = &[
    fault("hooks.id-of-attempt", "webhook-id differs between attempts.", &["hooks.retry.same-event"]).hook(
        |hook, endpoint, memory| {
            let number = attempts_before(hook, endpoint, memory);
            let id = format!("{}-{number}", event_id(hook));
            hook.set("webhook-id", &id);
        },
    ),
    fault("hooks.body-of-attempt", "The payload contains the number of the attempt.", &["hooks.retry.same-event"])
        .hook(|hook, endpoint, memory| {
            let number = attempts_before(hook, endpoint, memory) + 1;
            hook.edit(|event| event["attempt"] = json!(number));
        }),
    fault("hooks.time-of-event", "All attempts have the event's timestamp.", &["hooks.retry.same-event"])
        .hook(time_of_event),
    fault(
        "hooks.gaps-shrink",
        "After the first retry, the sender waits only a second between retries.",
        &["hooks.retry.gaps"],
    )
    .delivery(|delivery| gaps_shrink(delivery).boxed()),
    fault("hooks.never-again", "The sender does not retry a failed webhook.", &["hooks.retry.after-failure"]).delivery(
        |delivery| {
            async move {
                let response = delivery.forward().await;
                // A 410 concerns the endpoint, so it is not the retry that this fault drops.
                if response.status == 410 { response } else { Response::new(204, "") }
            }
            .boxed()
        },
    ),
    fault("hooks.only-200", "The sender treats only 200 as success.", &["hooks.delivery.any-2xx"]).delivery(
        |delivery| {
            async move {
                let response = delivery.forward().await;
                if (201..300).contains(&response.status) { Response::new(500, "") } else { response }
            }
            .boxed()
        },
    ),
    fault(
        "hooks.body-decides",
        "The sender treats a 2xx whose body names an error as a failure.",
        &["hooks.delivery.any-2xx"],
    )
    .delivery(|delivery| {
        async move {
            let response = delivery.forward().await;
            let names_error = String::from_utf8_lossy(&response.body).contains("error");
            if response.is_success() && names_error { Response::new(500, "") } else { response }
        }
        .boxed()
    }),
    fault(
        "hooks.overload-unheard",
        "The sender waits no longer after 429, 502 and 504 than after other failures.",
        &["hooks.retry.after-overload"],
    )
    .delivery(|delivery| {
        async move {
            let response = delivery.forward().await;
            if matches!(response.status, 429 | 502 | 504) { Response::new(500, "") } else { response }
        }
        .boxed()
    }),
    fault(
        "hooks.wait-without-date",
        "The sender understands only seconds in Retry-After of a receiver.",
        &["hooks.retry.after-date"],
    )
    .delivery(|delivery| {
        async move {
            let mut response = delivery.forward().await;
            if asks_for_date(&response) {
                response.remove("retry-after");
            }
            response
        }
        .boxed()
    }),
    fault(
        "hooks.wait-by-own-clock",
        "The sender counts a date in Retry-After from its own clock.",
        &["hooks.retry.date-of-receiver"],
    )
    .delivery(|delivery| {
        async move {
            let mut response = delivery.forward().await;
            if asks_for_date(&response) {
                response.set("date", &httpdate::fmt_http_date(clock::now().into()));
            }
            response
        }
        .boxed()
    }),
    fault("hooks.redirects-temporary", "The sender follows 302, 303 and 307.", &["hooks.delivery.no-redirects"])
        .delivery(|delivery| follow(delivery, &[302, 303, 307]).boxed()),
    fault("hooks.redirects", "The sender follows redirects.", &["hooks.redirect.not-followed"])
        .delivery(|delivery| follow(delivery, &[301, 302, 303, 307, 308]).boxed()),
];

/// Returns true if `Retry-After` is a date.
fn asks_for_date(response: &Response) -> bool {
    response.header("retry-after").is_some_and(|asked| httpdate::parse_http_date(asked).is_ok())
}

fn time_of_event(hook: &mut Request, _: &Endpoint, _: &Memory) {
    let event = hook.json().unwrap_or_default();
    if let Some(time) = event["timestamp"].as_str().and_then(parse_time) {
        hook.set("webhook-timestamp", &time.timestamp().to_string());
    }
}

async fn gaps_shrink(delivery: Delivery) -> Response {
    let is_first = attempts_before(&delivery.request, &delivery.endpoint, &delivery.memory) == 0;
    let mut response = delivery.forward().await;
    for _ in 0..SHORT_PAUSES {
        if is_first || response.is_success() || response.status == 410 {
            break;
        }
        tokio::time::sleep(SHORT).await;
        let mut again = delivery.request.clone();
        again.set("webhook-timestamp", &seconds_now());
        response = delivery.send(again).await;
    }
    response
}

pub(super) async fn follow(delivery: Delivery, followed: &[u16]) -> Response {
    let mut hook = delivery.request.clone();
    let mut url = delivery.endpoint.target.clone();
    let mut response = delivery.forward().await;
    for _ in 0..MAX_HOPS {
        let location = response.header("location").filter(|_| followed.contains(&response.status));
        let Some(next) = location.and_then(|location| Url::parse(&url).ok()?.join(location).ok()) else { break };
        if !matches!(response.status, 307 | 308) {
            // Follows redirects as clients do: with another method and without a body.
            hook.method = Method::GET;
            hook.body.clear();
            hook.remove("content-type");
        }
        url = next.into();
        response = delivery.relay.send(&url, hook.clone()).await;
    }
    response
}
