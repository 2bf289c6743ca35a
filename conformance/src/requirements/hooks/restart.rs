//! Webhooks that were not delivered when the target restarts.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, ensure_met};
use crate::inbox::Endpoint;
use crate::steps::endpoints::{attempts, no_retry, own, patience, refused, release};
use crate::steps::restart::restart;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.restart.delivered",
            "A webhook that a receiver refused before a restart is sent again after it.",
            &[Sentence("A job that has not ended is continued, and an event that was not delivered is tried again.")],
            delivered,
        )
        .needs(&[Capability::HOOKS, Capability::CAPTURE, Capability::HOOK_REGISTRATION, Capability::RESTARTING])
        .alone(),
    ]
}

async fn delivered(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "restarted").await?;
    let verdict = sent_again(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn sent_again(context: &Context, endpoint: &Endpoint) -> Verdict {
    let email = refused(context, endpoint).await?;
    let log = context.hooks()?;
    let made = || attempts(log.arrived_at(endpoint, &email)).len();
    let before = made();
    restart(context).await?;
    ensure_met(made() == before, "the webhook was sent again during the restart")?;
    let seen = context.waiting(log.wait_until(patience(context), made, |made| *made > before)).await;
    if seen > before { Ok(()) } else { Err(no_retry(context)) }
}
