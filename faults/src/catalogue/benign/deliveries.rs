//! Webhooks that arrive late, again or in another order, or from another sender.

use std::time::Duration;

use futures::future::FutureExt;

use super::super::fault::{Fault, Profile, variant};
use crate::hooks::Delivery;
use crate::message::{Request, Response};

/// Delay of a late webhook, and further delay of its second delivery.
const LATE: Duration = Duration::from_secs(3);
const AGAIN: Duration = Duration::from_secs(4);

/// Number and length of the pauses while a webhook waits for the next one.
const LOOKS: usize = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// Additional pause before a retry.
const LONGER: Duration = Duration::from_secs(3);

/// Offset of the sender's clock, in seconds.
const OFF: i64 = 75;

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.hook-names-cased",
        "Header names of webhooks are capitalised: RFC 9110 5.1 makes them case-insensitive.",
        Profile::Full,
    )
    .delivery(|delivery| {
        async move { delivery.relay.send_in_title_case(&delivery.endpoint.target, delivery.request).await }.boxed()
    }),
    variant(
        "benign.hook-seconds-late",
        "Every fifth webhook is sent three seconds later: the document sets no time for it.",
        Profile::Full,
    )
    .delivery(|delivery| {
        async move {
            if delivery.memory.next_number("hooks").is_multiple_of(5) {
                delivery.count_as_spoiled("waits");
                tokio::time::sleep(LATE).await;
            }
            delivery.forward().await
        }
        .boxed()
    }),
    variant(
        "benign.hook-swapped",
        "Every fourth webhook arrives after the next one: events may arrive \"in any order\".",
        Profile::Full,
    )
    .delivery(|delivery| swapped(delivery).boxed()),
    variant(
        "benign.hook-again-later",
        "Every fifth delivered webhook is sent again after four seconds: \"An event may arrive more than once\".",
        Profile::Full,
    )
    .delivery(|delivery| again_later(delivery).boxed()),
    variant(
        "benign.hook-waits-longer",
        "A retry comes three seconds later than Retry-After asks: RFC 9110 10.2.3 sets no latest time.",
        Profile::Full,
    )
    .delivery(|delivery| waits_longer(delivery).boxed()),
    variant(
        "benign.hook-clock-behind",
        "webhook-timestamp is 75 s behind: receivers refuse only more than five minutes.",
        Profile::Full,
    )
    .hook(|hook, _, _| shift_timestamp(hook, -OFF)),
    variant(
        "benign.hook-clock-ahead",
        "webhook-timestamp is 75 s ahead: receivers refuse only more than five minutes.",
        Profile::Full,
    )
    .hook(|hook, _, _| shift_timestamp(hook, OFF)),
];

async fn swapped(delivery: Delivery) -> Response {
    let slot = format!("hooks at {}", delivery.endpoint.number);
    let number = delivery.memory.next_number(&slot);
    if number % 4 == 3 {
        delivery.count_as_spoiled("waits");
        for _ in 0..LOOKS {
            tokio::time::sleep(PAUSE).await;
            let begun = delivery.memory.get(&slot).and_then(|begun| begun.as_u64());
            if begun.is_some_and(|begun| begun > number + 1) {
                // The next webhook is on its way and arrives before this one is sent.
                tokio::time::sleep(PAUSE).await;
                break;
            }
        }
    }
    delivery.forward().await
}

async fn again_later(delivery: Delivery) -> Response {
    let response = delivery.forward().await;
    if response.is_success() && delivery.memory.next_number("hooks").is_multiple_of(5) {
        delivery.count_as_spoiled("comes again");
        let relay = delivery.relay.clone();
        relay.spawn(async move {
            tokio::time::sleep(AGAIN).await;
            delivery.forward().await;
        });
    }
    response
}

async fn waits_longer(delivery: Delivery) -> Response {
    let mut response = delivery.forward().await;
    response.change("retry-after", |asked| {
        let seconds = asked.parse::<u64>().map(|seconds| seconds.saturating_add(LONGER.as_secs()).to_string());
        let date = httpdate::parse_http_date(asked).map(|date| httpdate::fmt_http_date(date + LONGER));
        seconds.ok().or(date.ok()).unwrap_or_else(|| asked.to_owned())
    });
    response
}

/// The signature is computed again when the webhook is sent.
fn shift_timestamp(hook: &mut Request, by: i64) {
    let second = hook.header("webhook-timestamp").and_then(|second| second.parse::<i64>().ok());
    if let Some(second) = second {
        hook.set("webhook-timestamp", &(second + by).to_string());
    }
}
