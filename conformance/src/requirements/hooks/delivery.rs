//! How hooks are delivered by a patient sender: redirects, slow, endless and vanished receivers, repeats by hand.

use crate::inbox::HookAnswer::{Slow, Status};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::check::signature::verify;
use crate::check::{Capability, Context, Halt, Requirement, Verdict, ensure};
use crate::inbox::{Endpoint, HookAnswer, HookRequest};
use crate::steps;
use crate::steps::endpoints::{QUIET, arrival, falls_silent, must_arrive, own, release};
use crate::steps::hooks;
use crate::steps::hooks::lead_hook;
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

/// How long a sender may need to take note that a hook arrived.
const SETTLED: Duration = Duration::from_secs(10);

const REDELIVERY: &[Capability] = &[
    Capability::HOOKS,
    Capability::CAPTURE,
    Capability::HOOK_REGISTRATION,
    Capability::STANDARD_WEBHOOKS,
    Capability::HOOK_REDELIVERY,
];

/// Who follows a redirect does it at once.
const AT_ONCE: Duration = Duration::from_secs(3);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.delivery.untrusted-certificate",
            "Nothing is sent to a receiver whose certificate nobody vouches for.",
            "RFC 9110, section 4.3.4",
            untrusted,
        )
        .core()
        .should()
        .needs(DIRECT)
        .background(),
        Requirement::must("hooks.delivery.slow-answer", "An answer after 11 s still counts: the hook is not sent again.", "Standard Webhooks 1.0.0, Timeouts", slow_answer).core().should().needs(LEAD).background(),
        Requirement::must("hooks.delivery.any-2xx", "Every 2xx is success: no retry after 200, 201, 202 or 204. A copy of the same attempt is none.", "Standard Webhooks 1.0.0, Success", any_success).needs(LEAD).background(),
        Requirement::must("hooks.delivery.no-redirects", "A redirect counts as failure and is not followed.", "Standard Webhooks 1.0.0, Redirects", no_redirects).core().should().needs(LEAD).background(),
        Requirement::must(
            "hooks.delivery.gone",
            "410 switches the endpoint off: it gets nothing more.",
            "Standard Webhooks 1.0.0, Disabling endpoints",
            gone,
        )
        .core()
        .should()
        .needs(OWN).background(),
        Requirement::must(
            "hooks.delivery.hanging",
            "A receiver that never answers is given up within 60 s, and other endpoints get their hooks meanwhile.",
            "Standard Webhooks 1.0.0, Timeouts",
            hanging,
        )
        .core()
        .should()
        .needs(OWN).background(),
        Requirement::must(
            "hooks.delivery.waits",
            "A receiver has 15 s to answer: a sender still waits for an answer that comes after 11 s.",
            "openapi.yaml, x-limits hook_timeout; Standard Webhooks 1.0.0, Timeouts",
            waits,
        )
        .should()
        .needs(OWN).background(),
        Requirement::must(
            "hooks.delivery.endless",
            "An answer whose body never ends stops neither later hooks nor those to other endpoints.",
            "Standard Webhooks 1.0.0, Timeouts",
            endless,
        )
        .core()
        .should()
        .needs(OWN).background(),
        Requirement::must(
            "hooks.delivery.redelivered",
            "A hook that is sent again by hand has the same id and the same bytes, and a signature that verifies.",
            "Standard Webhooks 1.0.0, Manual retries",
            redelivered,
        )
        .should()
        .needs(REDELIVERY).background(),
        Requirement::must(
            "hooks.delivery.no-permanent-redirects",
            "A redirect with 307 or 308 counts as failure and is not followed: the payload goes to the registered URL only.",
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
    let arrived = arrival(context, endpoint, &marker, QUIET).await?;
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
    log.script_at(endpoint, "", &[answer]);
    lead_hook(context, "to keep somebody waiting").await?;
    must_arrive(context, endpoint, "").await?;
    let marker = hooks::captured(context, "meanwhile").await?;
    let limit = context.facts().ready_within;
    let came = || !log.mentioning(&marker).is_empty();
    let came = log.expect_beside(Some(endpoint), limit, came, |came| *came).await;
    ensure(came, format!("another endpoint's hook within {} s", limit.as_secs()), || "none".to_owned())?;
    let waited = log.wait_until(CUT_WITHIN + QUIET, || log.given_up(endpoint), Option::is_some).await;
    ensure(waited.is_some_and(|time| time <= CUT_WITHIN), "a sender that gives up within 60 s", || {
        waited.map_or_else(|| "it still waits".to_owned(), |time| format!("{:.0} s", time.as_secs_f64()))
    })
}

async fn waits(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "slow").await?;
    let verdict = waits_for(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn waits_for(context: &Context, endpoint: &Endpoint) -> Verdict {
    const ANSWER: Duration = Duration::from_secs(11);
    let log = context.hooks()?;
    log.script_at(endpoint, "", &[Slow(ANSWER, 204)]);
    lead_hook(context, "no hurry").await?;
    must_arrive(context, endpoint, "").await?;
    let waited = log.wait_until(ANSWER, || log.given_up(endpoint), Option::is_some).await;
    ensure(waited.is_none(), "a sender that waits 11 s for an answer", || {
        waited.map_or_else(String::new, |time| format!("one that gave up after {:.1} s", time.as_secs_f64()))
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

async fn not_followed(context: Context, _: Value) -> Verdict {
    let log = context.hooks()?;
    let markers = [(307, context.fresh("temporary")), (308, context.fresh("permanent"))];
    for (status, marker) in &markers {
        log.script(marker, &[Status(*status), Status(204)]);
        steps::capture(&context, &format!("{marker}@example.com"), "Robin Redirect", "elsewhere").await?;
    }
    for (status, marker) in &markers {
        hooks::first_of_ordinary_lead(&context, marker).await?;
        let followed = log.wait_until(AT_ONCE, || log.redirected(marker), Option::is_some).await;
        ensure(followed.is_none(), "no request to the address in Location", || format!("one after {status}"))?;
    }
    Ok(())
}
