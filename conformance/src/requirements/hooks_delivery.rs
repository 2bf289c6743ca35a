//! How hooks are delivered when the receiver is slow to agree: retries, redirects, other 2xx.
//!
//! What is in a hook is judged in `hooks`, its signature in `hooks_signature`.

use std::time::Duration;

use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::hook_answer::HookAnswer::{self, RetryAfter, Slow, Status};
use super::hook_log::HookRequest;
use super::requirement::Requirement;
use super::steps;
use super::verdict::{Halt, Verdict, ensure};

const LEAD: &[Capability] = &[Capability::Hooks, Capability::Capture];
const SIGNED: &[Capability] = &[Capability::Hooks, Capability::Capture, Capability::StandardWebhooks];
const SOURCE: &str = "Standard Webhooks 1.0.0, Retry schedule";

/// How long to wait for a retry where the set-up declares nothing.
const RETRY: Duration = Duration::from_secs(30);

/// A wrong retry would come with the first step of the schedule.
const AFTER_SUCCESS: Duration = Duration::from_secs(7);

/// The document's first retry comes about 5 s after the attempt; what is repeated sooner was sent twice.
const SOONEST_RETRY: Duration = Duration::from_secs(3);

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must("hooks.retry.same-event", "A hook that was answered 500 is sent again with the same id, byte-identical, with a fresh timestamp and signature.", SOURCE, same_event).needs(SIGNED),
        Requirement::must("hooks.retry.after-failure", "A hook that was answered 500 is sent again.", SOURCE, after_failure).core().should().needs(LEAD),
        Requirement::must("hooks.retry.same-bytes", "A hook that is sent again is byte-identical, or carries the same id.", SOURCE, same_bytes).core().should().needs(LEAD),
        Requirement::must("hooks.retry.after-wait", "Retry-After of a 503 is honoured: nothing is sent again before.", "RFC 9110, section 10.2.3; Standard Webhooks 1.0.0, Retry schedule", after_wait).core().should().needs(LEAD),
        Requirement::must("hooks.retry.gaps", "The pause before the second retry is not shorter than the one before the first.", SOURCE, gaps).core().should().needs(LEAD),
        Requirement::must("hooks.delivery.slow-answer", "An answer after 11 s still counts: the hook is not sent again.", "Standard Webhooks 1.0.0, Timeouts", slow_answer).core().should().needs(LEAD),
        Requirement::must("hooks.delivery.any-2xx", "Every 2xx is success: no retry after 200, 201, 202 or 204. A copy of the same attempt is none.", "Standard Webhooks 1.0.0, Success", any_success).needs(LEAD),
        Requirement::must("hooks.delivery.no-redirects", "A redirect counts as failure and is not followed.", "Standard Webhooks 1.0.0, Redirects", no_redirects).core().should().needs(LEAD),
    ];
    all.into_iter().map(Requirement::background).collect()
}

/// Captures a lead whose hook is answered with `answers`; what arrived when it has come twice, or is not expected again any more.
async fn retried(context: &Context, answers: &[HookAnswer]) -> Result<Vec<HookRequest>, Halt> {
    retried_about(context, &context.fresh("scripted"), answers).await
}

/// The same for a lead with this marker.
async fn retried_about(context: &Context, marker: &str, answers: &[HookAnswer]) -> Result<Vec<HookRequest>, Halt> {
    answered(context, marker, answers).await?;
    let log = context.hooks()?;
    Ok(log.expect(patience(context), || attempts(log.mentioning(marker)), |seen| seen.len() >= 2).await)
}

/// Captures a lead whose hook is answered with `answer`, and must not come again; what arrived when it was `enough`, or until `quiet`
/// had passed.
async fn not_repeated(
    context: &Context,
    answer: HookAnswer,
    enough: usize,
    quiet: Duration,
) -> Result<Vec<HookRequest>, Halt> {
    let marker = context.fresh("scripted");
    answered(context, &marker, &[answer]).await?;
    let log = context.hooks()?;
    Ok(log.wait_until(quiet, || attempts(log.mentioning(&marker)), |seen| seen.len() >= enough).await)
}

async fn answered(context: &Context, marker: &str, answers: &[HookAnswer]) -> Verdict {
    context.hooks()?.script(marker, answers);
    steps::capture(context, &format!("{marker}@example.com"), "Robin Retry", "retry").await?;
    let first = super::steps_hooks::first_of_ordinary_lead(context, marker).await?;
    ensure(first.answered == answers[0].status(), "the scripted answer", || first.answered.to_string())
}

/// The attempts among what arrived: a copy of one is none. At least once is what is promised, and a receiver knows the id.
fn attempts(seen: Vec<HookRequest>) -> Vec<HookRequest> {
    seen.into_iter().fold(Vec::new(), |mut all: Vec<HookRequest>, hook| {
        if !all.iter().any(|known| hook.is_copy_of(known)) {
            all.push(hook);
        }
        all
    })
}

/// How long to wait for a retry.
fn patience(context: &Context) -> Duration {
    context.facts().retry_within.unwrap_or(RETRY)
}

fn no_retry(context: &Context) -> Halt {
    let seconds = patience(context).as_secs();
    if context.facts().retry_within.is_some() {
        return Halt::fail(format!("the hook again within {seconds} s, as [hooks] retry_within says"), "one request");
    }
    Halt::inconclusive(format!("no retry within {seconds} s; if one is promised, [hooks] retry_within says so"))
}

async fn after_failure(context: Context, _: Value) -> Verdict {
    let seen = retried(&context, &[Status(500)]).await?;
    if seen.len() < 2 {
        return Err(no_retry(&context));
    }
    Ok(())
}

async fn same_event(context: Context, _: Value) -> Verdict {
    let seen = retried(&context, &[Status(500)]).await?;
    let [first, second, ..] = seen.as_slice() else {
        return Err(no_retry(&context));
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

async fn same_bytes(context: Context, _: Value) -> Verdict {
    let seen = retried(&context, &[Status(503)]).await?;
    let [first, second, ..] = seen.as_slice() else {
        return Err(no_retry(&context));
    };
    let id = |hook: &HookRequest| hook.json().and_then(|body| body.get("id").cloned());
    let header = |hook: &HookRequest| hook.header("webhook-id").map(ToOwned::to_owned);
    let same = first.body == second.body
        || (id(first).is_some() && id(first) == id(second))
        || (header(first).is_some() && header(first) == header(second));
    ensure(same, "the same bytes or the same id", || super::demand::beginning(&second.body))
}

/// The wait is longer than the first step of the documented schedule, jitter included.
async fn after_wait(context: Context, _: Value) -> Verdict {
    const WAIT: u64 = 12;
    let seen = retried(&context, &[RetryAfter(503, WAIT)]).await?;
    let [first, second, ..] = seen.as_slice() else {
        return Err(no_retry(&context));
    };
    let waited = second.arrived.saturating_duration_since(first.arrived);
    // Both ends measure in their own clocks and round.
    ensure(waited >= Duration::from_secs(WAIT - 1), format!("nothing before {WAIT} s"), || {
        format!("a request after {:.1} s", waited.as_secs_f64())
    })
}

/// Jitter may make a pause a little shorter; a schedule that does not grow is still as long.
async fn gaps(context: Context, _: Value) -> Verdict {
    const JITTER: f64 = 0.5;
    let marker = context.fresh("gaps");
    let seen = retried_about(&context, &marker, &[Status(500), Status(500), Status(500)]).await?;
    let [first, second, ..] = seen.as_slice() else {
        return Err(no_retry(&context));
    };
    // What the suite's own receivers added to the first pause, the second one need not have.
    let kept_waiting = context.hooks()?.kept_waiting_since(first.arrived, None);
    let pause = second.arrived.saturating_duration_since(first.arrived).saturating_sub(kept_waiting);
    // It is answered and recorded a moment later than it arrives.
    let least = pause.mul_f64(JITTER).saturating_sub(second.arrived.elapsed());
    let later = context.hooks()?.wait_for(&marker, least, |seen| attempts(seen.to_vec()).len() > 2).await;
    let later = attempts(later);
    ensure(later.len() < 3, format!("a pause of {:.1} s or more", pause.mul_f64(JITTER).as_secs_f64()), || {
        let pause = later[2].arrived.saturating_duration_since(second.arrived);
        format!("{:.1} s", pause.as_secs_f64())
    })
}

async fn slow_answer(context: Context, _: Value) -> Verdict {
    let seen = not_repeated(&context, Slow(Duration::from_secs(11), 200), 2, Duration::from_secs(18)).await?;
    ensure(seen.len() == 1, "one request", || seen.len().to_string())
}

async fn any_success(context: Context, _: Value) -> Verdict {
    let answers = [200, 201, 202, 204].map(Status);
    let runs = answers.iter().map(|answer| not_repeated(&context, *answer, usize::MAX, AFTER_SUCCESS));
    let seen = futures::future::try_join_all(runs).await?;
    // What is sent more than once whatever is answered is sent at least once, and no retry.
    let usual = seen.first().map_or(1, Vec::len);
    for (seen, answer) in seen.iter().zip(answers) {
        let expected = format!("one request when answered {}", answer.status());
        let is_retry = |hook: &HookRequest| hook.arrived.saturating_duration_since(seen[0].arrived) >= SOONEST_RETRY;
        ensure(!seen.iter().any(is_retry), expected.clone(), || seen.len().to_string())?;
        if seen.len() > usual {
            // A sender may repeat now and then; one that takes this answer for a failure does so each time.
            let again = not_repeated(&context, answer, usize::MAX, AFTER_SUCCESS).await?;
            ensure(again.len() <= usual, expected, || format!("{}, and {} another time", seen.len(), again.len()))?;
        }
    }
    Ok(())
}

async fn no_redirects(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("redirected");
    let seen = retried_about(&context, &marker, &[Status(302), Status(204)]).await?;
    // The request to the new address may be a GET without a body.
    let followed = context.hooks()?.redirected(&marker);
    ensure(followed.is_none(), "no request to the address in Location", || {
        followed.map(|hook| format!("{} {}", hook.method, hook.path)).unwrap_or_default()
    })?;
    if seen.len() < 2 { Err(no_retry(&context)) } else { Ok(()) }
}
