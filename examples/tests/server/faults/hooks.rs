//! Runs each fault of a webhook sender against a receiver that verifies with the SDK. The receiver refuses webhooks with a wrong
//! signature. A verified event has the data that the sender sent.

use std::time::Duration;

use contentgen_faults::catalogue::Fault;
use contentgen_faults::hooks::{Call, Deviation};
use contentgen_sdk::types::{Article, ArticleSummary, HookEvent, Lead};
use contentgen_sdk::webhook::{EventError, SecretError, Verifier, VerifyError};
use contentgen_server_stub::domain::event::EventType;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::expected_hooks::{About, Expected, Rotation, after_rotation, expected, is_leisurely};
use super::findings::{Findings, try_all, watched};
use super::lane::{Lane, PATIENCE};
use super::receiver::{Hook, Receiver};
use crate::until::{GIVE_UP_AFTER, until};

/// Maximum age of a webhook for a strict receiver.
const STRICT: Duration = Duration::from_secs(6);

#[test]
fn every_fault_of_a_sender_is_refused_or_leaves_the_hook_verified() {
    try_all(|fault| fault.hooks.is_used(), try_portion);
}

async fn try_portion(faults: Vec<Fault>) -> Findings {
    let lane = Lane::start().await;
    let mut findings = Findings::new();
    for fault in faults {
        // A leisurely sender takes twelve seconds for each hook.
        let abouts = if is_leisurely(fault) { &[About::Lead][..] } else { &[About::Lead, About::Article] };
        for &about in abouts {
            lane.faulty.enable(fault);
            let found = watched(try_fault(&lane, fault, about)).await;
            lane.faulty.disable(fault.name);
            let found = found.unwrap_or_else(Err).err();
            findings.extend(found.into_iter().map(|found| format!("{}, {about:?}: {found}", fault.name)));
        }
    }
    lane.server.stop().await;
    findings
}

/// An endpoint at the proxy, its receiver, and the secret that its owner got.
struct Endpoint {
    id: String,
    number: usize,
    receiver: Receiver,
    secret: String,
}

impl Endpoint {
    async fn register(lane: &Lane, about: About) -> Result<Self, String> {
        let receiver = Receiver::start().await;
        let relay = lane.faulty.relay();
        let proxied = relay.open(&receiver.url);
        let of = match about {
            About::Lead => EventType::LeadCaptured,
            About::Article => EventType::ArticlePublished,
        };
        let account = &lane.server.accounts()[0].name;
        let created = lane.server.create_hook(account, &relay.url(&proxied), &[of]).await;
        let (id, secret) = created.map_err(|error| error.to_string())?;
        relay.learn_secret(proxied.number, &secret);
        Ok(Self { id, number: proxied.number, receiver, secret })
    }

    async fn next(&mut self) -> Result<Hook, String> {
        let hook = timeout(GIVE_UP_AFTER, self.receiver.arrived.recv()).await;
        hook.map_err(|_| "no hook came".to_owned())?.ok_or_else(|| "the receiver ended".to_owned())
    }
}

/// Tests a fault with a new endpoint. The error describes the unexpected outcome.
async fn try_fault(lane: &Lane, fault: Fault, about: About) -> Result<(), String> {
    let mut endpoint = Endpoint::register(lane, about).await?;
    let outcome = try_hooks(lane, fault, about, &mut endpoint).await;
    let account = &lane.server.accounts()[0].name;
    lane.server.remove_hook(account, &endpoint.id).await.map_err(|error| error.to_string())?;
    outcome
}

async fn try_hooks(lane: &Lane, fault: Fault, about: About, endpoint: &mut Endpoint) -> Result<(), String> {
    let told = lane.faulty.deviation(Call::Register { url: &endpoint.receiver.url });
    if let Some(Deviation::OtherSecret(secret)) = told {
        let refused = Verifier::new([&secret]).err();
        check(matches!(refused, Some(SecretError::TooShort { .. })), || format!("the secret led to {refused:?}"))?;
    }
    let expected = expected(fault, about);
    let about_what = cause(lane, fault, about, "first").await?;
    if expected == Expected::Unsent {
        until("the fault keeps the hook back", async || lane.spoiled() > 0).await;
        return check(endpoint.receiver.arrived.try_recv().is_err(), || "a hook came".to_owned());
    }
    let hook = endpoint.next().await?;
    let verifier = verifier(&[&endpoint.secret]);
    let verified = verifier.verify(&hook.headers, &hook.body);
    if is_leisurely(fault) {
        let strict = verifier.clone().tolerance(STRICT).verify(&hook.headers, &hook.body).err();
        check(strict == Some(VerifyError::TooOld), || format!("a strict receiver says {strict:?}"))?;
    }
    match (expected, verified) {
        (Expected::Refused(error), verified) => {
            let outcome = verified.err();
            check(outcome == Some(error), || format!("{error:?} was expected, not {outcome:?}"))?;
        }
        (_, Err(error)) => return Err(format!("it was refused: {error:?}")),
        (expected, Ok(hook)) => check_event(lane, expected, hook.event(), &about_what).await?,
    }
    match after_rotation(fault) {
        Some(rotation) => check_rotation(lane, (fault, about, rotation), endpoint).await,
        None => Ok(()),
    }
}

/// Causes an event. Returns the e-mail address of its lead or the id of its article.
async fn cause(lane: &Lane, fault: Fault, about: About, which: &str) -> Result<String, String> {
    match about {
        About::Lead => {
            let email = format!("{}-{which}@example.com", fault.name);
            let name = "Žofie Ångström";
            let fields: Value =
                (0..12).map(|at| (format!("field {at}"), json!("ja"))).collect::<serde_json::Map<_, _>>().into();
            let consent = json!({ "given": true });
            let lead = json!({ "email": email, "name": name, "message": "№ ".repeat(150), "fields": fields, "consent": consent });
            lane.capture(&lead).await?;
            Ok(email)
        }
        About::Article => {
            let client = lane.client(&lane.server.accounts()[0].api_key, PATIENCE);
            let order = lane.subject_of(&format!("{}, {which}", fault.name)).order(0).auto_publish(true);
            let wait = client.generate_and_wait(order).poll_interval(Duration::from_millis(30));
            let article: Article = wait.await.map_err(|error| error.to_string())?.into_inner();
            article.id.ok_or_else(|| "the article has no id".to_owned())
        }
    }
}

/// Checks that the event of a verified webhook is as expected.
async fn check_event(
    lane: &Lane,
    expected: Expected,
    event: Result<HookEvent, EventError>,
    about: &str,
) -> Result<(), String> {
    let reported = match (expected, event) {
        (Expected::Lacks(name), Err(EventError::MissingField { name: lacking, .. })) if name == lacking => {
            return Ok(());
        }
        (Expected::Unknown, Ok(HookEvent::Unknown { .. })) => return Ok(()),
        (Expected::True | Expected::Otherwise, Ok(event)) => event,
        (_, Ok(event)) => return Err(format!("{expected:?} was expected, not an event {}", event.event_type())),
        (_, Err(error)) => return Err(format!("{expected:?} was expected, not {error:?}")),
    };
    let (reported, truth) = match reported {
        HookEvent::LeadCaptured(event) => (json!(event.data.lead), json!(lead(lane, about).await?)),
        HookEvent::ArticlePublished(event) => (json!(event.data.article), json!(article(lane, about).await)),
        other => return Err(format!("an event {} came", other.event_type())),
    };
    check(expected == Expected::Otherwise || reported == truth, || format!("expected {truth}, found {reported}"))
}

/// Reads the lead with an e-mail address, without the proxy.
async fn lead(lane: &Lane, email: &str) -> Result<Option<Lead>, String> {
    let page = lane.straight.list_leads().limit(100).send().await.map_err(|error| error.to_string())?;
    Ok(page.into_inner().items.into_iter().find(|lead| lead.email.as_deref() == Some(email)))
}

/// Reads the summary of an article, without the proxy.
async fn article(lane: &Lane, id: &str) -> Option<ArticleSummary> {
    let page = lane.straight.list_articles().limit(100).send().await.ok()?;
    page.into_inner().items.into_iter().find(|article| article.id == id)
}

/// Rotates the secret, and checks which of the two secrets verify the next webhook.
async fn check_rotation(
    lane: &Lane,
    (fault, about, rotation): (Fault, About, Rotation),
    endpoint: &mut Endpoint,
) -> Result<(), String> {
    let account =
        lane.server.app().account(&lane.server.accounts()[0].name).await.map_err(|error| error.to_string())?;
    let rotated = lane.server.app().rotate_secret(&account, &endpoint.id, Duration::from_hours(1)).await;
    let new = rotated.map_err(|error| error.to_string())?.secret.reveal();
    lane.faulty.relay().learn_secret(endpoint.number, &new);
    cause(lane, fault, about, "second").await?;
    let hook = endpoint.next().await?;
    let fits = |secrets: &[&str]| match verifier(secrets).verify(&hook.headers, &hook.body) {
        Ok(_) => Ok(true),
        Err(VerifyError::NoMatchingSignature) => Ok(false),
        Err(error) => Err(format!("after the rotation it was refused: {error:?}")),
    };
    let fitting = Rotation { former: fits(&[&endpoint.secret])?, new: fits(&[&new])? };
    check(fitting == rotation, || format!("after the rotation {rotation:?} was expected, not {fitting:?}"))?;
    let fits_either = fits(&[&new, &endpoint.secret])?;
    check(fits_either == (rotation.former || rotation.new), || "both secrets together say something else".to_owned())
}

fn verifier(secrets: &[&str]) -> Verifier {
    Verifier::new(secrets).expect("the server's secrets can be used")
}

fn check(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
