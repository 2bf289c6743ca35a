//! Webhooks are sent in real time, and contain the time of their event.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use crate::check::Source::{Fact, Sentence, Standard};
use crate::check::{Capability, Context, Halt, Requirement, Verdict};
use crate::steps::hooks::lead_due;
use crate::steps::times::{near, server_now};
use crate::steps::{self, hooks};

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
        Requirement::new(
            "hooks.times.real",
            "timestamp of a webhook is the time of the event, within five minutes of the server's Date header.",
            &[Sentence("When the event happened."), Standard("RFC 9110", "6.6.1")],
            event_time,
        )
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

async fn event_time(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("hook");
    steps::capture(&context, &format!("{marker}@example.com"), "Robin Clock", "what time is it").await?;
    let date = server_now(&context).await?;
    let hook = hooks::first_of_ordinary_lead(&context, &marker).await?;
    let envelope = hook.json().ok_or_else(|| Halt::fail("a JSON body", "none"))?;
    near(&envelope, "timestamp", date)
}
