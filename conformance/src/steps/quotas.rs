//! The small quota: spending it, and waiting until it is whole again.

use std::sync::Arc;
use std::time::Duration;

use crate::check::{Context, Credential, Exchange, Halt, Request, Verdict, demand, ensure_met};
use crate::steps;

/// More articles than a small quota can hold.
pub(crate) const MANY_ARTICLES: usize = 60;

/// How often it is tried: a window may pass in between, and the other quota may be spent too.
pub(crate) const WINDOWS: usize = 4;

/// The request with the key of the small quota, whose refusals are looked at and not waited out.
pub(crate) fn small(request: Request) -> Request {
    Request { keep_429: true, ..request.by(Credential::SmallQuota) }
}

/// The number after `;name=` in a structured header.
pub(crate) fn parameter(value: &str, name: &str) -> Option<u64> {
    let (_, rest) = value.split_once(&format!(";{name}="))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Waits until the quota is there again.
pub(crate) async fn pause(exchange: &Exchange) -> Verdict {
    let wait = demand::header(exchange, "retry-after")?.parse::<u64>().unwrap_or(1);
    if wait > 20 {
        return Err(Halt::inconclusive(format!("the small quota takes {wait} s to come back")));
    }
    tokio::time::sleep(Duration::from_secs(wait) + Duration::from_millis(50)).await;
    Ok(())
}

/// The quota that `request` was refused for comes back: a key that is refused for good shows nothing of quotas.
pub(crate) async fn comes_back(context: &Context, request: Request, mut refused: Arc<Exchange>) -> Verdict {
    for _ in 0..WINDOWS {
        pause(&refused).await?;
        refused = context.send(small(request.clone())).await?;
        if refused.status != 429 {
            steps::discard(context, &refused).await?;
            return ensure_met(refused.succeeded(), demand::seen(&refused));
        }
    }
    ensure_met(false, "the key with a small quota is refused with 429 however long it waits")
}

/// Orders articles until the quota of generate is spent: the order that was refused for it.
pub(crate) async fn refused(context: &Context) -> Result<(Request, Arc<Exchange>), Halt> {
    for _ in 0..MANY_ARTICLES {
        let body = steps::quiet_request(context, "Spending all that there is");
        let request = small(steps::generate(&body).header("idempotency-key", context.fresh("spent")));
        let exchange = context.send(request.clone()).await?;
        if exchange.status == 429 {
            return Ok((request, exchange));
        }
        demand::success(&exchange)?;
        steps::discard(context, &exchange).await?;
    }
    Err(Halt::fail(format!("a 429 within {MANY_ARTICLES} articles of the key with a small quota"), "none"))
}
