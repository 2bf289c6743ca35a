//! Webhooks are sent in real time.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use crate::check::Source::{Fact, Sentence};
use crate::check::{Capability, Context, Halt, Requirement, Verdict};
use crate::steps;
use crate::steps::hooks::lead_due;

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

/// Maximum delay that counts as real time, also for a busy sender.
const IN_TIME: Duration = Duration::from_secs(10);

/// Number of leads whose webhooks must all be late for a finding: the first ones may wait for those of other checks.
const LEADS_IN_TIME: usize = 3;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.time.real",
            "Webhooks are sent in real time: the first attempt arrives within 10 s.",
            &[
                Fact("1.6"),
                Fact("6"),
                Sentence("Sent in real time to every active endpoint that chose this type and this website."),
            ],
            real_time,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
    ]
}

async fn real_time(context: Context, _: Value) -> Verdict {
    let mut waits = Vec::new();
    for _ in 0..LEADS_IN_TIME {
        let marker = context.fresh("hook");
        let sent = Instant::now();
        steps::capture(&context, &format!("{marker}@example.com"), "Robin Quick", "now").await?;
        let captured = Instant::now();
        let hook = lead_due(&context, &marker, sent).await?;
        // The suite's own receivers may have kept the sender waiting.
        let kept_waiting = context.hooks()?.kept_waiting_since(captured, None);
        let waited = hook.arrived.saturating_duration_since(captured).saturating_sub(kept_waiting);
        if waited < IN_TIME {
            return Ok(());
        }
        waits.push(format!("{:.1} s", waited.as_secs_f64()));
    }
    Err(Halt::fail(format!("an arrival within {} s", IN_TIME.as_secs()), waits.join(", ")))
}
