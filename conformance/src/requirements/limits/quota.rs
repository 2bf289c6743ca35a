//! Quotas: announced, counted apart, enforced with 429, over again when the window passes.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Request, Requirement, Verdict, demand, ensure, ensure_met,
};
use crate::spec::Operation;
use crate::steps::charges::{LOOKS, Policy, judged, left};
use crate::steps::lists::POSTS;
use crate::steps::quotas::{MANY_ARTICLES, WINDOWS, comes_back, parameter, pause, refused, small};
use crate::steps::{self, lists, operations};
use crate::strategies::{Draw, Space};

const SMALL: &[Capability] = &[Capability::SMALL_QUOTA];

const SOURCE: &str = "draft-ietf-httpapi-ratelimit-headers-11; openapi.yaml, x-limits";

/// More requests than a quota that is declared as small can hold.
const MANY: usize = 200;

/// How often a window may turn between two requests.
const TRIES: usize = 3;

const PIPELINE: &[Capability] = &[Capability::SMALL_QUOTA, Capability::PIPELINE];

const CHARGED: &[Capability] = &[Capability::SMALL_QUOTA, Capability::JOBS];

/// The operation that spends the quota of reading.
const READING: &str = "list_websites";

/// How often an operation is tried right after the quota was spent: the window may pass in between.
const OPERATION_TRIES: usize = 8;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("limits.quota.announced", "Answers announce the quota in RateLimit-Policy and what is left of it in RateLimit.", SOURCE, announced),
        Requirement::must("limits.quota.counts-down", "Each request counts against the quota: the remaining number in RateLimit goes down by one.", SOURCE, counts_down).needs(SMALL).background(),
        Requirement::must("limits.quota.exceeded", "Beyond the quota a request is answered 429 rate_limited: with type quota-exceeded, violated-policies, and Retry-After in whole seconds of at least 1.", SOURCE, exceeded).needs(SMALL).background(),
        Requirement::must("limits.quota.exact", "Within one window no more requests are accepted than RateLimit-Policy announces.", SOURCE, exact).needs(SMALL).background(),
        Requirement::must("limits.quota.recovers", "After Retry-After the key works again.", SOURCE, recovers).needs(SMALL).background(),
        Requirement::must(
            "limits.quota.apart",
            "Quotas are counted separately: when that of api is spent, generate is still answered.",
            "openapi.yaml, info.description, Limits, and x-rate-limit-policy",
            apart,
        )
        .needs(SMALL)
        .background(),
        Requirement::must(
            "limits.quota.nothing-queued",
            "A request to generate beyond the quota queues nothing.",
            "openapi.yaml, info.description, Limits, and x-rate-limit-policy",
            nothing_queued,
        )
        .needs(PIPELINE)
        .background(),
        Requirement::must(
            "limits.quota.every-answer",
            "Each request counts against one quota: HEAD too, and requests answered 404 or 304.",
            "draft-ietf-httpapi-ratelimit-headers-11; openapi.yaml, info.description, Limits",
            every_answer,
        )
        .needs(CHARGED)
        .background(),
        Requirement::must(
            "limits.quota.every-operation",
            "Every operation counts against the quota: once it is spent, each is answered 429 rate_limited.",
            "openapi.yaml, x-rate-limit-policy",
            every_operation,
        )
        .drawn("every operation that reads, with its quota", Cases::Exactly(1), charged)
        .needs(SMALL)
        .background(),
        Requirement::must(
            "limits.quota.generate",
            "generate has a quota of its own: beyond it the answer is 429 rate_limited with violated-policies [generate].",
            "openapi.yaml, x-rate-limit-policy",
            generate,
        )
        .drawn("the quota of generate", Cases::Exactly(1), |space, _| policy_of(space, "generate"))
        .needs(SMALL)
        .background(),
        Requirement::must(
            "limits.quota.reading-apart",
            "Quotas are counted separately: when that of generate is spent, reading still works.",
            "openapi.yaml, info.description, Limits, and x-rate-limit-policy",
            reading,
        ).needs(SMALL).background(),
    ]
}

fn probe() -> Request {
    small(Request::new("list_websites", "GET", "/websites"))
}

/// Sends until the quota is spent; the 429.
async fn spent(context: &Context) -> Result<Arc<Exchange>, Halt> {
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

async fn counts_down(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let left = |exchange: &Exchange| exchange.header("ratelimit").and_then(|value| parameter(value, "r"));
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        let wait = spent(&context).await?;
        pause(&wait).await?;
        let first = context.send(probe()).await?;
        if first.status == 429 {
            continue;
        }
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
    ensure(
        wait.parse::<u64>().is_ok_and(|seconds| seconds >= 1),
        "whole seconds of at least 1 in Retry-After",
        || wait.to_owned(),
    )?;
    comes_back(&context, probe(), exchange).await
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
    for _ in 0..WINDOWS {
        // After a whole window without requests all of the quota is there again, however it is counted.
        tokio::time::sleep(Duration::from_secs(window) + Duration::from_millis(100)).await;
        let begun = Instant::now();
        let mut through = 0;
        while context.send(probe()).await?.status != 429 && through <= quota {
            through += 1;
        }
        let took = begun.elapsed();
        if took >= Duration::from_secs(window) {
            continue;
        }
        // What comes back meanwhile to who counts continuously.
        let back = quota.saturating_mul(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)) / (window.max(1) * 1_000);
        ensure(through <= quota + back, format!("at most {quota} requests within {window} s"), || through.to_string())?;
        return ensure_met(through > 0, "no request of the key with a small quota gets through");
    }
    Err(Halt::inconclusive(format!("the target was too slow to spend the quota within one of {WINDOWS} windows")))
}

fn left_or_one(exchange: &Exchange) -> u64 {
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
        if left_or_one(&first) == 0 {
            // Nothing would be left_or_one of its own quota either.
            tokio::time::sleep(Duration::from_secs(1)).await;
            continue;
        }
        spent(&context).await?;
        let second = context.send(small(steps::generate(&body))).await?;
        demand::success(&second)?;
        return steps::discard(&context, &second).await;
    }
    Err(Halt::inconclusive("the small quota of generate holds a single request"))
}

async fn nothing_queued(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    for _ in 0..MANY_ARTICLES {
        let topic = context.fresh("beyond");
        let exchange = context.send(small(steps::generate(&steps::quiet_request(&context, &topic)))).await?;
        if exchange.status != 429 {
            demand::success(&exchange)?;
            steps::discard(&context, &exchange).await?;
            continue;
        }
        let page = lists::page(&context, POSTS, "limit=100").await?;
        let rows = lists::rows(demand::json(&page)?);
        let found = rows.iter().any(|row| row["topic"] == json!(topic));
        ensure(!found, "no entry of a request that was refused with 429", || topic.clone())?;
        return comes_back(&context, exchange.request.clone(), Arc::clone(&exchange)).await;
    }
    Err(Halt::fail(format!("a 429 within {MANY_ARTICLES} articles of the key with a small quota"), "none"))
}

async fn every_answer(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
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
    for _ in 0..LOOKS {
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

/// The operations that are charged to the quota of reading, which `spent` spends, and that quota.
fn charged(space: &Space, _: &mut Draw) -> Value {
    let policy = policy_of(space, READING);
    let is_charged = |operation: &Operation| json!(operation.policy) == policy;
    json!({ "policy": policy, "operations": operations::named(space, is_charged) })
}

fn policy_of(space: &Space, operation: &str) -> Value {
    json!(space.document().operation(operation).and_then(|operation| operation.policy.as_deref()))
}

async fn every_operation(context: Context, case: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    'operations: for name in case["operations"].as_array().into_iter().flatten() {
        let request = operations::made_up(operations::of_case(&context, name)?);
        for _ in 0..OPERATION_TRIES {
            spent(&context).await?;
            let exchange = context.send(small(request.clone())).await?;
            if exchange.status == 429 {
                demand::problem(&exchange, 429, &["rate_limited"])?;
                demand::header(&exchange, "retry-after")?;
                violates(&exchange, &case["policy"])?;
                continue 'operations;
            }
        }
        return Err(Halt::fail(
            format!("429 of {name} once the quota is spent"),
            format!("none in {OPERATION_TRIES} tries"),
        ));
    }
    comes_back(&context, probe(), spent(&context).await?).await
}

/// The 429 names the quota that is spent; it may name others too.
fn violates(exchange: &Exchange, policy: &Value) -> Verdict {
    let told = &demand::json(exchange)?["violated-policies"];
    let names_it = told.as_array().is_some_and(|policies| policies.contains(policy));
    ensure(names_it, format!("violated-policies with {policy}"), || demand::brief(told)).about(exchange)
}

async fn generate(context: Context, policy: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let body = steps::quiet_request(&context, "More than the quota holds");
    for _ in 0..MANY_ARTICLES {
        let exchange = context.send(small(steps::generate(&body))).await?;
        if exchange.status != 429 {
            demand::success(&exchange)?;
            steps::discard(&context, &exchange).await?;
            continue;
        }
        demand::problem(&exchange, 429, &["rate_limited"])?;
        let policies = demand::json(&exchange)?["violated-policies"].as_array().cloned().unwrap_or_default();
        ensure(policies == [policy.clone()], format!("violated-policies [{policy}]"), || {
            Value::Array(policies.clone()).to_string()
        })?;
        return comes_back(&context, steps::generate(&body), exchange).await;
    }
    Err(Halt::fail(format!("a 429 within {MANY_ARTICLES} articles of the key with a small quota"), "none"))
}

async fn reading(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let mut seen = None;
    for _ in 0..WINDOWS {
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
    Err(Halt::fail(format!("a read while generate is spent, in one of {WINDOWS} windows"), seen))
}
