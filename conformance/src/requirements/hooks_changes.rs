//! What a change to an endpoint means for hooks that wait to be sent to it again: a new secret, its removal.
//!
//! What it means for later hooks is in `hooks_management` and `hooks_endpoints`.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::hook_answer::HookAnswer;
use super::hook_endpoints::Endpoint;
use super::hook_log::HookRequest;
use super::hooks_management::ROTATION;
use super::hooks_signature::verify;
use super::requirement::Requirement;
use super::steps;
use super::steps_endpoints::{own, release};
use super::verdict::{Halt, Verdict, ensure};

const OWN: &[Capability] = &[Capability::Hooks, Capability::Capture, Capability::HookRegistration];

/// Attempts that are refused: several, so that one of them is made after the change.
const REFUSALS: usize = 6;
/// How long to wait for a retry where the set-up declares nothing.
const RETRY: Duration = Duration::from_secs(30);
/// What was on its way when the change was made is here by then; the first retry, after five seconds, is not.
const UNDER_WAY: Duration = Duration::from_secs(3);
/// The first retry and its jitter.
const WATCHED: Duration = Duration::from_secs(9);

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "hooks.secret.retry-after-rotation",
            "Every attempt has a fresh signature: a retry that is made after a rotation is signed with the new secret.",
            "openapi.yaml, header webhook-signature; Standard Webhooks 1.0.0, Signature scheme",
            rotated,
        )
        .should()
        .needs(ROTATION),
        Requirement::must(
            "hooks.registration.removed-retries",
            "What waits to be sent again is not sent to a URL that was removed meanwhile.",
            "service description, section 6: hooks go to registered URLs",
            removed,
        )
        .should()
        .needs(OWN),
    ];
    all.into_iter().map(Requirement::background).collect()
}

/// Lets a new endpoint refuse the hook about a lead, so that it waits to be sent again. Gives the lead's address: other checks'
/// hooks come here, too.
async fn refused(context: &Context, endpoint: &Endpoint) -> Result<String, Halt> {
    let log = context.hooks()?;
    let email = format!("{}@example.com", context.fresh("again"));
    log.script_at(endpoint, &email, &[HookAnswer::Status(500); REFUSALS]);
    steps::capture(context, &email, "Robin Retry", "to be sent again").await?;
    let limit = context.facts().ready_within;
    let refused = || !log.arrived_at(endpoint, &email).is_empty();
    let is_refused = log.expect(limit, refused, |refused| *refused).await;
    ensure(is_refused, format!("a hook at every registered URL within {} s", limit.as_secs()), || {
        "none at the further one".to_owned()
    })?;
    Ok(email)
}

async fn rotated(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "rotating").await?;
    let verdict = signed_anew(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn signed_anew(context: &Context, endpoint: &Endpoint) -> Verdict {
    let email = refused(context, endpoint).await?;
    let log = context.hooks()?;
    let rotated = log.endpoints().rotate(endpoint).await;
    let rotated = rotated.map_err(|error| Halt::Error(format!("the secret could not be rotated: {error}")))?;
    let settled = Instant::now() + UNDER_WAY;
    let Some(new) = &rotated.secret else {
        return Err(Halt::inconclusive("rotating gave no secret"));
    };
    // A retry with the former secret alone may have been on its way when the secret was rotated.
    let decides = |retry: &HookRequest| retry.arrived > settled || verify(new, retry).is_ok();
    let find = || retries(log.arrived_at(endpoint, &email)).into_iter().find(decides);
    let limit = context.facts().retry_within.unwrap_or(RETRY);
    match log.expect(limit, find, Option::is_some).await {
        Some(retry) => verify(new, &retry),
        None => Err(Halt::inconclusive(format!("no retry after the rotation within {} s", limit.as_secs()))),
    }
}

/// What arrived with an id that had arrived before.
fn retries(arrived: Vec<HookRequest>) -> Vec<HookRequest> {
    let mut known = BTreeSet::new();
    let mut is_again = |hook: &HookRequest| !known.insert(hook.header("webhook-id").map(ToOwned::to_owned));
    arrived.into_iter().filter(|hook| is_again(hook)).collect()
}

async fn removed(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "leaving").await?;
    let arrived = refused(&context, &endpoint).await;
    release(&context, &endpoint, arrived.map(drop)).await?;
    let settled = Instant::now() + UNDER_WAY;
    let log = context.hooks()?;
    let late = || log.arrived_at(&endpoint, "").into_iter().find(|hook| hook.arrived > settled);
    let late = log.wait_until(WATCHED, late, Option::is_some).await;
    ensure(late.is_none(), "nothing at a URL that was removed 3 s ago", || "a hook".to_owned())
}
