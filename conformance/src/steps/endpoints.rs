//! Steps that register an endpoint for one check, so that the endpoint under test stays active, and the attempts to deliver to an endpoint
//! that refuses webhooks.

use std::time::Duration;

use tokio::time::Instant;

use super::calls::capture;
use super::hooks::{first_of_ordinary_lead, lead_hook};
use crate::check::{Context, Halt, Look, Verdict, ensure, ensure_met};
use crate::inbox::{Endpoint, HookAnswer, HookRequest};

/// Maximum time for which a removed endpoint, or one that is gone, may still get webhooks.
const GRACE: Duration = Duration::from_mins(1);

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

/// Number of refused attempts: so many that one of them is made after the change.
const REFUSALS: usize = 6;

/// Time in which attempts from before the change arrive. The first retry, after 5 s, arrives later.
const UNDER_WAY: Duration = Duration::from_secs(3);

/// Time to wait for a retry if the set-up declares none.
pub(crate) const RETRY: Duration = Duration::from_secs(30);

/// Requires that the target makes that many attempts to deliver an event. Otherwise the case decides nothing.
pub(crate) fn makes_attempts(context: &Context, needed: usize) -> Verdict {
    let most = context.document().limit_number("hook_attempts", "maximum");
    ensure_met(most >= needed, format!("needs {needed} attempts to deliver an event, and hook_attempts is {most}"))
}

/// Lets a new endpoint refuse the webhook about a lead, so that it waits for a retry. Returns the e-mail address of the lead, because
/// webhooks of other checks arrive at the endpoint, too.
pub(crate) async fn refused(context: &Context, endpoint: &Endpoint) -> Result<String, Halt> {
    makes_attempts(context, 2)?;
    let log = context.hooks()?;
    let email = format!("{}@example.com", context.fresh("again"));
    log.script_at(endpoint, &email, &[HookAnswer::Status(500); REFUSALS]);
    capture(context, &email, "Robin Retry", "to be sent again").await?;
    let limit = context.facts().ready_within;
    let refused = || !log.arrived_at(endpoint, &email).is_empty();
    let is_refused = context.waiting(log.expect(limit, refused, |refused| *refused)).await;
    ensure(is_refused, format!("a webhook at every registered URL within {} s", limit.as_secs()), || {
        "none at the further one".to_owned()
    })?;
    Ok(email)
}

/// A change of an endpoint, such as its removal. Webhooks that were sent before may arrive after it.
pub(crate) struct Change<'context> {
    context: &'context Context,
    made: Instant,
    late_before: Duration,
}

impl<'context> Change<'context> {
    /// Returns a change that was made just now.
    pub(crate) fn now(context: &'context Context) -> Self {
        Self { context, made: Instant::now(), late_before: context.lateness().total() }
    }

    /// Returns true if the webhook arrived so late that it seems to have been sent after the change.
    pub(crate) fn seems_before(&self, hook: &HookRequest) -> bool {
        hook.arrived > self.made + UNDER_WAY
    }

    /// Returns true if the webhook was sent after the change, even if the suite read it late.
    pub(crate) fn is_before(&self, hook: &HookRequest) -> bool {
        let late = self.context.lateness().total().saturating_sub(self.late_before);
        hook.arrived > self.made + UNDER_WAY + late
    }
}

/// Captures a lead with this marker, responds to its webhook with `answers`, and returns the attempts: two, or those that arrived in time.
pub(crate) async fn retried_about(
    context: &Context,
    marker: &str,
    answers: &[HookAnswer],
) -> Result<Vec<HookRequest>, Halt> {
    answered(context, marker, answers).await?;
    let log = context.hooks()?;
    let again = log.expect(patience(context), || attempts(log.mentioning(marker)), |seen| seen.len() >= 2);
    Ok(context.waiting(again).await)
}

/// Captures a lead with this marker, responds to the attempts with `answers`, and waits for the first attempt.
pub(crate) async fn answered(context: &Context, marker: &str, answers: &[HookAnswer]) -> Verdict {
    context.hooks()?.script(marker, answers);
    capture(context, &format!("{marker}@example.com"), "Robin Retry", "retry").await?;
    let first = first_of_ordinary_lead(context, marker).await?;
    ensure(first.answered == answers[0].status(), "the scripted response", || first.answered.to_string())
}

/// Returns the attempts among the arrivals, without copies: senders deliver at least once, and receivers ignore an id that they know.
pub(crate) fn attempts(seen: Vec<HookRequest>) -> Vec<HookRequest> {
    seen.into_iter().fold(Vec::new(), |mut all: Vec<HookRequest>, hook| {
        if !all.iter().any(|known| hook.is_copy_of(known)) {
            all.push(hook);
        }
        all
    })
}

/// Returns the time to wait for a retry.
pub(crate) fn patience(context: &Context) -> Duration {
    context.facts().retry_within.unwrap_or(RETRY)
}

/// Returns the result for a retry that did not arrive in time.
pub(crate) fn no_retry(context: &Context) -> Halt {
    let seconds = patience(context).as_secs();
    if context.facts().retry_within.is_some() {
        return Halt::fail(
            format!("the webhook again within {seconds} s, as [hooks] retry_within says"),
            "one request",
        );
    }
    Halt::inconclusive(format!("no retry within {seconds} s; if the server promises one, set [hooks] retry_within"))
}
