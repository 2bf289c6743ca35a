//! How hooks are delivered when the receiver is slow to agree: retries, redirects, other 2xx.
//!
//! What is in a hook is judged in `hooks`, its signature in `hooks_signature`.

use std::time::Duration;

use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::hook_log::HookRequest;
use super::requirement::Requirement;
use super::steps;
use super::verdict::{Halt, Verdict, ensure};

const LEAD: &[Capability] = &[Capability::Hooks, Capability::Capture];
const SIGNED: &[Capability] = &[Capability::Hooks, Capability::Capture, Capability::StandardWebhooks];
const SOURCE: &str = "Standard Webhooks 1.0.0, Retry schedule";

/// The first retry of the documented schedule comes after 5 s and some jitter.
const RETRY: Duration = Duration::from_secs(30);

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must("hooks.retry.same-event", "A hook that was answered 500 is sent again with the same id, byte-identical, with a fresh timestamp and signature.", SOURCE, same_event).needs(SIGNED),
        Requirement::must("hooks.retry.after-failure", "A hook that was answered 500 is sent again.", SOURCE, after_failure).should().needs(LEAD),
        Requirement::must("hooks.delivery.any-2xx", "Every 2xx is success: no repeat after 200, 201, 202 or 204.", "Standard Webhooks 1.0.0, Success", any_success).needs(LEAD),
        Requirement::must("hooks.delivery.no-redirects", "A redirect counts as failure and is not followed.", "Standard Webhooks 1.0.0, Redirects", no_redirects).should().needs(LEAD),
    ];
    all.into_iter().map(Requirement::background).collect()
}

/// Captures a lead whose hook is answered with `statuses`; what arrived until `wanted` requests or `limit`.
async fn scripted(
    context: &Context,
    statuses: &[u16],
    wanted: usize,
    limit: Duration,
) -> Result<Vec<HookRequest>, Halt> {
    let marker = context.fresh("scripted");
    let log = context.hooks()?;
    log.script(&marker, statuses);
    steps::capture(context, &format!("{marker}@example.com"), "Robin Retry", "retry").await?;
    let first = super::hooks::first_mention(context, &marker).await?;
    let seen = log.wait_for(&marker, limit, |seen| seen.len() >= wanted).await;
    ensure(first.answered == statuses[0], "the scripted answer", || first.answered.to_string())?;
    Ok(seen)
}

async fn after_failure(context: Context, _: Value) -> Verdict {
    let seen = scripted(&context, &[500], 2, RETRY).await?;
    if seen.len() < 2 {
        return Err(Halt::inconclusive(format!(
            "no retry within {} s; later ones are not waited for",
            RETRY.as_secs()
        )));
    }
    Ok(())
}

async fn same_event(context: Context, _: Value) -> Verdict {
    let seen = scripted(&context, &[500], 2, RETRY).await?;
    let [first, second, ..] = seen.as_slice() else {
        return Err(Halt::inconclusive(format!("no retry within {} s", RETRY.as_secs())));
    };
    let id = |hook: &HookRequest| hook.header("webhook-id").unwrap_or_default().to_owned();
    ensure(id(first) == id(second) && !id(first).is_empty(), "the same webhook-id", || {
        format!("{} and {}", id(first), id(second))
    })?;
    ensure(first.body == second.body, "the same bytes", || "another body".to_owned())?;
    let time = |hook: &HookRequest| hook.header("webhook-timestamp").unwrap_or_default().to_owned();
    ensure(time(first) != time(second), "a fresh timestamp", || time(second))?;
    super::hooks_signature::verified(&context, second)
}

async fn any_success(context: Context, _: Value) -> Verdict {
    let scripts = [[200], [201], [202], [204]];
    // A wrong retry would come with the first step of the schedule.
    let quiet = Duration::from_secs(7);
    let runs = scripts.iter().map(|statuses| scripted(&context, statuses, 2, quiet));
    for (seen, statuses) in futures::future::try_join_all(runs).await?.iter().zip(scripts) {
        ensure(seen.len() == 1, format!("one request when answered {}", statuses[0]), || seen.len().to_string())?;
    }
    Ok(())
}

async fn no_redirects(context: Context, _: Value) -> Verdict {
    let seen = scripted(&context, &[302, 204], 2, RETRY).await?;
    let followed = seen.iter().find(|hook| hook.path.contains("redirected"));
    ensure(followed.is_none(), "no request to the address in Location", || "one".to_owned())
}
