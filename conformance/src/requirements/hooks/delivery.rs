//! Delivery of webhooks: redirects, slow receivers, endless responses, receivers that are gone, and manual retries.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::signature::verify;
use crate::check::{Capability, Cases, Context, Halt, Look, Requirement, Source, Verdict, ensure, ensure_met};
use crate::inbox::HookAnswer::{Json, Slow, Status};
use crate::inbox::{Endpoint, HookAnswer, HookRequest};
use crate::steps::endpoints::{
    answered, arrival, attempts, falls_silent, makes_attempts, must_arrive, no_retry, own, release, retried_about,
};
use crate::steps::hooks;
use crate::steps::hooks::lead_hook;
use crate::strategies::{Draw, Space};

const OWN: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::HOOK_REGISTRATION];

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const DIRECT: &[Capability] =
    &[Capability::HOOKS, Capability::CAPTURE, Capability::HOOK_REGISTRATION, Capability::DIRECT_RECEIVER];

/// Maximum time until the target opens a connection to the address with the untrusted certificate.
const ATTEMPT: Duration = Duration::from_secs(10);

/// Time after a success within which a wrong retry would arrive: longer than the first pause of the schedule.
const AFTER_SUCCESS: Duration = Duration::from_secs(7);

/// Says in a finding about the time-out that it may be intended.
const CONFIGURABLE: &str = ", unless the operator configured another time-out ([target.limits] hook_timeout)";

/// The body of a success that a sender may mistake for a failure.
const NAMES_ERROR: &str = r#"{"status":500,"error":"not stored"}"#;

/// Number of further tries after a success that seemed to be retried.
const FURTHER_TRIES: usize = 4;

/// Minimum time before a retry. The first retry of the document follows after about 5 s, so an earlier request is a copy.
const SOONEST_RETRY: Duration = Duration::from_secs(3);

/// Maximum time that a sender may wait for a response.
const CUT_WITHIN: Duration = Duration::from_mins(1);

/// Longest time-out that is checked, well below [`CUT_WITHIN`].
const LONGEST: Duration = Duration::from_secs(50);

/// Time within which the order of two events is chance.
const MOMENT: Duration = Duration::from_secs(1);

/// Maximum time that a sender needs to record that a webhook arrived.
const SETTLED: Duration = Duration::from_secs(10);

const REDELIVERY: &[Capability] = &[
    Capability::HOOKS,
    Capability::CAPTURE,
    Capability::HOOK_REGISTRATION,
    Capability::STANDARD_WEBHOOKS,
    Capability::HOOK_REDELIVERY,
];

/// Maximum number of characters of an id that is passed to the command `redeliver`.
const LONGEST_ID: usize = 256;

/// Time from the response of the receiver to the end of the time-out. It is shorter if the time-out is.
const BEFORE_LIMIT: Duration = Duration::from_secs(4);

const SENT: Source = Sentence("Sent in real time to every active endpoint that chose this type and this website.");

const NO_REDIRECT: Source = Sentence("It follows no redirect.");

const NOT_DELIVERED: Source = Sentence("The event is not delivered.");

const TIMEOUT: Source = Part("/x-limits/hook_timeout");

const TIMEOUTS: Source = Standard("Standard Webhooks 1.0.0", "Request timeouts");

const STATUSES: Source = Standard("Standard Webhooks 1.0.0", "Delivery success and failure");

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.delivery.untrusted-certificate",
            "No webhook is sent to a receiver with an untrusted certificate.",
            &[Standard("RFC 9110", "4.3.4")],
            untrusted,
        )
        .core()
        .should()
        .needs(DIRECT)
        .background(),
        Requirement::new(
            "hooks.delivery.slow-answer",
            "A webhook is not sent again if the receiver responds 2xx after 11 s, shortly before the time-out. An \
            operator may configure another time-out.",
            &[Fact("6"), TIMEOUT, TIMEOUTS, STATUSES],
            slow_answer,
        )
        .drawn("the time-out for receivers", Cases::Exactly(1), time_out)
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.delivery.any-2xx",
            "Every 2xx response is a success: a webhook is not sent again after 200, 201, 202 or 204, nor after a 200 \
            whose body names an error.",
            &[
                Part("/x-webhooks/lead.captured/post/responses/2XX"),
                Sentence("The event is delivered."),
                Sentence("The body has no effect."),
                STATUSES,
            ],
            any_success,
        )
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.delivery.no-redirects",
            "A redirect with 302 is a failure and is not followed.",
            &[Fact("6"), NO_REDIRECT, NOT_DELIVERED, STATUSES],
            no_redirects,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.delivery.gone",
            "An endpoint that responds 410 gets no more webhooks.",
            &[Fact("6"), Sentence("The service disables it and sends nothing more."), STATUSES],
            gone,
        )
        .core()
        .should()
        .needs(OWN)
        .background(),
        Requirement::new(
            "hooks.delivery.hanging",
            "The sender waits at most 60 s for a receiver that never responds, and other endpoints get their \
            webhooks meanwhile. An operator may configure another time-out.",
            &[Fact("6"), TIMEOUT, SENT, TIMEOUTS],
            hanging,
        )
        .drawn("the time-out for receivers", Cases::Exactly(1), time_out)
        .core()
        .should()
        .needs(OWN)
        .background(),
        Requirement::new(
            "hooks.delivery.waits",
            "The sender waits up to 15 s for a response: it does not give up before 11 s. An operator may configure \
            another time-out.",
            &[TIMEOUT, TIMEOUTS],
            waits,
        )
        .drawn("the time-out for receivers", Cases::Exactly(1), time_out)
        .should()
        .needs(OWN)
        .background(),
        Requirement::new(
            "hooks.delivery.endless",
            "A receiver whose response never ends stops neither later webhooks nor those to other endpoints.",
            &[Fact("6"), TIMEOUT, SENT, TIMEOUTS],
            endless,
        )
        .drawn("the time-out for receivers", Cases::Exactly(1), time_out)
        .core()
        .should()
        .needs(OWN)
        .background(),
        Requirement::new(
            "hooks.delivery.redelivered",
            "A webhook that is sent again on request has the same id and the same body, and a valid signature.",
            &[
                Sentence(
                    "A user can send an event again in the dashboard, with the same id and body, and a new timestamp and \
                    signature.",
                ),
                Sentence("Id of the event, the same on every retry."),
                Part("/components/parameters/WebhookId/schema/pattern"),
                Standard("Standard Webhooks 1.0.0", "Webhook metadata"),
                Standard("Standard Webhooks 1.0.0", "Visibility into failures and manual retries"),
            ],
            redelivered,
        )
        .should()
        .needs(REDELIVERY)
        .background(),
    ]
}

/// Draws the time-out for receivers, in seconds.
fn time_out(space: &Space, _: &mut Draw) -> Value {
    json!(space.document().limit_number("hook_timeout", "maximum"))
}

/// Returns the time-out that was drawn, unless it is too long to be checked.
fn checked(limit: &Value) -> Result<Duration, Halt> {
    let limit = Duration::from_secs(limit.as_u64().unwrap_or(0));
    ensure_met(limit <= LONGEST, format!("a time-out of {} s (hook_timeout) is too long", limit.as_secs()))?;
    Ok(limit)
}

/// Returns a time after which a receiver responds shortly before the time-out.
fn shortly_before(limit: Duration) -> Duration {
    limit.saturating_sub(BEFORE_LIMIT.min(limit / 3))
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
    ensure(arrived.is_empty(), "no webhook over TLS with a self-signed certificate", || "one".to_owned())?;
    if attempts == before {
        return Err(Halt::inconclusive(format!("no connection within {} s", ATTEMPT.as_secs())));
    }
    Ok(())
}

/// Captures a lead, responds to its webhook with `answer`, and returns the attempts: `enough` of them, or those until `quiet` has passed.
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

async fn slow_answer(context: Context, limit: Value) -> Verdict {
    let answer = shortly_before(checked(&limit)?);
    let seen = not_repeated(&context, Slow(answer, 200), 2, answer + AFTER_SUCCESS).await?;
    ensure(seen.len() == 1, format!("one request{CONFIGURABLE}"), || seen.len().to_string())
}

async fn any_success(context: Context, _: Value) -> Verdict {
    let answers = [Status(200), Status(201), Status(202), Status(204), Json(200, NAMES_ERROR)];
    let runs = answers.iter().map(|answer| not_repeated(&context, *answer, usize::MAX, AFTER_SUCCESS));
    let seen = futures::future::try_join_all(runs).await?;
    // A sender may send everything more than once ("at least once"). Only more requests than after 200 are retries.
    let usual = seen.first().map_or(1, Vec::len);
    for (seen, answer) in seen.iter().zip(answers) {
        if !is_repeated(seen, usual) {
            continue;
        }
        // A sender may repeat a request now and then. One that considers this status a failure repeats it each time.
        let runs = (0..FURTHER_TRIES).map(|_| not_repeated(&context, answer, usize::MAX, AFTER_SUCCESS));
        let again = futures::future::try_join_all(runs).await?;
        ensure(
            again.iter().any(|seen| !is_repeated(seen, usual)),
            format!("one request after the response {answer:?}"),
            || format!("{}, and more than {usual} in each of {FURTHER_TRIES} further tries", seen.len()),
        )?;
    }
    Ok(())
}

/// Returns true if there are more than the `usual` attempts, or one that is as late as a retry.
fn is_repeated(seen: &[HookRequest], usual: usize) -> bool {
    let first = seen.first().map(|hook| hook.arrived);
    let is_retry =
        |hook: &HookRequest| first.is_some_and(|first| hook.arrived.saturating_duration_since(first) >= SOONEST_RETRY);
    seen.len() > usual || seen.iter().any(is_retry)
}

async fn no_redirects(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("redirected");
    let seen = retried_about(&context, &marker, &[Status(302), Status(204)]).await?;
    // A followed redirect may be a GET without a body, so the marker in the query identifies it.
    let followed = context.hooks()?.redirected(&marker);
    ensure(followed.is_none(), "no request to the address in Location", || {
        followed.map(|hook| format!("{} {}", hook.method, hook.path)).unwrap_or_default()
    })?;
    if seen.len() < 2 {
        makes_attempts(&context, 2)?;
        return Err(no_retry(&context));
    }
    Ok(())
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
    falls_silent(context, endpoint, "nothing at an endpoint that responded 410").await
}

async fn hanging(context: Context, limit: Value) -> Verdict {
    checked(&limit)?;
    let endpoint = own(&context, "hanging").await?;
    let verdict = gives_up(&context, &endpoint, HookAnswer::Hang).await;
    release(&context, &endpoint, verdict).await
}

/// Demands that the sender gives up on `endpoint`, and that another webhook arrives at the endpoint under test meanwhile.
async fn gives_up(context: &Context, endpoint: &Endpoint, answer: HookAnswer) -> Verdict {
    let log = context.hooks()?;
    // First make sure that webhooks arrive at both endpoints.
    let (first, _) = lead_hook(context, "is anybody there").await?;
    must_arrive(context, endpoint, &first).await?;
    log.script_at(endpoint, "", &[answer]);
    // Do not wait for its webhook to the endpoint under test: a sender that is held up would send it only afterwards.
    let keeping = hooks::captured(context, "to keep somebody waiting").await?;
    must_arrive(context, endpoint, &keeping).await?;
    let marker = hooks::captured(context, "meanwhile").await?;
    let captured = Instant::now();
    let limit = context.facts().ready_within;
    let expected = || format!("a webhook to another endpoint within {} s", limit.as_secs());
    let first = || log.mentioning(&marker).into_iter().next();
    let came = log.expect_beside(Some(endpoint), limit, first, Option::is_some).await;
    let came = came.ok_or_else(|| Halt::fail(expected(), "none"))?;
    let waited = came.arrived.saturating_duration_since(captured);
    let excused = log.kept_waiting_since(captured, Some(endpoint));
    let given_up = log.wait_until(CUT_WITHIN + context.quiet(), || log.given_up(endpoint), Option::is_some).await;
    ensure(
        given_up.is_some_and(|given_up| given_up.after <= CUT_WITHIN),
        format!("a sender that gives up within 60 s{CONFIGURABLE}"),
        || {
            given_up.map_or_else(
                || "it still waits".to_owned(),
                |given_up| format!("{:.0} s", given_up.after.as_secs_f64()),
            )
        },
    )?;
    // If the suite is late, a late webhook is excused, unless it arrived only when the sender gave up on the other receiver.
    let is_held_up = given_up.is_some_and(|given_up| given_up.at <= came.arrived + MOMENT);
    ensure(waited <= limit + excused || !is_held_up, expected(), || {
        format!(
            "one after {:.0} s, when the sender gave up on the receiver that does not respond",
            waited.as_secs_f64()
        )
    })
}

async fn waits(context: Context, limit: Value) -> Verdict {
    let answer = shortly_before(checked(&limit)?);
    let endpoint = own(&context, "slow").await?;
    let verdict = waits_for(&context, &endpoint, answer).await;
    release(&context, &endpoint, verdict).await
}

async fn waits_for(context: &Context, endpoint: &Endpoint, answer: Duration) -> Verdict {
    let log = context.hooks()?;
    log.script_at(endpoint, "", &[Slow(answer, 204)]);
    lead_hook(context, "no hurry").await?;
    must_arrive(context, endpoint, "").await?;
    let waited = log.wait_until(answer, || log.given_up(endpoint), Option::is_some).await;
    let expected = format!("a sender that waits {} s for a response{CONFIGURABLE}", answer.as_secs());
    ensure(waited.is_none(), expected, || {
        waited.map_or_else(String::new, |time| format!("one that gave up after {:.1} s", time.after.as_secs_f64()))
    })
}

async fn endless(context: Context, limit: Value) -> Verdict {
    checked(&limit)?;
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

/// Requests the redelivery until it is accepted: a sender may refuse it until it has recorded the first attempt.
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
    // The id becomes an argument of a command of the set-up.
    let is_plain =
        id.len() <= LONGEST_ID && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    ensure(is_plain, "a webhook-id of letters, digits, `_`, `-` and `.`", || format!("{id:?}"))?;
    if id.starts_with('-') {
        return Err(Halt::inconclusive(format!("the command [hooks] redeliver would read the id {id} as an option")));
    }
    ask_again(context, endpoint, &id).await?;
    let log = context.hooks()?;
    let limit = context.facts().ready_within;
    let seen = log.expect(limit, || log.arrived_at(endpoint, &marker), |seen| seen.len() > 1).await;
    let Some(second) = seen.get(1) else {
        return Err(Halt::fail(format!("the webhook again within {} s", limit.as_secs()), "none"));
    };
    let same_id = second.header("webhook-id") == Some(id.as_str());
    ensure(same_id, format!("webhook-id {id}"), || second.header("webhook-id").unwrap_or("none").to_owned())?;
    ensure(second.body == first.body, "the same body", || "another body".to_owned())?;
    match &endpoint.registration.secret {
        Some(secret) => verify(secret, second),
        None => Ok(()),
    }
}
