//! What one endpoint's behaviour means for its own hooks and for the others': gone, hanging, endless, removed.
//!
//! Each check registers an endpoint of its own, so that the one under test is never switched off. Retries to one endpoint
//! are in `hooks_delivery`.

use std::time::Duration;

use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::hook_answer::HookAnswer;
use super::hook_endpoints::Endpoint;
use super::requirement::Requirement;
use super::steps_endpoints::{QUIET, arrival, must_arrive, own, release};
use super::steps_hooks::{self, lead_hook};
use super::verdict::{Verdict, ensure};

const OWN: &[Capability] = &[Capability::Hooks, Capability::Capture, Capability::HookRegistration];
const SIGNED: &[Capability] =
    &[Capability::Hooks, Capability::Capture, Capability::HookRegistration, Capability::StandardWebhooks];
const SOURCE: &str = "service description, section 6";

/// A sender that waits longer than this for an answer keeps others waiting.
const CUT_WITHIN: Duration = Duration::from_mins(1);
/// How long a removed or gone endpoint may still get hooks, where the set-up allows as long for work in the background.
const GRACE: Duration = Duration::from_mins(1);

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "hooks.registration.removed",
            "A URL that was removed gets nothing more, 60 s later at the latest.",
            SOURCE,
            removed,
        )
        .core()
        .needs(OWN),
        Requirement::must(
            "hooks.registration.own-secret",
            "Every endpoint has a secret of its own.",
            "Standard Webhooks 1.0.0, Signature scheme",
            own_secret,
        )
        .should()
        .needs(SIGNED),
        Requirement::must(
            "hooks.delivery.gone",
            "410 switches the endpoint off: it gets nothing more.",
            "Standard Webhooks 1.0.0, Disabling endpoints",
            gone,
        )
        .core()
        .should()
        .needs(OWN),
        Requirement::must(
            "hooks.delivery.hanging",
            "A receiver that never answers is given up within 60 s, and other endpoints get their hooks meanwhile.",
            "Standard Webhooks 1.0.0, Timeouts",
            hanging,
        )
        .core()
        .should()
        .needs(OWN),
        Requirement::must(
            "hooks.delivery.waits",
            "A receiver has 15 s to answer: a sender still waits for an answer that comes after 11 s.",
            "openapi.yaml, x-limits hook_timeout; Standard Webhooks 1.0.0, Timeouts",
            waits,
        )
        .should()
        .needs(OWN),
        Requirement::must(
            "hooks.delivery.endless",
            "An answer whose body never ends stops neither later hooks nor those to other endpoints.",
            "Standard Webhooks 1.0.0, Timeouts",
            endless,
        )
        .core()
        .should()
        .needs(OWN),
    ];
    all.into_iter().map(Requirement::background).collect()
}

/// Captures leads until one whose hook comes to the endpoint under test only, for as long as the grace allows.
async fn falls_silent(context: &Context, endpoint: &Endpoint, expected: &str) -> Verdict {
    let grace = GRACE.min(context.facts().ready_within);
    let deadline = std::time::Instant::now() + grace;
    loop {
        let (marker, _) = lead_hook(context, "is anybody still there").await?;
        if arrival(context, endpoint, &marker, QUIET).await?.is_empty() {
            return Ok(());
        }
        ensure(std::time::Instant::now() < deadline, expected, || format!("a hook {} s later", grace.as_secs()))?;
    }
}

async fn removed(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "removed").await?;
    let (marker, _) = lead_hook(&context, "for both").await?;
    let arrived = must_arrive(&context, &endpoint, &marker).await.map(|_| ());
    release(&context, &endpoint, arrived).await?;
    falls_silent(&context, &endpoint, "nothing at a removed URL").await
}

async fn own_secret(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "secret").await?;
    let differs = endpoint.registration.secret.is_some() && endpoint.registration.secret != context.hooks()?.secret();
    let verdict = ensure(differs, "another secret for another endpoint", || "the same, or none".to_owned());
    release(&context, &endpoint, verdict).await
}

async fn gone(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "gone").await?;
    let verdict = gone_at(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn gone_at(context: &Context, endpoint: &Endpoint) -> Verdict {
    context.hooks()?.script_at(endpoint, "", &[HookAnswer::Status(410); 8]);
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
    let marker = steps_hooks::captured(context, "meanwhile").await?;
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
    log.script_at(endpoint, "", &[HookAnswer::Slow(ANSWER, 204)]);
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
