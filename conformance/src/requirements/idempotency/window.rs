//! How long an idempotency key is remembered. The checks move the target's clock.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Exchange, Halt, Requirement, Source, Verdict, demand, ensure};
use crate::steps;
use crate::steps::clock::advance;
use crate::steps::keyed::{first, keyed};
use crate::strategies::{Draw, Space};

const NEEDED: &[Capability] = &[Capability::JOBS, Capability::CLOCK];

const WINDOW: &[Source] = &[
    Sentence(
        "For 24 hours the same key with the same body queues nothing and returns the first success again, with \
         `Idempotency-Replayed: true`.",
    ),
    Part("/x-limits/idempotency_window/maximum"),
];

/// Time before and after the end of the window at which the key is used.
const BEFORE: Duration = Duration::from_mins(5);
const AFTER: Duration = Duration::from_mins(30);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "idempotency.window.remembered",
            "Five minutes before the end of its 24 hours, a key with the same body still gets its job and queues no other.",
            WINDOW,
            remembered,
        )
        .drawn("the hours of the window", Cases::Exactly(1), hours)
        .needs(NEEDED)
        .moving_clock(2),
        Requirement::new(
            "idempotency.window.forgotten",
            "Half an hour after the end of its 24 hours, a key queues a new job.",
            WINDOW,
            forgotten,
        )
        .drawn("the hours of the window", Cases::Exactly(1), hours)
        .needs(NEEDED)
        .moving_clock(2),
    ]
}

fn hours(space: &Space, _: &mut Draw) -> Value {
    json!(space.document().limit_number("idempotency_window", "maximum"))
}

fn window(case: &Value) -> Duration {
    Duration::from_hours(case.as_u64().unwrap_or_default())
}

async fn remembered(context: Context, case: Value) -> Verdict {
    let (body, key, first) = first(&context, "Oiling a hinge").await?;
    steps::discard(&context, &first).await?;
    advance(&context, window(&case).saturating_sub(BEFORE)).await?;
    let again = context.send(keyed(&body, &key)).await?;
    demand::success(&again)?;
    let verdict = demand::same("job_id of the replay", job_id(&first)?, job_id(&again)?);
    if verdict.is_err() {
        steps::discard(&context, &again).await?;
    }
    verdict
}

async fn forgotten(context: Context, case: Value) -> Verdict {
    let (body, key, first) = first(&context, "Waxing a floor").await?;
    steps::discard(&context, &first).await?;
    advance(&context, window(&case) + AFTER).await?;
    let again = context.send(keyed(&body, &key)).await?;
    demand::success(&again)?;
    steps::discard(&context, &again).await?;
    ensure(job_id(&first)? != job_id(&again)?, "a new job", || "the job of the first request".to_owned())
}

fn job_id(exchange: &Exchange) -> Result<&Value, Halt> {
    Ok(&demand::json(exchange)?["job_id"])
}
