//! Quotas: their policies and their rest, read from `RateLimit-Policy` and `RateLimit`, and the key with a small quota, which is spent and
//! comes back.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::check::{Context, Credential, Exchange, Halt, Request, Verdict, demand, ensure_met, header_fields};
use crate::steps;

/// Number of attempts to see the same fault: a window may end during one of them.
pub(crate) const LOOKS: usize = 3;

/// Longest window that is waited for.
pub(crate) const LONGEST: Duration = Duration::from_secs(20);

/// Time after a window, because clocks differ.
const WINDOW_MARGIN: Duration = Duration::from_millis(100);

/// Returns a number of the quota that the request was charged to: `q` or `w` of `ratelimit-policy`, `r` or `t` of `ratelimit`.
fn number(exchange: &Exchange, header: &str, parameter: &str) -> Option<u64> {
    let policy = if exchange.request.operation == Some("generate") { "generate" } else { "api" };
    let quotas = header_fields::quotas(&header_fields::joined(&exchange.headers, header))?;
    let named = quotas.iter().find(|quota| header_fields::quota_name(quota) == policy);
    let only = || quotas.first().filter(|_| quotas.len() == 1);
    header_fields::quota_number(named.or_else(only)?, parameter)
}

/// Returns the rest of the quota that the request was charged to.
pub(crate) fn left(exchange: &Exchange) -> Result<u64, Halt> {
    number(exchange, "ratelimit", "r").ok_or_else(|| missing("r=… in RateLimit", exchange, "ratelimit"))
}

fn missing(expected: &str, exchange: &Exchange, header: &str) -> Halt {
    Halt::fail(expected, header_fields::joined(&exchange.headers, header)).about(exchange)
}

/// A policy as `RateLimit-Policy` announces it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Policy {
    requests: u32,
    window: Duration,
}

/// Requests that were accepted one after the other within one window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Accepted {
    pub(crate) requests: u64,
    /// True if the policy allows fewer, however the server counts.
    pub(crate) are_too_many: bool,
}

impl Policy {
    /// Returns the policy that the request was charged to.
    pub(crate) fn announced(exchange: &Exchange) -> Result<Self, Halt> {
        let number = |parameter| number(exchange, "ratelimit-policy", parameter);
        let (Some(requests), Some(seconds)) = (number("q"), number("w")) else {
            return Err(missing("q=…;w=… in RateLimit-Policy", exchange, "ratelimit-policy"));
        };
        let requests = u32::try_from(requests).unwrap_or(u32::MAX);
        Ok(Self { requests, window: Duration::from_secs(seconds) })
    }

    /// Returns the policy that `request` is charged to, after a window without requests: then the quota is full again, however it is
    /// counted.
    pub(crate) async fn rested(context: &Context, request: Request, needed: u32) -> Result<Self, Halt> {
        let policy = Self::announced(&*context.send(small(request)).await?)?;
        if policy.window > LONGEST || policy.requests < needed {
            let (requests, seconds) = (policy.requests, policy.window.as_secs());
            return Err(Halt::inconclusive(format!("the small quota is of {requests} requests in {seconds} s")));
        }
        tokio::time::sleep(policy.window + WINDOW_MARGIN).await;
        Ok(policy)
    }

    /// Returns the number of requests in one window.
    pub(crate) fn requests(self) -> u64 {
        self.requests.into()
    }

    /// Returns the number of requests by which the servers that count together may be wrong.
    pub(crate) fn tolerance(self) -> u64 {
        (self.requests() / 10).max(2)
    }

    /// Returns the number of requests in one window at the pace of `requests` in `time`.
    pub(crate) fn at_the_pace_of(self, requests: u64, time: Duration) -> u64 {
        requests.saturating_mul(whole_milliseconds(self.window)) / whole_milliseconds(time).max(1)
    }

    /// Returns true if less than a window has passed since `begun`.
    pub(crate) fn is_within(self, begun: Instant) -> bool {
        begun.elapsed() < self.window
    }

    /// Returns true if nothing of the quota can have come back since `begun`, even if it comes back gradually.
    pub(crate) fn is_as_it_was(self, begun: Instant) -> bool {
        begun.elapsed().saturating_mul(self.requests) < self.window
    }

    /// Sends `request` after a rest until its response is 429, or until too many responses had `status`. Returns nothing if a new window
    /// may have begun.
    pub(crate) async fn accepted(
        self,
        context: &Context,
        request: &Request,
        status: u16,
    ) -> Result<Option<Accepted>, Halt> {
        let begun = Instant::now();
        let (mut requests, mut rest) = (0, u64::MAX);
        loop {
            let exchange = context.send(small(request.clone())).await?;
            let before = rest;
            rest = number(&exchange, "ratelimit", "r").unwrap_or(before);
            if !self.is_within(begun) || rest > before {
                return Ok(None);
            }
            if exchange.status == 429 {
                return Ok(Some(Accepted { requests, are_too_many: false }));
            }
            if exchange.status != status {
                return Err(Halt::inconclusive(demand::seen(&exchange)));
            }
            requests += 1;
            // A server that counts continuously adds this part of the quota meanwhile.
            let added = self.requests().saturating_mul(whole_milliseconds(begun.elapsed()))
                / whole_milliseconds(self.window).max(1);
            if requests > self.requests() + self.tolerance() + added {
                return Ok(Some(Accepted { requests, are_too_many: true }));
            }
        }
    }
}

fn whole_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns a finding if the fault was seen twice: one window may end at any time, but not every window does.
pub(crate) fn judged(expected: &str, seen: &[String]) -> Verdict {
    match seen {
        [_, .., last] => Err(Halt::fail(expected, last)),
        _ => Err(Halt::inconclusive("the responses did not arrive within one window, or had other statuses")),
    }
}

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
