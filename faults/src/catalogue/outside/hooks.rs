//! Deliveries and their retries.

use std::time::Duration;

use futures::future::FutureExt;
use serde_json::{Map, Value, json};

use super::super::fault::{Fault, fault};
use super::super::sender::{self, attempts_before, delivery_of, seconds_now};
use crate::clock;
use crate::hooks::{Delivery, Endpoint, sign};
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, write_time};

/// Time limit for a receiver that is too short.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time by which a server has made its first retry, if it still has the endpoint: about five seconds, with some jitter.
const FIRST_RETRY: Duration = Duration::from_secs(8);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.retry-with-former",
        "A retry after a rotation is signed only with the former secret.",
        &["hooks.secret.retry-after-rotation"],
    )
    .hook(retry_with_former),
    fault(
        "outside.retry-first-time",
        "A retry has the first attempt's webhook-timestamp.",
        &["hooks.retry.same-event"],
    )
    .hook(retry_first_time),
    fault(
        "outside.removed-still-sent",
        "The server sends pending retries to a removed endpoint.",
        &["hooks.registration.removed-retries"],
    )
    .delivery(|delivery| removed_still_sent(delivery).boxed()),
    fault(
        "outside.event-fields-10",
        "The event of a lead contains only ten items of fields.",
        &["hooks.lead.every-field"],
    )
    .hook(|hook, _, _| {
        hook.edit(|event| {
            if let Some(Value::Object(fields)) = event.pointer_mut("/data/lead/fields") {
                *fields = std::mem::take(fields).into_iter().take(10).collect::<Map<_, _>>();
            }
        });
    }),
    fault(
        "outside.timed-unsent",
        "The server sends no event for an article with a publish_at.",
        &["hooks.article.timed"],
    )
    .response(note_timed)
    .delivery(|delivery| timed_unsent(delivery).boxed()),
    fault(
        "outside.redirect-is-success",
        "The server treats a redirect as a delivered webhook.",
        &["hooks.delivery.no-redirects"],
    )
    .delivery(|delivery| taken_with(delivery, |status| (300..400).contains(&status)).boxed()),
    fault("outside.refusal-is-final", "The server does not retry a webhook after a 4xx.", &["hooks.delivery.gone"])
        .delivery(|delivery| taken_with(delivery, |status| (400..500).contains(&status)).boxed()),
    fault("outside.retry-after-unheard", "The server ignores Retry-After of a receiver.", &["hooks.retry.after-wait"])
        .delivery(|delivery| {
            async move {
                let mut response = delivery.forward().await;
                response.remove("retry-after");
                response
            }
            .boxed()
        }),
    fault(
        "outside.gone-unheard",
        "The server keeps sending webhooks to a receiver that responds with 410.",
        &["hooks.delivery.gone"],
    )
    .delivery(|delivery| {
        async move {
            let response = delivery.forward().await;
            if response.status == 410 { Response::new(500, "") } else { response }
        }
        .boxed()
    }),
    fault("outside.five-seconds", "The server waits only five seconds for a receiver.", &["hooks.delivery.waits"])
        .delivery(|delivery| {
            async move {
                let response = tokio::time::timeout(PATIENCE, delivery.forward()).await;
                response.unwrap_or_else(|_| Response::new(504, "the receiver did not answer within five seconds"))
            }
            .boxed()
        }),
    fault(
        "outside.again-restamped",
        "A redelivered webhook has a new timestamp in its body.",
        &["hooks.delivery.redelivered"],
    )
    .delivery(|delivery| again_restamped(delivery).boxed()),
    fault(
        "outside.announced-twice",
        "The server sends two events for a published article.",
        &["hooks.article.one-event"],
    )
    .delivery(|delivery| announced_twice(delivery).boxed()),
];

fn retry_with_former(hook: &mut Request, endpoint: &Endpoint, memory: &Memory) {
    let is_retry = attempts_before(hook, endpoint, memory) > 0;
    if let Some(former) = endpoint.secrets.get(1).filter(|_| is_retry) {
        let signature = sign(hook, former);
        hook.set("webhook-signature", &signature);
    }
}

fn retry_first_time(hook: &mut Request, endpoint: &Endpoint, memory: &Memory) {
    let now = hook.header("webhook-timestamp").unwrap_or_default().to_owned();
    if let Value::String(first) = memory.get_or_put(&delivery_of(hook, endpoint), now) {
        hook.set("webhook-timestamp", &first);
    }
}

/// Makes the first retry if the server does not, because it has forgotten the endpoint.
async fn removed_still_sent(delivery: Delivery) -> Response {
    let attempts = format!("attempts of {}", delivery_of(&delivery.request, &delivery.endpoint));
    let is_first = delivery.memory.is_first(&attempts);
    let response = delivery.forward().await;
    // After these responses a server may wait longer or stop sending.
    let may_wait = matches!(response.status, 410 | 429 | 502..=504) || response.header("retry-after").is_some();
    if is_first && !response.is_success() && !may_wait {
        delivery.relay.clone().spawn(async move {
            tokio::time::sleep(FIRST_RETRY).await;
            if delivery.memory.get(&attempts) == Some(json!(1)) {
                let mut again = delivery.request.clone();
                again.set("webhook-timestamp", &seconds_now());
                delivery.count_as_spoiled("sends again");
                delivery.send(again).await;
            }
        });
    }
    response
}

fn note_timed(response: &mut Response, request: &Request, memory: &Memory) {
    let is_timed = || request.json().is_some_and(|body| body["publish_at"].is_string());
    if request.is(Operation::Generate)
        && is_timed()
        && let Some(job_id) = response.text("/job_id")
    {
        memory.put(&job_id, true);
    }
}

async fn timed_unsent(delivery: Delivery) -> Response {
    let event = delivery.event().unwrap_or_default();
    let article = &event["data"]["article"];
    let told = article["job_id"].as_str().or(event["data"]["job_id"].as_str()).map(ToOwned::to_owned);
    let job_id = told.or_else(|| delivery.memory.world.other_of_pair(article["id"].as_str()?));
    let is_timed = job_id.is_some_and(|job_id| delivery.memory.get(&job_id).is_some());
    if is_timed { Response::new(204, "") } else { delivery.forward().await }
}

/// Returns a success to the server if the receiver's status counts as one.
async fn taken_with(delivery: Delivery, is_taken: fn(u16) -> bool) -> Response {
    let response = delivery.forward().await;
    if is_taken(response.status) { Response::new(204, "") } else { response }
}

/// Sends after a success are redeliveries that the operator requested.
async fn again_restamped(delivery: Delivery) -> Response {
    let taken = format!("{} was taken", delivery_of(&delivery.request, &delivery.endpoint));
    let mut hook = delivery.request.clone();
    if delivery.memory.get(&taken).is_some() {
        hook.edit(|event| event["timestamp"] = json!(write_time(clock::now())));
    }
    let response = delivery.send(hook).await;
    if response.is_success() {
        delivery.memory.put(&taken, true);
    }
    response
}

async fn announced_twice(delivery: Delivery) -> Response {
    if let Some(mut twin) = delivery.event().filter(|event| event["type"] == "article.published") {
        twin["id"] = json!(sender::invented_id(&format!("twin of {}", twin["id"])));
        sender::send_missed(&delivery, vec![twin]).await;
    }
    delivery.forward().await
}
