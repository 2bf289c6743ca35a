//! What an owner does with an endpoint: choose its events, rotate its secret, have an event sent again.
//!
//! What the endpoint itself does is in `hooks_endpoints`.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::hook_endpoints::Endpoint;
use super::hooks_signature::verify;
use super::requirement::Requirement;
use super::steps_endpoints::{QUIET, arrival, must_arrive, own, release};
use super::steps_hooks::{article_hook, lead_hook};
use super::verdict::{Halt, Verdict, ensure};

/// How long a sender may need to take note that a hook arrived.
const SETTLED: Duration = Duration::from_secs(10);

const FILTER: &[Capability] =
    &[Capability::Hooks, Capability::Capture, Capability::HookRegistration, Capability::HookFilter];
pub(super) const ROTATION: &[Capability] = &[
    Capability::Hooks,
    Capability::Capture,
    Capability::HookRegistration,
    Capability::StandardWebhooks,
    Capability::HookRotation,
];
const REDELIVERY: &[Capability] = &[
    Capability::Hooks,
    Capability::Capture,
    Capability::HookRegistration,
    Capability::StandardWebhooks,
    Capability::HookRedelivery,
];

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "hooks.registration.filter",
            "A URL that is registered for leads gets no hook about an article.",
            "service description, section 6",
            filter,
        )
        .core()
        .needs(FILTER),
        Requirement::must(
            "hooks.secret.rotation",
            "After a rotation a hook is signed with the new secret, and with the former one for a while.",
            "Standard Webhooks 1.0.0, Signature scheme",
            rotation,
        )
        .should()
        .needs(ROTATION),
        Requirement::must(
            "hooks.delivery.redelivered",
            "A hook that is sent again by hand has the same id and the same bytes, and a signature that verifies.",
            "Standard Webhooks 1.0.0, Manual retries",
            redelivered,
        )
        .should()
        .needs(REDELIVERY),
    ];
    all.into_iter().map(Requirement::background).collect()
}

async fn filter(context: Context, _: Value) -> Verdict {
    let name = context.fresh("leads");
    let registered = context.hooks()?.endpoints().register_leads(&name).await;
    let endpoint = registered.map_err(|error| Halt::Error(format!("no endpoint for leads: {error}")))?;
    let verdict = leads_only(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn leads_only(context: &Context, endpoint: &Endpoint) -> Verdict {
    let (article, _) = article_hook(context).await?;
    let (marker, _) = lead_hook(context, "for the URL of leads too").await?;
    must_arrive(context, endpoint, &marker).await?;
    let unwanted = arrival(context, endpoint, &article, QUIET).await?;
    ensure(unwanted.is_empty(), "no hook about the article", || unwanted.len().to_string())
}

async fn rotation(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "rotated").await?;
    let verdict = signed_by_both(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn signed_by_both(context: &Context, endpoint: &Endpoint) -> Verdict {
    let rotated = context.hooks()?.endpoints().rotate(endpoint).await;
    let rotated = rotated.map_err(|error| Halt::Error(format!("the secret could not be rotated: {error}")))?;
    let (Some(former), Some(new)) = (&endpoint.registration.secret, &rotated.secret) else {
        return Err(Halt::inconclusive("registering or rotating gave no secret"));
    };
    ensure(former != new, "another secret", || "the same".to_owned())?;
    let (marker, _) = lead_hook(context, "after the rotation").await?;
    let hook = must_arrive(context, endpoint, &marker).await?;
    verify(new, &hook)?;
    ensure(verify(former, &hook).is_ok(), "a signature with the former secret too", || {
        "none, so receivers must change at the same moment".to_owned()
    })
}

async fn redelivered(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "again").await?;
    let verdict = same_again(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

/// A sender need not take note of an answer before its receiver does, and may refuse until then.
async fn ask_again(context: &Context, endpoint: &Endpoint, id: &str) -> Verdict {
    let deadline = Instant::now() + SETTLED;
    loop {
        match context.hooks()?.endpoints().redeliver(endpoint, id).await {
            Ok(()) => return Ok(()),
            Err(error) if Instant::now() >= deadline => {
                return Err(Halt::Error(format!("{id} could not be sent again: {error}")));
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(250)).await,
        }
    }
}

async fn same_again(context: &Context, endpoint: &Endpoint) -> Verdict {
    let (marker, _) = lead_hook(context, "to be sent again").await?;
    let first = must_arrive(context, endpoint, &marker).await?;
    let id = first.header("webhook-id").unwrap_or_default().to_owned();
    ask_again(context, endpoint, &id).await?;
    let log = context.hooks()?;
    let limit = context.facts().ready_within;
    let seen = log.expect(limit, || log.arrived_at(endpoint, &marker), |seen| seen.len() > 1).await;
    let Some(second) = seen.get(1) else {
        return Err(Halt::fail(format!("the hook again within {} s", limit.as_secs()), "none"));
    };
    let same_id = second.header("webhook-id") == Some(id.as_str());
    ensure(same_id, format!("webhook-id {id}"), || second.header("webhook-id").unwrap_or("none").to_owned())?;
    ensure(second.body == first.body, "the same bytes", || "another body".to_owned())?;
    match &endpoint.registration.secret {
        Some(secret) => verify(secret, second),
        None => Ok(()),
    }
}
