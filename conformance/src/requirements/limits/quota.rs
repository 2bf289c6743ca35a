//! Quotas: counted separately, enforced with 429, and full again after the window.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Request, Requirement, Source, Verdict, demand, ensure,
    ensure_met,
};
use crate::spec::{Document, Operation};
use crate::steps::lists::POSTS;
use crate::steps::quotas::{LOOKS, Policy, Spending, WINDOWS, comes_back, judged, left, pause, refused, small};
use crate::steps::{self, lists, operations};
use crate::strategies::{Draw, Space};

const SMALL: &[Capability] = &[Capability::SMALL_QUOTA];

const CHARGED_TO_ONE: Source =
    Sentence("Each call is charged to one policy: `generate` for `POST /api/v1/generate`, `api` for all others.");

const POLICY: Source = Sentence("Quotas of this key and operation, as `\"name\";q=quota;w=window in seconds`.");

const REST: Source = Sentence("Rest of the quota, as `\"name\";r=remaining;t=seconds until it is full again`.");

const CHARGED_TO_API: Source = Sentence("Requests to all operations below `/api/v1/` except generate.");

const MAY_BE_OFF: Source = Sentence("If several servers count, `r` may be off by some requests.");

const EXCEEDED: Source = Sentence(
    "A quota of the key or its account, or of the network address for a lead form, is exceeded; `violated-policies` names it.",
);

const PIPELINE: &[Capability] = &[Capability::SMALL_QUOTA, Capability::PIPELINE];

const CHARGED: &[Capability] = &[Capability::SMALL_QUOTA, Capability::JOBS];

/// Operation that spends the quota `api`.
const READING: &str = "list_websites";

/// Number of requests after which the rest of the quota must be lower.
const COUNTED: usize = 10;

/// Time after which a part of a spent quota may be back.
const SECOND: Duration = Duration::from_secs(1);

/// Number of attempts right after the quota was spent: a window may end in between.
const OPERATION_TRIES: usize = 8;

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "limits.quota.counts-down",
            "Requests count against the quota: r in RateLimit is lower after up to ten requests.",
            &[CHARGED_TO_ONE, REST, MAY_BE_OFF],
            counts_down,
        )
        .needs(SMALL)
        .background(),
        Requirement::new(
            "limits.quota.exceeded",
            "The response to a request beyond the quota is 429 rate_limited with the type quota-exceeded, the quota in violated-policies, and Retry-After in whole seconds of at least 1.",
            &[
                EXCEEDED,
                Part("/x-problem-codes/rate_limited/type"),
                Sentence("Wait for `Retry-After`."),
                Part("/components/headers/Retry-After/schema"),
                Standard("draft-ietf-httpapi-ratelimit-headers-11", "5.1"),
            ],
            exceeded,
        )
        .needs(SMALL)
        .background(),
        Requirement::new(
            "limits.quota.exact",
            "Within one window the server accepts as many requests as RateLimit-Policy announces. A tenth of them, and at least 2, may be more or fewer.",
            &[POLICY, EXCEEDED, MAY_BE_OFF],
            exact,
        )
        .needs(SMALL)
        .background(),
        Requirement::new(
            "limits.quota.recovers",
            "A client that waits as Retry-After says, up to four times, gets a successful response again.",
            &[
                Sentence("If a response has `Retry-After`, wait for that time."),
                Sentence("Seconds to wait before the next call."),
            ],
            recovers,
        )
        .needs(SMALL)
        .background(),
        Requirement::new(
            "limits.quota.apart",
            "Quotas are counted separately: if the quota api is spent, generate still works.",
            &[CHARGED_TO_ONE, CHARGED_TO_API],
            apart,
        )
        .needs(SMALL)
        .background(),
        Requirement::new(
            "limits.quota.nothing-queued",
            "A request to generate beyond the quota queues nothing.",
            &[Sentence("A refused request makes and changes no job, article, scheduled post or lead."), EXCEEDED],
            nothing_queued,
        )
        .needs(PIPELINE)
        .background(),
        Requirement::new(
            "limits.quota.every-answer",
            "HEAD and requests with a response 404 or 304 count against the quota, too: with enough of them it is spent.",
            &[CHARGED_TO_ONE, POLICY],
            every_answer,
        )
        .needs(CHARGED)
        .background(),
        Requirement::new(
            "limits.quota.every-operation",
            "Every operation counts against the quota: once the quota is spent, the response to each is 429 rate_limited.",
            &[CHARGED_TO_ONE, CHARGED_TO_API, EXCEEDED, Part("/x-problem-codes/rate_limited/status")],
            every_operation,
        )
        .drawn("every operation of the quota api", Cases::Exactly(1), charged)
        .needs(SMALL)
        .background(),
        Requirement::new(
            "limits.quota.generate",
            "generate has a separate quota: beyond it the response is 429 rate_limited with generate in violated-policies, also to an invalid body.",
            &[
                CHARGED_TO_ONE,
                EXCEEDED,
                Sentence("Quotas that were exceeded."),
                Sentence("A quota is exceeded or too many jobs have not ended."),
                Sentence(
                    "Checks run in this order: route, method, credentials, rate, scope, media type, size, JSON, headers, idempotency, \
                     validation, access to the website, state of the website, queue.",
                ),
                Part("/paths/~1api~1v1~1generate/post/x-rate-limit-policy"),
                Part("/x-problem-codes/rate_limited/status"),
            ],
            generate,
        )
        .drawn("the quota of generate", Cases::Exactly(1), |space, _| policy_of(space.document(), "generate"))
        .needs(SMALL)
        .background(),
        Requirement::new(
            "limits.quota.reading-apart",
            "Quotas are counted separately: if the quota generate is spent, reading still works.",
            &[CHARGED_TO_ONE],
            reading,
        )
        .needs(SMALL)
        .background(),
    ]
}

fn probe() -> Request {
    small(Request::new(READING, "GET", "/websites"))
}

/// Sends requests until the quota is spent, and returns the 429.
async fn spent(context: &Context) -> Result<Arc<Exchange>, Halt> {
    let mut spending = Spending::begin(context);
    loop {
        let exchange = spending.send(probe()).await?;
        if exchange.status == 429 {
            return Ok(exchange);
        }
    }
}

async fn counts_down(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let mut seen = Vec::new();
    for _ in 0..LOOKS {
        let policy = Policy::rested(&context, probe(), 2).await?;
        let begun = Instant::now();
        let first = context.send(probe()).await?;
        if first.status == 429 {
            continue;
        }
        ensure_met(first.succeeded(), demand::seen(&first))?;
        let (first, mut lowest) = (left(&first)?, u64::MAX);
        for _ in 1..COUNTED {
            let exchange = context.send(probe()).await?;
            lowest = lowest.min(left(&exchange)?);
            if exchange.status == 429 {
                break;
            }
        }
        if lowest < first {
            return Ok(());
        }
        if policy.is_within(begun) {
            seen.push(format!("{first}, and never less than {lowest} after it"));
        }
    }
    judged("r in RateLimit lower after up to ten requests", &seen)
}

async fn exceeded(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let exchange = spent(&context).await?;
    demand::problem(&exchange, 429, &["rate_limited"])?;
    let body = demand::json(&exchange)?;
    demand::same("type", &json!("https://iana.org/assignments/http-problem-types#quota-exceeded"), &body["type"])?;
    violates(&exchange, &policy_of(context.document(), READING))?;
    let wait = demand::header(&exchange, "retry-after")?;
    ensure(
        wait.trim().parse::<u64>().is_ok_and(|seconds| seconds >= 1),
        "whole seconds of at least 1 in Retry-After",
        || wait.to_owned(),
    )?;
    comes_back(&context, probe(), exchange).await
}

async fn recovers(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let mut exchange = spent(&context).await?;
    for _ in 0..WINDOWS {
        pause(&exchange).await?;
        exchange = context.send(probe()).await?;
        if exchange.status != 429 {
            return demand::status(&exchange, 200);
        }
    }
    let expected = format!("a response other than 429 after {WINDOWS} waits as Retry-After says");
    Err(Halt::fail(expected, demand::seen(&exchange)).about(&exchange))
}

async fn exact(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let (mut expected, mut seen) = (String::new(), Vec::new());
    for _ in 0..WINDOWS {
        let policy = Policy::rested(&context, probe(), 1).await?;
        let Some(accepted) = policy.accepted(&context, &probe(), 200).await? else { continue };
        ensure_met(accepted.requests > 0, "no request with the key of the small quota was accepted")?;
        if !accepted.are_too_many && accepted.requests + policy.tolerance() >= policy.requests() {
            return Ok(());
        }
        expected = format!("about {} requests accepted within one window", policy.requests());
        seen.push(accepted.requests.to_string());
        if seen.len() > 1 {
            break;
        }
    }
    judged(&expected, &seen)
}

async fn apart(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let body = steps::quiet_request(&context, "Spending one purse and not the other");
    for _ in 0..WINDOWS {
        let first = context.send(small(steps::generate(&body))).await?;
        if first.status == 429 {
            pause(&first).await?;
            continue;
        }
        demand::success(&first)?;
        steps::discard(&context, &first).await?;
        if left(&first).is_ok_and(|left| left == 0) {
            // The quota generate is spent, too.
            tokio::time::sleep(SECOND).await;
            continue;
        }
        spent(&context).await?;
        let second = context.send(small(steps::generate(&body))).await?;
        demand::success(&second)?;
        return steps::discard(&context, &second).await;
    }
    Err(Halt::inconclusive("the small quota of generate allows only one request"))
}

async fn nothing_queued(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let (request, exchange) = refused(&context).await?;
    let sent: Value = request.body.as_deref().and_then(|body| serde_json::from_slice(body).ok()).unwrap_or_default();
    let page = lists::page(&context, POSTS, "limit=100").await?;
    let rows = lists::rows(demand::json(&page)?);
    let found = rows.iter().any(|row| row["topic"] == sent["topic"]);
    ensure(!found, "no scheduled post of a request that was refused with 429", || sent["topic"].to_string())?;
    comes_back(&context, request, exchange).await
}

async fn every_answer(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let read = Request { headers: Vec::new(), ..article.request.clone() };
    let kinds = [
        (Request::outside("HEAD", "/api/v1/websites"), 200),
        (steps::get_job(&context.fresh("nobody")), 404),
        (read.header("if-none-match", demand::header(&article, "etag")?), 304),
    ];
    let _turn = context.quota_turn().await;
    for (request, status) in &kinds {
        spends(&context, request, *status).await?;
    }
    Ok(())
}

/// Requires that requests whose responses have `status` spend the quota.
async fn spends(context: &Context, request: &Request, status: u16) -> Verdict {
    let mut seen = Vec::new();
    for _ in 0..LOOKS {
        let policy = Policy::rested(context, probe(), 1).await?;
        let Some(accepted) = policy.accepted(context, request, status).await? else { continue };
        if !accepted.are_too_many {
            return ensure_met(accepted.requests > 0, "no request with the key of the small quota was accepted");
        }
        seen.push(format!("{} times {status} for {} {}", accepted.requests, request.method, request.path));
        if seen.len() > 1 {
            break;
        }
    }
    judged("a 429 once the quota is spent", &seen)
}

/// Returns the operations of the quota that `spent` spends, and that quota.
fn charged(space: &Space, _: &mut Draw) -> Value {
    let policy = policy_of(space.document(), READING);
    let is_charged = |operation: &Operation| json!(operation.policy) == policy;
    json!({ "policy": policy, "operations": operations::named(space, is_charged) })
}

fn policy_of(document: &Document, operation: &str) -> Value {
    json!(document.operation(operation).and_then(|operation| operation.policy.as_deref()))
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

/// Demands that the 429 names the spent quota. It may name others, too.
fn violates(exchange: &Exchange, policy: &Value) -> Verdict {
    let told = &demand::json(exchange)?["violated-policies"];
    let names_it = told.as_array().is_some_and(|policies| policies.contains(policy));
    ensure(names_it, format!("violated-policies with {policy}"), || demand::brief(told)).about(exchange)
}

async fn generate(context: Context, policy: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let (request, exchange) = refused(&context).await?;
    demand::problem(&exchange, 429, &["rate_limited"])?;
    violates(&exchange, &policy)?;
    for tries in 1.. {
        let invalid = context.send(small(steps::generate(&json!({})))).await?;
        if invalid.status == 429 {
            break;
        }
        if tries == OPERATION_TRIES {
            return Err(Halt::fail(
                "429 for an invalid body, too, while the quota generate is spent",
                demand::seen(&invalid),
            ));
        }
        // A new window may have begun.
        refused(&context).await?;
    }
    comes_back(&context, request, exchange).await
}

async fn reading(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let mut seen = None;
    for _ in 0..WINDOWS {
        refused(&context).await?;
        let read = context.send(probe()).await?;
        if read.status != 429 {
            return demand::status(&read, 200);
        }
        // A requirement before this one may have spent the quota `api`.
        pause(&read).await?;
        seen = Some(read);
    }
    let seen = seen.map_or_else(String::new, |read| demand::seen(&read));
    Err(Halt::fail(format!("a successful read while the quota generate is spent, in one of {WINDOWS} windows"), seen))
}
