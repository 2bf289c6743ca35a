//! Rotation of secrets, also for webhooks that wait for a retry.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;

use crate::check::Source::{Sentence, Standard};
use crate::check::signature::verify;
use crate::check::{Capability, Context, Halt, Requirement, Source, Verdict, ensure};
use crate::inbox::{Endpoint, HookRequest};
use crate::steps::endpoints::{Change, must_arrive, own, refused, release};
use crate::steps::hooks::lead_hook;

/// Maximum time until a retry if the set-up declares none.
const RETRY: Duration = Duration::from_secs(30);

const ROTATION: &[Capability] = &[
    Capability::HOOKS,
    Capability::CAPTURE,
    Capability::HOOK_REGISTRATION,
    Capability::STANDARD_WEBHOOKS,
    Capability::HOOK_ROTATION,
];

const ROTATED: Source = Sentence("While a secret is rotated there are several signatures; one that matches is enough.");

/// Section that describes rotation without downtime.
const HEADERS: Source = Standard("Standard Webhooks 1.0.0", "Webhook headers");

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.secret.retry-after-rotation",
            "A retry that is sent after the secret was rotated is signed with the new secret.",
            &[ROTATED, Sentence("The key is the endpoint's secret: the bytes whose base64 follows `whsec_`."), HEADERS],
            rotated,
        )
        .should()
        .needs(ROTATION)
        .background(),
        Requirement::new(
            "hooks.secret.rotation",
            "After a rotation, webhooks are signed with the new secret, and for some time with the former one, too.",
            &[ROTATED, Sentence("The key is the endpoint's secret: the bytes whose base64 follows `whsec_`."), HEADERS],
            rotation,
        )
        .should()
        .needs(ROTATION)
        .background(),
    ]
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
    let rotation = Change::now(context);
    let Some(new) = &rotated.secret else {
        return Err(Halt::inconclusive("rotating returned no secret"));
    };
    // A retry signed only with the former secret may have been on its way when the secret was rotated.
    let decides = |retry: &HookRequest| rotation.is_before(retry) || verify(new, retry).is_ok();
    let find = || retries(log.arrived_at(endpoint, &email)).into_iter().find(decides);
    let limit = context.facts().retry_within.unwrap_or(RETRY);
    match log.expect(limit, find, Option::is_some).await {
        Some(retry) => verify(new, &retry),
        None => Err(Halt::inconclusive(format!("no retry after the rotation within {} s", limit.as_secs()))),
    }
}

/// Returns the requests with an id that had arrived before.
fn retries(arrived: Vec<HookRequest>) -> Vec<HookRequest> {
    let mut known = BTreeSet::new();
    let mut is_again = |hook: &HookRequest| !known.insert(hook.header("webhook-id").map(ToOwned::to_owned));
    arrived.into_iter().filter(|hook| is_again(hook)).collect()
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
        return Err(Halt::inconclusive("registering or rotating returned no secret"));
    };
    ensure(former != new, "another secret", || "the same".to_owned())?;
    let (marker, _) = lead_hook(context, "after the rotation").await?;
    let hook = must_arrive(context, endpoint, &marker).await?;
    verify(new, &hook)?;
    ensure(verify(former, &hook).is_ok(), "a signature with the former secret, too", || {
        "none, so receivers must change at the same moment".to_owned()
    })
}
