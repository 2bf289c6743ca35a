//! Retries of webhooks: when they are sent, and with which bytes. Redirects are failures, too; those with 302 are in `delivery`.

use std::time::Duration;

use serde_json::Value;

use crate::check::Source::{Fact, Sentence, Standard};
use crate::check::{Capability, Context, Halt, Requirement, Source, Verdict, demand, ensure, ensure_met};
use crate::inbox::HookAnswer::{RetryAfter, RetryAtDate, Status};
use crate::inbox::{Endpoint, HookAnswer, HookRequest};
use crate::steps;
use crate::steps::endpoints::{arrival, attempts, makes_attempts, no_retry, own, release, retried_about};
use crate::steps::hooks::first_of_ordinary_lead;

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const SIGNED: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::STANDARD_WEBHOOKS];

const OWN: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::HOOK_REGISTRATION];

const SCHEDULE: Source = Sentence(
    "Except for `hook.test`, the service tries again after about 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and \
    24 hours.",
);

const SAME_ID: Source = Sentence("Id of the event, the same on every retry.");

const METADATA: Source = Standard("Standard Webhooks 1.0.0", "Webhook metadata");

const RELIABILITY: Source = Standard("Standard Webhooks 1.0.0", "Deliverability and reliability");

/// Seconds that are longer than the first pause of the documented schedule with its jitter.
const WAIT: u64 = 12;

/// Maximum difference in seconds between the clocks of sender and suite. With it, `WAIT` is still longer than the first pause.
const CLOCKS_DIFFER: u64 = 3;

/// Seconds by which the clock of a receiver is behind. By the sender's clock, a date from it has passed.
const BEHIND: u64 = 60 * 60;

/// Time within which a sender follows a redirect.
const AT_ONCE: Duration = Duration::from_secs(3);

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.retry.same-event",
            "A retry after a 500 has the same id and the same body, with a new timestamp and signature.",
            &[
                SAME_ID,
                Sentence("Every attempt for an event at an endpoint has the same body."),
                Sentence("It is the same on every retry."),
                Sentence("When this attempt was signed, in seconds since 1970 UTC."),
                Sentence("Each is `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`."),
                METADATA,
            ],
            same_event,
        )
        .needs(SIGNED)
        .background(),
        Requirement::new(
            "hooks.retry.after-failure",
            "A webhook is sent again if the receiver responds 500.",
            &[Fact("6"), SCHEDULE, RELIABILITY],
            after_failure,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.retry.same-bytes",
            "A retry has the same body as the first attempt, or the same id.",
            &[Fact("6"), SAME_ID, METADATA],
            same_bytes,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.retry.after-wait",
            "A webhook is not sent again before the time in Retry-After of a 503.",
            &[
                Fact("6"),
                Sentence("If a 429 or 503 has a `Retry-After`, it waits that long, but at most 24 hours."),
                Standard("RFC 9110", "10.2.3"),
                Standard("Standard Webhooks 1.0.0", "Delivery success and failure"),
            ],
            after_wait,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.retry.after-date",
            "A webhook is not sent again before the date in Retry-After of a 503, apart from 3 s by which the clocks may \
            differ.",
            &[
                Fact("6"),
                Sentence("If a 429 or 503 has a `Retry-After`, it waits that long, but at most 24 hours."),
                Standard("RFC 9110", "10.2.3"),
                Standard("Standard Webhooks 1.0.0", "Delivery success and failure"),
            ],
            after_date,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.retry.date-of-receiver",
            "A date in Retry-After counts from the Date of the same response: here the receiver's clock is an hour \
            behind.",
            &[Sentence("A date in it counts from the response's own `Date`.")],
            date_of_receiver,
        )
        .should()
        .needs(&[Capability::HOOKS, Capability::CAPTURE, Capability::DIRECT_RECEIVER])
        .background(),
        Requirement::new(
            "hooks.retry.after-overload",
            "A webhook is not sent again within a minute of a 429, 502 or 504. The suite waits 12 s of it, longer than \
            the first pause after other failures. An operator may configure another schedule.",
            &[
                Sentence("After 429, 502, 504 or a time-out it waits for at least a minute."),
                Standard("Standard Webhooks 1.0.0", "Delivery success and failure"),
            ],
            after_overload,
        )
        .should()
        .needs(OWN)
        .background(),
        Requirement::new(
            "hooks.retry.gaps",
            "The pause before the second retry is at least as long as the one before the first, apart from jitter. An \
            operator may configure another schedule.",
            &[Fact("6"), SCHEDULE, RELIABILITY],
            gaps,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.redirect.not-followed",
            "A redirect with 301, 303, 307 or 308 is not followed, neither with GET nor with POST: the payload is sent \
            only to the registered URL.",
            &[Sentence("It follows no redirect."), Standard("Standard Webhooks 1.0.0", "Delivery success and failure")],
            not_followed,
        )
        .needs(LEAD)
        .background(),
    ]
}

/// Captures a lead, responds to its webhook with `answers`, and returns the attempts: two, or those that arrived in time.
async fn retried(context: &Context, answers: &[HookAnswer]) -> Result<Vec<HookRequest>, Halt> {
    makes_attempts(context, 2)?;
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
    ensure(first.body == second.body, "the same body", || "another body".to_owned())?;
    let time = |hook: &HookRequest| hook.header("webhook-timestamp").unwrap_or_default().to_owned();
    ensure(time(first) != time(second), "a new timestamp", || time(second))?;
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
    ensure(same, "the same body or the same id", || demand::beginning(&second.body))
}

async fn after_wait(context: Context, _: Value) -> Verdict {
    // Sender and suite round.
    waits(&context, RetryAfter(503, WAIT), WAIT - 1).await
}

async fn after_date(context: Context, _: Value) -> Verdict {
    let answer = RetryAtDate { status: 503, seconds: WAIT, behind: 0 };
    waits(&context, answer, WAIT - CLOCKS_DIFFER).await
}

async fn date_of_receiver(context: Context, _: Value) -> Verdict {
    let answer = RetryAtDate { status: 503, seconds: WAIT, behind: BEHIND };
    waits(&context, answer, WAIT - 1).await
}

/// Requires a pause of `least` seconds after a response that asks for `WAIT` seconds.
async fn waits(context: &Context, answer: HookAnswer, least: u64) -> Verdict {
    let seen = retried(context, &[answer]).await?;
    let [first, second, ..] = seen.as_slice() else {
        return Err(no_retry(context));
    };
    let waited = second.arrived.saturating_duration_since(first.arrived);
    ensure(waited >= Duration::from_secs(least), format!("nothing before {least} s"), || {
        format!("a request after {:.1} s", waited.as_secs_f64())
    })
}

async fn after_overload(context: Context, _: Value) -> Verdict {
    makes_attempts(&context, 2)?;
    let verdicts = futures::future::join_all([429, 502, 504].map(|status| waits_after(&context, status))).await;
    // A failure counts more than a status that could not be checked.
    let (failed, others): (Vec<_>, Vec<_>) =
        verdicts.into_iter().partition(|verdict| matches!(verdict, Err(Halt::Fail(_))));
    failed.into_iter().chain(others).collect()
}

/// Uses a separate endpoint: a sender may keep back everything for an overloaded receiver.
async fn waits_after(context: &Context, status: u16) -> Verdict {
    let endpoint = own(context, "overloaded").await?;
    let verdict = no_second_attempt(context, &endpoint, status).await;
    release(context, &endpoint, verdict).await
}

async fn no_second_attempt(context: &Context, endpoint: &Endpoint, status: u16) -> Verdict {
    let log = context.hooks()?;
    let marker = context.fresh("overloaded");
    log.script_at(endpoint, &marker, &[Status(status)]);
    steps::capture(context, &format!("{marker}@example.com"), "Robin Retry", "not too soon").await?;
    let first = arrival(context, endpoint, &marker, context.facts().ready_within).await?;
    ensure_met(!first.is_empty(), "no webhook arrived at the further endpoint")?;
    let again = || attempts(log.arrived_at(endpoint, &marker));
    let again = log.wait_until(Duration::from_secs(WAIT), again, |seen| seen.len() > 1);
    let seen = context.waiting(again).await;
    ensure(seen.len() == 1, format!("one request within {WAIT} s of the response {status}"), || seen.len().to_string())
}

/// Allows jitter, which may shorten a pause, and a schedule with equal pauses.
async fn gaps(context: Context, _: Value) -> Verdict {
    const JITTER: f64 = 0.5;
    makes_attempts(&context, 3)?;
    let marker = context.fresh("gaps");
    let late_before = context.lateness().total();
    let seen = retried_about(&context, &marker, &[Status(500), Status(500), Status(500)]).await?;
    let [first, second, ..] = seen.as_slice() else {
        return Err(no_retry(&context));
    };
    let apart = |first: &HookRequest, second: &HookRequest| second.arrived.saturating_duration_since(first.arrived);
    // Subtract the time that the suite's own receivers added to the first pause.
    let kept_waiting = context.hooks()?.kept_waiting_since(first.arrived, None);
    let least = apart(first, second).saturating_sub(kept_waiting).mul_f64(JITTER);
    // The arrival time decides, so a late suite misses nothing.
    let all = attempts(context.hooks()?.wait_for(&marker, least, |seen| attempts(seen.to_vec()).len() > 2).await);
    let Some(pause) = all.get(2).map(|third| apart(second, third)).filter(|pause| *pause < least) else {
        return Ok(());
    };
    // If the suite read the second attempt late, the first pause seems longer than it was.
    let late = context.lateness().total().saturating_sub(late_before);
    let surely_least = apart(first, second).saturating_sub(kept_waiting.max(late)).mul_f64(JITTER);
    ensure_met(pause < surely_least, "the machine is too slow to measure the first pause")?;
    let expected =
        format!("a pause of {:.1} s or more, unless the operator configured another schedule", least.as_secs_f64());
    Err(Halt::fail(expected, format!("{:.1} s", pause.as_secs_f64())))
}

async fn not_followed(context: Context, _: Value) -> Verdict {
    let log = context.hooks()?;
    let mut redirected = Vec::new();
    for status in [301, 303, 307, 308] {
        let marker = context.fresh("redirected");
        log.script(&marker, &[Status(status), Status(204)]);
        steps::capture(&context, &format!("{marker}@example.com"), "Robin Redirect", "elsewhere").await?;
        redirected.push((status, marker));
    }
    for (status, marker) in &redirected {
        first_of_ordinary_lead(&context, marker).await?;
        let followed = log.wait_until(AT_ONCE, || log.redirected(marker), Option::is_some).await;
        ensure(followed.is_none(), format!("no request to the address in Location of a {status}"), || {
            followed.map(|hook| format!("{} {}", hook.method, hook.path)).unwrap_or_default()
        })?;
    }
    Ok(())
}
