//! What is charged to a quota: every request, however it is answered.
//!
//! That quotas count down at all is in `limits`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::{Exchange, Request};
use super::limits::{parameter, small};
use super::requirement::Requirement;
use super::steps;
use super::verdict::{Halt, Verdict};

const SMALL: &[Capability] = &[Capability::SmallQuota];
const CHARGED: &[Capability] = &[Capability::SmallQuota, Capability::Jobs];
const SOURCE: &str = "draft-ietf-httpapi-ratelimit-headers-11; openapi.yaml, info.description, Limits";

/// How often it must be seen: a window may turn while it is looked at.
const TRIES: usize = 3;
/// Longest window, in seconds, that is waited for.
const LONGEST: u64 = 20;

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "limits.quota.every-answer",
            "Each request is charged to one policy: HEAD too, and one that is answered 404 or 304.",
            SOURCE,
            every_answer,
        )
        .needs(CHARGED)
        .background(),
        Requirement::must(
            "idempotency.replay.fresh-quota",
            "A replay has fresh quota headers: it is charged itself, and tells what is left now.",
            SOURCE,
            replay,
        )
        .needs(SMALL)
        .background(),
    ]
}

fn left(exchange: &Exchange) -> Result<u64, Halt> {
    let told = demand::header(exchange, "ratelimit")?;
    parameter(told, "r").ok_or_else(|| Halt::fail("r=… in RateLimit", told).about(exchange))
}

/// A policy as it is announced.
struct Policy {
    requests: u32,
    window: Duration,
}

impl Policy {
    /// The policy that `request` is charged to, once all of its quota is there again, however it is counted.
    async fn rested(context: &Context, request: Request, needed: u32) -> Result<Self, Halt> {
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
    fn is_as_it_was(&self, begun: Instant) -> bool {
        begun.elapsed().saturating_mul(self.requests) < self.window
    }
}

async fn every_answer(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Counting every penny")).await?;
    let read = Request { headers: Vec::new(), ..article.request.clone() };
    let probe = || Request::new("list_websites", "GET", "/websites");
    let requests = [
        (probe(), 200),
        (Request::outside("HEAD", "/api/v1/websites"), 200),
        (steps::get_job(&context.fresh("nobody")), 404),
        (read.header("if-none-match", demand::header(&article, "etag")?), 304),
        (probe(), 200),
    ];
    let _turn = context.quota_turn().await;
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        let policy = Policy::rested(&context, probe(), 5).await?;
        let begun = Instant::now();
        let mut answers = Vec::new();
        for (request, _) in &requests {
            answers.push(context.send(small(request.clone())).await?);
        }
        let is_quick = policy.is_as_it_was(begun);
        let is_usual = requests.iter().zip(&answers).all(|((_, status), answer)| answer.status == *status);
        let (Some(first), Some(last), true) = (answers.first(), answers.last(), is_usual) else { continue };
        let (before, after) = (left(first)?, left(last)?);
        if after + 4 == before {
            return Ok(());
        }
        if is_quick {
            seen.push(format!("{before}, then {after}"));
        }
    }
    judged("four requests less left after HEAD, a 404, a 304 and a read", &seen)
}

/// A fault is what was seen more than once: a window may turn at any time, but not every time.
pub(super) fn judged(expected: &str, seen: &[String]) -> Verdict {
    match seen {
        [_, .., last] => Err(Halt::fail(expected, last)),
        _ => Err(Halt::inconclusive("the requests were not answered within one window, or not as they were to be")),
    }
}

async fn replay(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let body = steps::quiet_request(&context, "Paying twice for one thing");
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        // An order that is refused costs one too, and writes nothing.
        let policy = Policy::rested(&context, steps::generate(&json!({})), 2).await?;
        let begun = Instant::now();
        let request = steps::generate(&body).header("idempotency-key", context.fresh("paid"));
        let first = context.send(small(request.clone())).await?;
        let again = context.send(small(request)).await?;
        let is_quick = policy.is_as_it_was(begun);
        steps::discard(&context, &first).await?;
        if !(first.succeeded() && again.succeeded()) {
            continue;
        }
        let (before, after) = (left(&first)?, left(&again)?);
        if after < before {
            return Ok(());
        }
        if is_quick {
            seen.push(format!("{before}, then {after}"));
        }
    }
    judged("less left after a replay than after the first request", &seen)
}
