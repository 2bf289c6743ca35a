//! Hooks that a receiver refuses, and the attempts that follow.

use std::time::Duration;

use tokio::time::Instant;

use crate::check::{Context, Halt, Verdict, ensure};
use crate::inbox::{Endpoint, HookAnswer, HookRequest};
use crate::steps;

/// Attempts that are refused: several, so that one of them is made after the change.
pub(crate) const REFUSALS: usize = 6;

/// What was on its way when the change was made is here by then; the first retry, after five seconds, is not.
const UNDER_WAY: Duration = Duration::from_secs(3);

/// How long to wait for a retry where the set-up declares nothing.
pub(crate) const RETRY: Duration = Duration::from_secs(30);

/// Lets a new endpoint refuse the hook about a lead, so that it waits to be sent again. Gives the lead's address: other checks'
/// hooks come here, too.
pub(crate) async fn refused(context: &Context, endpoint: &Endpoint) -> Result<String, Halt> {
    let log = context.hooks()?;
    let email = format!("{}@example.com", context.fresh("again"));
    log.script_at(endpoint, &email, &[HookAnswer::Status(500); REFUSALS]);
    steps::capture(context, &email, "Robin Retry", "to be sent again").await?;
    let limit = context.facts().ready_within;
    let refused = || !log.arrived_at(endpoint, &email).is_empty();
    let is_refused = context.waiting(log.expect(limit, refused, |refused| *refused)).await;
    ensure(is_refused, format!("a hook at every registered URL within {} s", limit.as_secs()), || {
        "none at the further one".to_owned()
    })?;
    Ok(email)
}

/// A change of an endpoint, such as its removal, that hooks sent before it do not know of.
pub(crate) struct Change<'context> {
    context: &'context Context,
    made: Instant,
    late_before: Duration,
}

impl<'context> Change<'context> {
    /// It has just been made.
    pub(crate) fn now(context: &'context Context) -> Self {
        Self { context, made: Instant::now(), late_before: context.lateness().total() }
    }

    /// Whether the hook arrived when nothing could be under way any more, so that it seems to have been sent after the change.
    pub(crate) fn seems_before(&self, hook: &HookRequest) -> bool {
        hook.arrived > self.made + UNDER_WAY
    }

    /// The same, and that it did not come so late only because the suite read it late.
    pub(crate) fn is_before(&self, hook: &HookRequest) -> bool {
        let late = self.context.lateness().total().saturating_sub(self.late_before);
        hook.arrived > self.made + UNDER_WAY + late
    }
}

/// Attempts to deliver the hook about a lead with this marker, until there are two.
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

/// The attempts are answered so, one after the other.
pub(crate) async fn answered(context: &Context, marker: &str, answers: &[HookAnswer]) -> Verdict {
    context.hooks()?.script(marker, answers);
    steps::capture(context, &format!("{marker}@example.com"), "Robin Retry", "retry").await?;
    let first = steps::hooks::first_of_ordinary_lead(context, marker).await?;
    ensure(first.answered == answers[0].status(), "the scripted answer", || first.answered.to_string())
}

/// The attempts among what arrived: a copy of one is none. At least once is what is promised, and a receiver knows the id.
pub(crate) fn attempts(seen: Vec<HookRequest>) -> Vec<HookRequest> {
    seen.into_iter().fold(Vec::new(), |mut all: Vec<HookRequest>, hook| {
        if !all.iter().any(|known| hook.is_copy_of(known)) {
            all.push(hook);
        }
        all
    })
}

/// How long to wait for a retry.
pub(crate) fn patience(context: &Context) -> Duration {
    context.facts().retry_within.unwrap_or(RETRY)
}

/// What is said where nothing was sent again in time.
pub(crate) fn no_retry(context: &Context) -> Halt {
    let seconds = patience(context).as_secs();
    if context.facts().retry_within.is_some() {
        return Halt::fail(format!("the hook again within {seconds} s, as [hooks] retry_within says"), "one request");
    }
    Halt::inconclusive(format!("no retry within {seconds} s; if one is promised, [hooks] retry_within says so"))
}
