//! How often the service tries to deliver an event. The check moves the target's clock.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Requirement, Verdict, ensure, ensure_met};
use crate::inbox::Endpoint;
use crate::inbox::HookAnswer::Status;
use crate::steps;
use crate::steps::clock::advance;
use crate::steps::endpoints::{arrival, attempts, no_retry, own, patience, release};

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// Time after the last attempt. With it the check moves the clock by less than five days: an endpoint without a success for so long is
/// disabled.
const AFTERWARDS: Duration = Duration::from_hours(20);

/// The documented pauses between attempts.
const PAUSES: [Duration; 9] = [
    Duration::from_secs(5),
    MINUTE.saturating_mul(5),
    MINUTE.saturating_mul(30),
    HOUR.saturating_mul(2),
    HOUR.saturating_mul(5),
    HOUR.saturating_mul(10),
    HOUR.saturating_mul(14),
    HOUR.saturating_mul(20),
    HOUR.saturating_mul(24),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.attempts.ten",
            "A webhook whose receiver always responds 500 is sent ten times in about 95 hours, and not again in the next 20. An operator may \
            configure another schedule.",
            &[
                Sentence(
                    "Except for `hook.test`, the service tries again after about 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and \
                    24 hours.",
                ),
                Part("/x-limits/hook_attempts/maximum"),
            ],
            ten,
        )
        .should()
        .needs(&[
            Capability::HOOKS,
            Capability::CAPTURE,
            Capability::HOOK_REGISTRATION,
            Capability::JOBS,
            Capability::CLOCK,
        ])
        .drawn("the number of attempts", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("hook_attempts", "maximum"))
        })
        .moving_clock(5),
    ]
}

async fn ten(context: Context, case: Value) -> Verdict {
    let most = case.as_u64().and_then(|most| usize::try_from(most).ok()).unwrap_or_default();
    ensure_met(
        most <= PAUSES.len() + 1,
        "hook_attempts is above 10, and the document has no times for further attempts",
    )?;
    let endpoint = own(&context, "failing").await?;
    let verdict = attempted(&context, &endpoint, most).await;
    release(&context, &endpoint, verdict).await
}

async fn attempted(context: &Context, endpoint: &Endpoint, most: usize) -> Verdict {
    let (log, marker) = (context.hooks()?, context.fresh("ever-failing"));
    log.script_at(endpoint, &marker, &vec![Status(500); most + 1]);
    steps::capture(context, &format!("{marker}@example.com"), "Robin Retry", "until the end").await?;
    let first = arrival(context, endpoint, &marker, context.facts().ready_within).await?;
    ensure_met(!first.is_empty(), "no webhook arrived at the further endpoint")?;
    let made = || attempts(log.arrived_at(endpoint, &marker)).len();
    for (expected, pause) in (2..=most).zip(PAUSES) {
        // A quarter more, because of jitter.
        advance(context, pause * 5 / 4).await?;
        let seen = context.waiting(log.wait_until(patience(context), made, |made| *made >= expected)).await;
        if seen < expected {
            return Err(no_retry(context));
        }
    }
    advance(context, AFTERWARDS).await?;
    let seen = context.waiting(log.wait_until(context.quiet(), made, |made| *made > most)).await;
    ensure(seen <= most, format!("at most {most} attempts"), || seen.to_string())
}
