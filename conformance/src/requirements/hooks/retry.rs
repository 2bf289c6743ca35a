//! What was not taken is sent again: when, and with which bytes.

use std::time::Duration;

use serde_json::Value;

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure, ensure_met};
use crate::inbox::HookAnswer::{RetryAfter, Status};
use crate::inbox::{HookAnswer, HookRequest};
use crate::steps::retries::{attempts, no_retry, retried_about};

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const SIGNED: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::STANDARD_WEBHOOKS];

const SOURCE: &str = "Standard Webhooks 1.0.0, Retry schedule";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.retry.same-event",
            "A retry after an answer 500 has the same id and the same bytes, with a new timestamp and signature.",
            SOURCE,
            same_event,
        )
        .needs(SIGNED)
        .background(),
        Requirement::must(
            "hooks.retry.after-failure",
            "A hook that was answered 500 is sent again.",
            SOURCE,
            after_failure,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::must(
            "hooks.retry.same-bytes",
            "A retry has the same bytes as the first attempt, or the same id.",
            SOURCE,
            same_bytes,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::must(
            "hooks.retry.after-wait",
            "Retry-After of an answer 503 is honoured: the hook is not sent again before.",
            "RFC 9110, section 10.2.3; Standard Webhooks 1.0.0, Retry schedule",
            after_wait,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::must(
            "hooks.retry.gaps",
            "The pause before the second retry is at least as long as the one before the first.",
            SOURCE,
            gaps,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
    ]
}

/// Captures a lead whose hook is answered with `answers`; what arrived when it has come twice, or is not expected again any more.
async fn retried(context: &Context, answers: &[HookAnswer]) -> Result<Vec<HookRequest>, Halt> {
    retried_about(context, &context.fresh("scripted"), answers).await
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
    crate::check::signature::verified(&context, second)
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
    ensure(same, "the same bytes or the same id", || demand::beginning(&second.body))
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
    let late_before = context.lateness().total();
    let seen = retried_about(&context, &marker, &[Status(500), Status(500), Status(500)]).await?;
    let [first, second, ..] = seen.as_slice() else {
        return Err(no_retry(&context));
    };
    let apart = |first: &HookRequest, second: &HookRequest| second.arrived.saturating_duration_since(first.arrived);
    // What the suite's own receivers added to the first pause, the second one need not have.
    let kept_waiting = context.hooks()?.kept_waiting_since(first.arrived, None);
    let least = apart(first, second).saturating_sub(kept_waiting).mul_f64(JITTER);
    // What comes is judged by when it arrived, so that a suite that is late itself misses nothing.
    let all = attempts(context.hooks()?.wait_for(&marker, least, |seen| attempts(seen.to_vec()).len() > 2).await);
    let Some(pause) = all.get(2).map(|third| apart(second, third)).filter(|pause| *pause < least) else {
        return Ok(());
    };
    // The first pause may seem longer than it was where the suite read the second attempt late.
    let late = context.lateness().total().saturating_sub(late_before);
    let surely_least = apart(first, second).saturating_sub(kept_waiting.max(late)).mul_f64(JITTER);
    ensure_met(pause < surely_least, "the machine is too slow to tell how long the first pause was")?;
    Err(Halt::fail(format!("a pause of {:.1} s or more", least.as_secs_f64()), format!("{:.1} s", pause.as_secs_f64())))
}
