//! How hooks are delivered by a patient sender: redirects, slow, endless and vanished receivers, repeats by hand.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::signature::verify;
use crate::check::{Capability, Cases, Context, Halt, Look, Requirement, Verdict, ensure};
use crate::inbox::HookAnswer::{Slow, Status};
use crate::inbox::{Endpoint, HookAnswer, HookRequest};
use crate::steps::endpoints::{arrival, falls_silent, must_arrive, own, release};
use crate::steps::hooks::{self, lead_hook};
use crate::steps::redirects::are_not_followed;
use crate::steps::retries::{answered, attempts, no_retry, retried_about};

const OWN: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::HOOK_REGISTRATION];

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const DIRECT: &[Capability] =
    &[Capability::HOOKS, Capability::CAPTURE, Capability::HOOK_REGISTRATION, Capability::DIRECT_RECEIVER];

/// How long to wait until the target opens a connection to the address with the untrusted certificate.
const ATTEMPT: Duration = Duration::from_secs(10);

/// A wrong retry would come with the first step of the schedule.
const AFTER_SUCCESS: Duration = Duration::from_secs(7);

/// The document's first retry comes about 5 s after the attempt; what is repeated sooner was sent twice.
const SOONEST_RETRY: Duration = Duration::from_secs(3);

/// A sender that waits longer than this for an answer keeps others waiting.
const CUT_WITHIN: Duration = Duration::from_mins(1);

/// In which order two things are told that happen within this time is chance.
const MOMENT: Duration = Duration::from_secs(1);

/// How long a sender may need to take note that a hook arrived.
const SETTLED: Duration = Duration::from_secs(10);

const REDELIVERY: &[Capability] = &[
    Capability::HOOKS,
    Capability::CAPTURE,
    Capability::HOOK_REGISTRATION,
    Capability::STANDARD_WEBHOOKS,
    Capability::HOOK_REDELIVERY,
];

/// Most characters of an id that is asked for again.
const LONGEST_ID: usize = 256;

/// How long before the end of a receiver's time an answer comes that must count.
const BEFORE_LIMIT: Duration = Duration::from_secs(4);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.delivery.untrusted-certificate",
            "No hook is sent to a receiver with an untrusted certificate.",
            "RFC 9110, section 4.3.4",
            untrusted,
        )
        .core()
        .should()
        .needs(DIRECT)
        .background(),
        Requirement::must("hooks.delivery.slow-answer", "A receiver that answers 2xx after 11 s has taken the hook: it is not sent again.", "Standard Webhooks 1.0.0, Timeouts", slow_answer).core().should().needs(LEAD).background(),
        Requirement::must("hooks.delivery.any-2xx", "Every 2xx answer of a receiver is success: after 200, 201, 202 or 204 the hook is not sent again.", "Standard Webhooks 1.0.0, Success", any_success).needs(LEAD).background(),
        Requirement::must("hooks.delivery.no-redirects", "A redirect counts as failure and is not followed.", "Standard Webhooks 1.0.0, Redirects", no_redirects).core().should().needs(LEAD).background(),
        Requirement::must(
            "hooks.delivery.gone",
            "An endpoint that answers 410 gets no more hooks.",
            "Standard Webhooks 1.0.0, Disabling endpoints",
            gone,
        )
        .core()
        .should()
        .needs(OWN).background(),
        Requirement::must(
            "hooks.delivery.hanging",
            "The sender gives up on a receiver that never answers within 60 s, and other endpoints get their hooks meanwhile.",
            "Standard Webhooks 1.0.0, Timeouts",
            hanging,
        )
        .core()
        .should()
        .needs(OWN).background(),
        Requirement::must(
            "hooks.delivery.waits",
            "The sender waits up to 15 s for an answer: it does not give up before 11 s.",
            "openapi.yaml, x-limits hook_timeout; Standard Webhooks 1.0.0, Timeouts",
            waits,
        )
        .drawn("the time that a receiver has", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("hook_timeout", "maximum"))
        })
        .should()
        .needs(OWN).background(),
        Requirement::must(
            "hooks.delivery.endless",
            "A receiver whose answer never ends does not stop later hooks, nor those to other endpoints.",
            "Standard Webhooks 1.0.0, Timeouts",
            endless,
        )
        .core()
        .should()
        .needs(OWN).background(),
        Requirement::must(
            "hooks.delivery.redelivered",
            "A hook that is sent again on request has the same id and the same bytes, and a valid signature.",
            "Standard Webhooks 1.0.0, Manual retries",
            redelivered,
        )
        .should()
        .needs(REDELIVERY).background(),
        Requirement::must(
            "hooks.delivery.no-permanent-redirects",
            "A redirect with 307 or 308 counts as failure and is not followed: the payload is sent to the registered URL only.",
            "Standard Webhooks 1.0.0, Redirects",
            not_followed,
        )
        .needs(LEAD)
        .background(),
    ]
}

async fn untrusted(context: Context, _: Value) -> Verdict {
    let name = context.fresh("untrusted");
    let Ok(endpoint) = context.hooks()?.endpoints().register_tls(&name).await else {
        return Err(Halt::inconclusive("the target does not register the receiver's https address"));
    };
    let verdict = nothing_arrives(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn nothing_arrives(context: &Context, endpoint: &Endpoint) -> Verdict {
    let log = context.hooks()?;
    let before = log.handshakes();
    let (marker, _) = lead_hook(context, "for the trusted only").await?;
    let attempts = log.wait_until(ATTEMPT, || log.handshakes(), |attempts| *attempts > before).await;
    let arrived = arrival(context, endpoint, &marker, context.quiet()).await?;
    ensure(arrived.is_empty(), "no hook over TLS with a self-signed certificate", || "one".to_owned())?;
    if attempts == before {
        return Err(Halt::inconclusive(format!("no connection within {} s", ATTEMPT.as_secs())));
    }
    Ok(())
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

async fn gone(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "gone").await?;
    let verdict = gone_at(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn gone_at(context: &Context, endpoint: &Endpoint) -> Verdict {
    context.hooks()?.script_at(endpoint, "", &[Status(410); 8]);
    lead_hook(context, "the last one").await?;
    must_arrive(context, endpoint, "").await?;
    falls_silent(context, endpoint, "nothing at a URL that answered 410").await
}

async fn hanging(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "hanging").await?;
    let verdict = gives_up(&context, &endpoint, HookAnswer::Hang).await;
    release(&context, &endpoint, verdict).await
}

/// While the endpoint keeps the sender waiting, another lead's hook comes to the endpoint under test as usual.
async fn gives_up(context: &Context, endpoint: &Endpoint, answer: HookAnswer) -> Verdict {
    let log = context.hooks()?;
    // Hooks come at all, to both.
    let (first, _) = lead_hook(context, "is anybody there").await?;
    must_arrive(context, endpoint, &first).await?;
    log.script_at(endpoint, "", &[answer]);
    // Its hook to the endpoint under test is not waited for: a sender that is held up would send it when it is over.
    let keeping = hooks::captured(context, "to keep somebody waiting").await?;
    must_arrive(context, endpoint, &keeping).await?;
    let marker = hooks::captured(context, "meanwhile").await?;
    let captured = Instant::now();
    let limit = context.facts().ready_within;
    let expected = || format!("another endpoint's hook within {} s", limit.as_secs());
    let first = || log.mentioning(&marker).into_iter().next();
    let came = log.expect_beside(Some(endpoint), limit, first, Option::is_some).await;
    let came = came.ok_or_else(|| Halt::fail(expected(), "none"))?;
    let waited = came.arrived.saturating_duration_since(captured);
    let excused = log.kept_waiting_since(captured, Some(endpoint));
    let given_up = log.wait_until(CUT_WITHIN + context.quiet(), || log.given_up(endpoint), Option::is_some).await;
    ensure(
        given_up.is_some_and(|given_up| given_up.after <= CUT_WITHIN),
        "a sender that gives up within 60 s",
        || {
            given_up.map_or_else(
                || "it still waits".to_owned(),
                |given_up| format!("{:.0} s", given_up.after.as_secs_f64()),
            )
        },
    )?;
    // A late suite excuses a late hook, but not one that had to wait until the other receiver was given up.
    let is_held_up = given_up.is_some_and(|given_up| given_up.at <= came.arrived + MOMENT);
    ensure(waited <= limit + excused || !is_held_up, expected(), || {
        format!("one after {:.0} s, when the receiver that does not answer was given up", waited.as_secs_f64())
    })
}

async fn waits(context: Context, limit: Value) -> Verdict {
    let endpoint = own(&context, "slow").await?;
    let limit = Duration::from_secs(limit.as_u64().unwrap_or(0));
    let verdict = waits_for(&context, &endpoint, limit.saturating_sub(BEFORE_LIMIT)).await;
    release(&context, &endpoint, verdict).await
}

async fn waits_for(context: &Context, endpoint: &Endpoint, answer: Duration) -> Verdict {
    let log = context.hooks()?;
    log.script_at(endpoint, "", &[Slow(answer, 204)]);
    lead_hook(context, "no hurry").await?;
    must_arrive(context, endpoint, "").await?;
    let waited = log.wait_until(answer, || log.given_up(endpoint), Option::is_some).await;
    ensure(waited.is_none(), format!("a sender that waits {} s for an answer", answer.as_secs()), || {
        waited.map_or_else(String::new, |time| format!("one that gave up after {:.1} s", time.after.as_secs_f64()))
    })
}

async fn endless(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "endless").await?;
    let verdict = goes_on(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn goes_on(context: &Context, endpoint: &Endpoint) -> Verdict {
    gives_up(context, endpoint, HookAnswer::Endless).await?;
    let (marker, _) = lead_hook(context, "and the next one").await?;
    must_arrive(context, endpoint, &marker).await.map(|_| ())
}

async fn redelivered(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "again").await?;
    let verdict = same_again(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

/// A sender need not take note of an answer before its receiver does, and may refuse until then.
async fn ask_again(context: &Context, endpoint: &Endpoint, id: &str) -> Verdict {
    let look = || async move {
        let asked = context.hooks()?.endpoints().redeliver(endpoint, id).await;
        let refused = |error| Look::NotYet(Halt::Error(format!("{id} could not be sent again: {error}")));
        Ok(asked.map_or_else(refused, Look::Found))
    };
    context.eventually(SETTLED, look).await
}

async fn same_again(context: &Context, endpoint: &Endpoint) -> Verdict {
    let (marker, _) = lead_hook(context, "to be sent again").await?;
    let first = must_arrive(context, endpoint, &marker).await?;
    let id = first.header("webhook-id").unwrap_or_default().to_owned();
    // It goes into a command of the set-up.
    let is_plain =
        id.len() <= LONGEST_ID && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    ensure(is_plain && !id.starts_with('-'), "a webhook-id of letters, digits, `_`, `-` and `.`", || {
        format!("{id:?}")
    })?;
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

async fn not_followed(context: Context, _: Value) -> Verdict {
    are_not_followed(&context, &[307, 308]).await
}
