//! What a spent quota leaves alone: the other quota, and the idempotency keys of what was refused for it.
//!
//! That a spent quota refuses is in `limits` and `limits_everywhere`, the other direction in `limits_apart`.

use std::sync::Arc;

use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::{Exchange, Request};
use super::limits::{pause, small};
use super::requirement::Requirement;
use super::steps;
use super::verdict::{About as _, Halt, Verdict, ensure};

const SMALL: &[Capability] = &[Capability::SmallQuota];

/// More articles than a small quota can hold.
const MANY: usize = 60;
/// How often it is tried: a window may pass in between, and the other quota may be spent too.
const TRIES: usize = 4;

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "limits.quota.reading-apart",
            "Each call is charged to one policy: when that of generate is spent, reading still has its own.",
            "openapi.yaml, info.description, Limits, and x-rate-limit-policy",
            reading,
        ),
        Requirement::must(
            "idempotency.refused.quota-not-stored",
            "Only successes are remembered: a key that was refused for the quota works when the quota is there again.",
            "openapi.yaml, IdempotencyKey",
            not_stored,
        ),
    ];
    all.into_iter().map(|requirement| requirement.needs(SMALL).background()).collect()
}

/// Orders articles until the quota of generate is spent: the order that was refused for it.
async fn refused(context: &Context) -> Result<(Request, Arc<Exchange>), Halt> {
    for _ in 0..MANY {
        let body = steps::quiet_request(context, "Spending all that there is");
        let request = small(steps::generate(&body).header("idempotency-key", context.fresh("spent")));
        let exchange = context.send(request.clone()).await?;
        if exchange.status == 429 {
            return Ok((request, exchange));
        }
        demand::success(&exchange)?;
        steps::discard(context, &exchange).await?;
    }
    Err(Halt::fail(format!("a 429 within {MANY} articles of the key with a small quota"), "none"))
}

async fn reading(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let mut seen = None;
    for _ in 0..TRIES {
        refused(&context).await?;
        let read = context.send(small(Request::new("list_websites", "GET", "/websites"))).await?;
        if read.status != 429 {
            return demand::status(&read, 200);
        }
        // Whoever was here before may have spent the quota of reading.
        pause(&read).await?;
        seen = Some(read);
    }
    let seen = seen.map_or_else(String::new, |read| demand::seen(&read));
    Err(Halt::fail(format!("a read while generate is spent, in one of {TRIES} windows"), seen))
}

async fn not_stored(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let (request, mut answer) = refused(&context).await?;
    for _ in 0..TRIES {
        pause(&answer).await?;
        answer = context.send(request.clone()).await?;
        if answer.status != 429 {
            ensure(answer.succeeded(), "the repeat taken once the quota is there again", || demand::seen(&answer))
                .about(&answer)?;
            return steps::discard(&context, &answer).await;
        }
    }
    Err(Halt::inconclusive("the quota of generate did not come back"))
}
