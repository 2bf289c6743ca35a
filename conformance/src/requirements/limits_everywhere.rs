//! Limits that hold for every operation: the size of a body, the quota of a key.
//!
//! What the headers say about the quota is in `limits`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Request;
use super::limits::{self, small};
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::{Halt, Verdict, ensure};

const SMALL: &[Capability] = &[Capability::SmallQuota];

/// Operations that are charged to the policy `api`, with a path that needs no object.
const OPERATIONS: [(&str, &str, &str); 8] = [
    ("get_article", "GET", "/articles/art_x"),
    ("get_job", "GET", "/jobs/job_x"),
    ("cancel_job", "POST", "/jobs/job_x/cancel"),
    ("list_leads", "GET", "/leads"),
    ("get_lead", "GET", "/leads/lead_x"),
    ("list_articles", "GET", "/articles"),
    ("list_scheduled_posts", "GET", "/scheduled_posts"),
    ("list_websites", "GET", "/websites"),
];

/// How often an operation is tried right after the quota was spent: the window may pass in between.
const TRIES: usize = 8;
/// More articles than a small quota can hold.
const MANY: usize = 60;

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "limits.body.everywhere",
            "A body over 64 KiB is refused with 413 payload_too_large by every operation, also where none is needed.",
            "openapi.yaml, x-limits",
            body,
        )
        .drawn("every operation", Cases::Exactly(8), |_, draw| json!(draw.index())),
        Requirement::must(
            "limits.quota.every-operation",
            "Every operation is charged to the key's quota: once it is spent, each answers 429 rate_limited.",
            "openapi.yaml, x-rate-limit-policy",
            every_operation,
        )
        .needs(SMALL)
        .background(),
        Requirement::must(
            "limits.quota.generate",
            "generate has a quota of its own: beyond it the answer is 429 rate_limited and nothing is queued.",
            "openapi.yaml, x-rate-limit-policy",
            generate,
        )
        .needs(SMALL)
        .background(),
    ]
}

fn operation(index: usize) -> Request {
    let (operation, method, path) = OPERATIONS[index % OPERATIONS.len()];
    Request::new(operation, method, path)
}

async fn body(context: Context, case: Value) -> Verdict {
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0);
    let request = operation(index).bytes("application/json", vec![b' '; 64 * 1024 + 1]);
    demand::problem(&*context.send(request).await?, 413, &["payload_too_large"])
}

async fn every_operation(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    'operations: for (index, (name, ..)) in OPERATIONS.iter().enumerate() {
        for _ in 0..TRIES {
            limits::spent(&context).await?;
            let exchange = context.send(small(operation(index))).await?;
            if exchange.status == 429 {
                demand::problem(&exchange, 429, &["rate_limited"])?;
                demand::header(&exchange, "retry-after")?;
                continue 'operations;
            }
        }
        return Err(Halt::fail(format!("429 of {name} once the quota is spent"), format!("none in {TRIES} tries")));
    }
    Ok(())
}

async fn generate(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let body = steps::quiet_request(&context, "More than the quota holds");
    for _ in 0..MANY {
        let exchange = context.send(small(steps::generate(&body))).await?;
        if exchange.status != 429 {
            demand::success(&exchange)?;
            steps::discard(&context, &exchange).await?;
            continue;
        }
        demand::problem(&exchange, 429, &["rate_limited"])?;
        let policies = demand::json(&exchange)?["violated-policies"].as_array().cloned().unwrap_or_default();
        return ensure(policies == [json!("generate")], "violated-policies [\"generate\"]", || {
            Value::Array(policies.clone()).to_string()
        });
    }
    Err(Halt::fail(format!("a 429 within {MANY} articles of the key with a small quota"), "none"))
}
