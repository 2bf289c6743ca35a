//! The key with a small quota: spends its quota, and waits until there is a rest again.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::charges::{LONGEST, Policy};
use crate::check::{Context, Credential, Exchange, Halt, Request, Verdict, demand, ensure_met};
use crate::steps;

/// Number of attempts: a window may end during one of them, and another quota may be spent, too.
pub(crate) const WINDOWS: usize = 4;

/// More requests than a small quota allows.
const MANY: u64 = 200;

/// Time after `Retry-After`, because clocks differ.
const MARGIN: Duration = Duration::from_millis(50);

/// Returns the request with the key of the small quota. Its 429 is a response to check.
pub(crate) fn small(request: Request) -> Request {
    Request { keep_429: true, ..request.by(Credential::SmallQuota) }
}

/// Waits as the 429 says.
pub(crate) async fn pause(refusal: &Exchange) -> Verdict {
    let seconds = demand::header(refusal, "retry-after")?.trim().parse::<u64>().unwrap_or(1);
    if seconds > LONGEST.as_secs() {
        return Err(Halt::inconclusive(format!("the small quota takes {seconds} s to come back")));
    }
    tokio::time::sleep(Duration::from_secs(seconds) + MARGIN).await;
    Ok(())
}

/// Requires that `request`, which was refused for a quota, is accepted later. A key that is always refused shows nothing about quotas.
pub(crate) async fn comes_back(context: &Context, request: Request, mut refused: Arc<Exchange>) -> Verdict {
    for _ in 0..WINDOWS {
        pause(&refused).await?;
        refused = context.send(small(request.clone())).await?;
        if refused.status != 429 {
            steps::discard(context, &refused).await?;
            return ensure_met(refused.succeeded(), demand::seen(&refused));
        }
    }
    ensure_met(false, "the key with a small quota is refused with 429 after every wait")
}

/// Requests of the key with a small quota, one after the other, until its quota is spent.
pub(crate) struct Spending<'context> {
    context: &'context Context,
    begun: Instant,
    accepted: u64,
}

impl<'context> Spending<'context> {
    /// Begins with the next request.
    pub(crate) fn begin(context: &'context Context) -> Self {
        Self { context, begun: Instant::now(), accepted: 0 }
    }

    /// Sends one more request. Returns its success or its 429. Fails if so many requests were accepted that the quota must be spent.
    pub(crate) async fn send(&mut self, request: Request) -> Result<Arc<Exchange>, Halt> {
        let exchange = self.context.send(small(request)).await?;
        if exchange.status != 429 {
            demand::success(&exchange)?;
            self.accepted += 1;
            self.may_go_on(&exchange)?;
        }
        Ok(exchange)
    }

    fn may_go_on(&self, exchange: &Exchange) -> Verdict {
        let policy = Policy::announced(exchange).ok();
        let requests = policy.map_or(MANY, Policy::requests);
        if requests > MANY {
            return Err(Halt::inconclusive(format!("the quota of {requests} requests is not small")));
        }
        if self.accepted < (requests * 4 + 10).min(MANY) {
            return Ok(());
        }
        let took = self.begun.elapsed();
        let is_slow =
            |policy: Policy| policy.at_the_pace_of(self.accepted, took) <= policy.requests() + policy.tolerance();
        if policy.is_some_and(is_slow) {
            return Err(Halt::inconclusive("the target is too slow to spend the quota within one window"));
        }
        let expected = format!("a 429 within {} requests of the key with a small quota", self.accepted);
        Err(Halt::fail(expected, "none").about(exchange))
    }
}

/// Requests articles until the quota of generate is spent. Returns the refused request and its 429.
pub(crate) async fn refused(context: &Context) -> Result<(Request, Arc<Exchange>), Halt> {
    let mut spending = Spending::begin(context);
    loop {
        let body = steps::quiet_request(context, &context.fresh("Spending it all"));
        let request = steps::generate(&body).header("idempotency-key", context.fresh("spent"));
        let exchange = spending.send(request).await?;
        if exchange.status == 429 {
            return Ok((exchange.request.clone(), exchange));
        }
        steps::discard(context, &exchange).await?;
    }
}
