//! Steps that register an endpoint for one check, so that the endpoint under test stays active.
//!
//! `requirements::hooks` checks endpoints.

use std::time::Duration;

use super::hooks::lead_hook;
use crate::check::{Context, Halt, Look, Verdict};
use crate::inbox::{Endpoint, HookRequest};

/// Maximum time for which a removed endpoint, or one that is gone, may still get webhooks.
pub(crate) const GRACE: Duration = Duration::from_mins(1);

/// Registers an endpoint for one check.
pub(crate) async fn own(context: &Context, name: &str) -> Result<Endpoint, Halt> {
    let name = context.fresh(name);
    context
        .hooks()?
        .endpoints()
        .register(&name)
        .await
        .map_err(|error| Halt::Error(format!("no further endpoint: {error}")))
}

/// Removes the endpoint, whatever the verdict is.
pub(crate) async fn release(context: &Context, endpoint: &Endpoint, verdict: Verdict) -> Verdict {
    let removed = context.hooks()?.endpoints().remove(endpoint).await;
    verdict.and(removed.map_err(|error| Halt::Error(format!("the further endpoint stays registered: {error}"))))
}

/// Waits for a webhook at a further endpoint that contains `marker`.
pub(crate) async fn arrival(
    context: &Context,
    endpoint: &Endpoint,
    marker: &str,
    limit: Duration,
) -> Result<Vec<HookRequest>, Halt> {
    let log = context.hooks()?;
    let arrived = log.wait_until(limit, || log.arrived_at(endpoint, marker), |seen| !seen.is_empty());
    Ok(context.waiting(arrived).await)
}

/// Waits for a webhook at a further endpoint that contains `marker`. A missing webhook is a finding.
pub(crate) async fn must_arrive(context: &Context, endpoint: &Endpoint, marker: &str) -> Result<HookRequest, Halt> {
    let (log, limit) = (context.hooks()?, context.facts().ready_within);
    let arrived = log.expect(limit, || log.arrived_at(endpoint, marker).into_iter().next(), Option::is_some);
    context.waiting(arrived).await.ok_or_else(|| {
        Halt::fail(format!("a webhook at every registered URL within {} s", limit.as_secs()), "none at the further one")
    })
}

/// Captures leads until the webhook about one arrives only at the endpoint under test, at most for the grace time.
pub(crate) async fn falls_silent(context: &Context, endpoint: &Endpoint, expected: &str) -> Verdict {
    let grace = GRACE.min(context.facts().ready_within);
    let look = || async move {
        let (marker, _) = lead_hook(context, "is anybody still there").await?;
        let is_silent = arrival(context, endpoint, &marker, context.quiet()).await?.is_empty();
        Ok(Look::at(is_silent, || Halt::fail(expected, format!("a webhook {} s later", grace.as_secs()))))
    };
    context.eventually(grace, look).await
}
