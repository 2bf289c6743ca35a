//! Quotas are counted apart, and a request that is refused for one does nothing.
//!
//! How they are told and enforced is in `limits` and `limits_everywhere`.

use std::time::Duration;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Exchange;
use super::limits::{self, parameter, pause, small};
use super::requirement::Requirement;
use super::steps;
use super::steps_lists::{self, POSTS};
use super::verdict::{Halt, Verdict, ensure};

const SMALL: &[Capability] = &[Capability::SmallQuota];
const PIPELINE: &[Capability] = &[Capability::SmallQuota, Capability::Pipeline];
const SOURCE: &str = "openapi.yaml, info.description, Limits, and x-rate-limit-policy";

/// More articles than a small quota can hold.
const MANY: usize = 60;

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "limits.quota.apart",
            "Each call is charged to one policy: when that of api is spent, generate still has its own.",
            SOURCE,
            apart,
        )
        .needs(SMALL)
        .background(),
        Requirement::must(
            "limits.quota.nothing-queued",
            "A request to generate beyond the quota queues nothing: the rate is checked before the body.",
            SOURCE,
            nothing_queued,
        )
        .needs(PIPELINE)
        .background(),
    ]
}

fn left(exchange: &Exchange) -> u64 {
    exchange.header("ratelimit").and_then(|value| parameter(value, "r")).unwrap_or(1)
}

async fn apart(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let body = steps::quiet_request(&context, "Spending one purse and not the other");
    for _ in 0..4 {
        let first = context.send(small(steps::generate(&body))).await?;
        if first.status == 429 {
            pause(&first).await?;
            continue;
        }
        demand::success(&first)?;
        steps::discard(&context, &first).await?;
        if left(&first) == 0 {
            // Nothing would be left of its own quota either.
            tokio::time::sleep(Duration::from_secs(1)).await;
            continue;
        }
        limits::spent(&context).await?;
        let second = context.send(small(steps::generate(&body))).await?;
        demand::success(&second)?;
        return steps::discard(&context, &second).await;
    }
    Err(Halt::inconclusive("the small quota of generate holds a single request"))
}

async fn nothing_queued(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    for _ in 0..MANY {
        let topic = context.fresh("beyond");
        let exchange = context.send(small(steps::generate(&steps::quiet_request(&context, &topic)))).await?;
        if exchange.status != 429 {
            demand::success(&exchange)?;
            steps::discard(&context, &exchange).await?;
            continue;
        }
        let page = steps_lists::page(&context, POSTS, "limit=100").await?;
        let rows = steps_lists::rows(demand::json(&page)?);
        let found = rows.iter().any(|row| row["topic"] == json!(topic));
        return ensure(!found, "no entry of a request that was refused with 429", || topic.clone());
    }
    Err(Halt::fail(format!("a 429 within {MANY} articles of the key with a small quota"), "none"))
}
