//! What is charged to a quota, read from the headers that tell it.

use std::time::Duration;

use tokio::time::Instant;

use crate::check::{Context, Exchange, Halt, Request, Verdict, demand};
use crate::steps::quotas::{parameter, small};

/// How often it must be seen: a window may turn while it is looked at.
pub(crate) const LOOKS: usize = 3;

/// Longest window, in seconds, that is waited for.
pub(crate) const LONGEST: u64 = 20;

/// What `RateLimit` says is left of the quota.
pub(crate) fn left(exchange: &Exchange) -> Result<u64, Halt> {
    let told = demand::header(exchange, "ratelimit")?;
    parameter(told, "r").ok_or_else(|| Halt::fail("r=… in RateLimit", told).about(exchange))
}

/// A policy as it is announced.
pub(crate) struct Policy {
    requests: u32,
    window: Duration,
}

impl Policy {
    /// The policy that `request` is charged to, once all of its quota is there again, however it is counted.
    pub(crate) async fn rested(context: &Context, request: Request, needed: u32) -> Result<Self, Halt> {
        let probe = context.send(small(request)).await?;
        let told = demand::header(&probe, "ratelimit-policy")?;
        let (Some(requests), Some(window)) = (parameter(told, "q"), parameter(told, "w")) else {
            return Err(Halt::fail("q=…;w=… in RateLimit-Policy", told).about(&probe));
        };
        let requests = u32::try_from(requests).unwrap_or(u32::MAX);
        if window > LONGEST || requests < needed {
            return Err(Halt::inconclusive(format!("the small quota is of {requests} requests in {window} s")));
        }
        let window = Duration::from_secs(window);
        tokio::time::sleep(window + Duration::from_millis(100)).await;
        Ok(Self { requests, window })
    }

    /// Whether nothing can have come back since then, also where it does so bit by bit.
    pub(crate) fn is_as_it_was(&self, begun: Instant) -> bool {
        begun.elapsed().saturating_mul(self.requests) < self.window
    }
}

/// A fault is what was seen more than once: a window may turn at any time, but not every time.
pub(crate) fn judged(expected: &str, seen: &[String]) -> Verdict {
    match seen {
        [_, .., last] => Err(Halt::fail(expected, last)),
        _ => Err(Halt::inconclusive("the requests were not answered within one window, or not as they were to be")),
    }
}
