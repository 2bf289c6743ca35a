//! Quotas: announced in headers, enforced with 429, over again when the window passes.
//!
//! Sizes are in `generate_json` and `http_raw`.

use std::time::Duration;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::{Credential, Exchange, Request};
use super::limits_charged::judged;
use super::requirement::Requirement;
use super::verdict::{Halt, Verdict, ensure};

const SMALL: &[Capability] = &[Capability::SmallQuota];
const SOURCE: &str = "draft-ietf-httpapi-ratelimit-headers-11; openapi.yaml, x-limits";

/// More requests than a quota that is declared as small can hold.
const MANY: usize = 200;
/// How often a window may turn between two requests.
const TRIES: usize = 3;

/// The request with the key of the small quota, whose refusals are looked at and not waited out.
pub(super) fn small(request: Request) -> Request {
    Request { keep_429: true, ..request.by(Credential::SmallQuota) }
}

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("limits.quota.announced", "Answers announce the quota in RateLimit-Policy and what is left of it in RateLimit.", SOURCE, announced),
        Requirement::must("limits.quota.counts-down", "Each request is charged: what RateLimit says is left goes down by one.", SOURCE, counts_down).needs(SMALL).background(),
        Requirement::must("limits.quota.exceeded", "Beyond the quota the answer is 429 rate_limited: type quota-exceeded, violated-policies, Retry-After in whole seconds of at least 1.", SOURCE, exceeded).needs(SMALL).background(),
        Requirement::must("limits.quota.exact", "Within one window no more requests get through than RateLimit-Policy says.", SOURCE, exact).needs(SMALL).background(),
        Requirement::must("limits.quota.recovers", "After Retry-After the key works again.", SOURCE, recovers).needs(SMALL).background(),
    ]
}

fn probe() -> Request {
    small(Request::new("list_websites", "GET", "/websites"))
}

/// Sends until the quota is spent; the 429.
pub(super) async fn spent(context: &Context) -> Result<std::sync::Arc<Exchange>, Halt> {
    for _ in 0..MANY {
        let exchange = context.send(probe()).await?;
        if exchange.status == 429 {
            return Ok(exchange);
        }
        demand::status(&exchange, 200)?;
    }
    Err(Halt::fail(format!("a 429 within {MANY} requests of the key with a small quota"), "none"))
}

async fn announced(context: Context, _: Value) -> Verdict {
    let exchange = context.send(Request::new("list_websites", "GET", "/websites")).await?;
    let policy = demand::header(&exchange, "ratelimit-policy")?;
    ensure(policy.starts_with('"') && policy.contains(";q="), "RateLimit-Policy: \"name\";q=…;w=…", || {
        policy.to_owned()
    })?;
    let limit = demand::header(&exchange, "ratelimit")?;
    ensure(limit.starts_with('"') && limit.contains(";r="), "RateLimit: \"name\";r=…;t=…", || limit.to_owned())
}

/// The number after `;name=` in a structured header.
pub(super) fn parameter(value: &str, name: &str) -> Option<u64> {
    let (_, rest) = value.split_once(&format!(";{name}="))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

async fn counts_down(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let left = |exchange: &Exchange| exchange.header("ratelimit").and_then(|value| parameter(value, "r"));
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        let wait = spent(&context).await?;
        pause(&wait).await?;
        let first = context.send(probe()).await?;
        let second = context.send(probe()).await?;
        let (Some(before), Some(after)) = (left(&first), left(&second)) else {
            return Err(Halt::fail("r=… in RateLimit", demand::seen(&second)));
        };
        if second.status == 429 || after + 1 == before {
            return Ok(());
        }
        seen.push(format!("{before}, then {after}"));
    }
    judged("one request less left after one more", &seen)
}

async fn exceeded(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let exchange = spent(&context).await?;
    demand::problem(&exchange, 429, &["rate_limited"])?;
    let body = demand::json(&exchange)?;
    demand::same("type", &json!("https://iana.org/assignments/http-problem-types#quota-exceeded"), &body["type"])?;
    let policies = body["violated-policies"].as_array().map_or(0, Vec::len);
    ensure(policies > 0, "violated-policies with the policy's name", || demand::brief(body))?;
    let wait = demand::header(&exchange, "retry-after")?;
    ensure(wait.parse::<u64>().is_ok_and(|seconds| seconds >= 1), "whole seconds of at least 1 in Retry-After", || {
        wait.to_owned()
    })
}

/// Waits until the quota is there again.
pub(super) async fn pause(exchange: &Exchange) -> Verdict {
    let wait = demand::header(exchange, "retry-after")?.parse::<u64>().unwrap_or(1);
    if wait > 20 {
        return Err(Halt::inconclusive(format!("the small quota takes {wait} s to come back")));
    }
    tokio::time::sleep(Duration::from_secs(wait) + Duration::from_millis(50)).await;
    Ok(())
}

async fn recovers(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let exchange = spent(&context).await?;
    pause(&exchange).await?;
    demand::status(&*context.send(probe()).await?, 200)
}

async fn exact(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let refused = spent(&context).await?;
    let policy = demand::header(&refused, "ratelimit-policy")?;
    let (Some(quota), Some(window)) = (parameter(policy, "q"), parameter(policy, "w")) else {
        return Err(Halt::fail("q=…;w=… in RateLimit-Policy", policy));
    };
    if window > 20 {
        return Err(Halt::inconclusive(format!("the small quota has a window of {window} s")));
    }
    // After a whole window without requests all of the quota is there again, however it is counted.
    tokio::time::sleep(Duration::from_secs(window) + Duration::from_millis(100)).await;
    let begun = std::time::Instant::now();
    let mut through = 0;
    while context.send(probe()).await?.status != 429 && through <= quota {
        through += 1;
    }
    // What comes back meanwhile to who counts continuously.
    let back =
        quota.saturating_mul(u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX)) / (window.max(1) * 1_000);
    if begun.elapsed() >= Duration::from_secs(window) {
        return Err(Halt::inconclusive("the target was too slow to spend the quota within its window"));
    }
    ensure(through <= quota + back, format!("at most {quota} requests within {window} s"), || through.to_string())
}
