//! The webhook checks against senders with one fault each, and against a correct sender.
//!
//! Sender and checks share a paused clock. The tests wait for nothing, and a busy machine delays nothing.

mod faults;
mod sender;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use crate::support::facts::facts;
use contentgen_conformance::check::{Capture, Context, Facts, Halt, Verdict};
use contentgen_conformance::inbox::HookLog;
use contentgen_conformance::lateness::Lateness;
use contentgen_conformance::requirements::catalogue;
use contentgen_conformance::runner::Settings;
use contentgen_conformance::spec::{Document, Profile};
use contentgen_conformance::strategies::{Draw, Space};
use faults::{CHECKS, Fault, faults, healthy};
use futures::StreamExt as _;
use sender::{Front, Sender};
use serde_json::json;

const SEED: u64 = 5;

/// Concurrent cases of one requirement.
const AT_ONCE: usize = 16;

/// Time limit for a webhook to arrive.
const READY_WITHIN: Duration = Duration::from_secs(5);

/// Verdicts for each requirement that `only` selects, and the log of webhooks.
struct Checked {
    verdicts: BTreeMap<&'static str, Vec<Verdict>>,
    log: Arc<HookLog>,
}

async fn check(fault: Fault, ready_within: Duration, only: &[&str]) -> Checked {
    check_by(Document::embedded(Profile::Full).unwrap(), fault, ready_within, only).await
}

async fn check_by(document: Arc<Document>, fault: Fault, ready_within: Duration, only: &[&str]) -> Checked {
    let (sender, log) = Sender::start(fault).await;
    let capture = Capture {
        method: "POST".to_owned(),
        url: "http://127.0.0.1:1/capture".to_owned(),
        json: Some(json!({ "email": "{email}", "name": "{name}", "message": "{message}" })),
        form: None,
    };
    let facts = Facts { ready_within, capture: Some(capture), ..facts() };
    let context = Context::new(
        Arc::clone(&document),
        Arc::new(facts),
        Arc::new(Front(sender)),
        Some(Arc::clone(&log)),
        Arc::new(|_, _| {}),
        Lateness::default(),
    );
    let space = Space::new(document, "web_1");
    let is_selected = |id: &str| only.iter().any(|one| id == *one || id.starts_with(&format!("{one}.")));
    let selected = catalogue().into_iter().filter(|requirement| is_selected(requirement.id));
    let runs = selected.map(|requirement| {
        let (context, space) = (&context, &space);
        async move {
            let count = requirement.case_count(space, Settings::default().cases);
            let drawn = (0..count).map(|index| requirement.draw(space, &mut Draw::new(SEED, requirement.id, index)));
            let cases = drawn.map(|case| requirement.check(context.clone(), case));
            (requirement.id, futures::stream::iter(cases).buffered(AT_ONCE).collect::<Vec<_>>().await)
        }
    });
    let verdicts = futures::future::join_all(runs).await.into_iter().collect();
    Checked { verdicts, log }
}

#[tokio::test(start_paused = true)]
async fn a_sender_that_keeps_standard_webhooks_passes() {
    let found = check(healthy(), READY_WITHIN, &CHECKS).await;
    assert!(found.verdicts.len() >= 20, "{:?}", found.verdicts.keys());
    for (id, verdicts) in &found.verdicts {
        assert!(verdicts.iter().all(Result::is_ok), "{id}: {verdicts:?}");
    }
    let latency = found.log.latency().unwrap();
    assert!(latency.count >= 10 && latency.p50_ms <= latency.p95_ms, "{latency:?}");
}

#[tokio::test(start_paused = true)]
async fn each_broken_sender_is_caught_by_the_check_that_names_its_fault() {
    for (place, fault) in faults().into_iter().enumerate() {
        let found = check(fault, READY_WITHIN, &[fault.caught_by]).await;
        let mut verdicts = found.verdicts.values().flatten();
        let is_caught = verdicts.any(|verdict| matches!(verdict, Err(Halt::Fail(_))));
        assert!(is_caught, "sender {place}, {}: {:?}", fault.caught_by, found.verdicts);
    }
}

/// Returns the document with one limit that an operator configured.
fn configured(limit: &str, maximum: u32) -> Arc<Document> {
    let maximums = BTreeMap::from([(limit.to_owned(), NonZeroU32::new(maximum).unwrap())]);
    Arc::new(Document::embedded(Profile::Full).unwrap().with_limits(&maximums))
}

#[tokio::test(start_paused = true)]
async fn a_sender_is_held_to_the_time_out_that_its_operator_configured() {
    let waiting = |seconds| Fault { patience: Duration::from_secs(seconds), ..healthy() };
    let only = ["hooks.delivery.slow-answer", "hooks.delivery.waits", "hooks.delivery.hanging"];
    for (configured_seconds, patience, passed) in [(5, 5, 3), (5, 3, 1), (30, 30, 3), (30, 15, 1), (300, 300, 0)] {
        let document = configured("hook_timeout", configured_seconds);
        let found = check_by(document, waiting(patience), READY_WITHIN, &only).await;
        let count = found.verdicts.values().filter(|verdicts| verdicts.iter().all(Result::is_ok)).count();
        assert_eq!(count, passed, "{configured_seconds} s, and {patience} s: {:?}", found.verdicts);
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_second_attempt_nothing_is_said_of_retries() {
    let fault = Fault { again: |_| None, ..healthy() };
    let found = check_by(configured("hook_attempts", 1), fault, READY_WITHIN, &["hooks.retry"]).await;
    let is_open = |verdict: &Verdict| matches!(verdict, Err(Halt::Unmet(reason)) if reason.contains("hook_attempts"));
    assert!(found.verdicts.values().flatten().all(is_open), "{:?}", found.verdicts);
    assert_eq!(found.verdicts.len(), 8, "{:?}", found.verdicts);
}

#[tokio::test(start_paused = true)]
async fn a_sender_that_a_receiver_holds_up_is_blamed_for_nothing_else() {
    const HELD_UP: &str = "hooks.delivery.hanging";
    let fault = faults().into_iter().find(|fault| fault.caught_by == HELD_UP && fault.in_turn).unwrap();
    // The limit is shorter than one delay of this sender, and long enough to send the webhooks that have piled up since.
    let found = check(fault, Duration::from_secs(12), &CHECKS).await;
    let others = found.verdicts.iter().filter(|(id, _)| **id != HELD_UP);
    let mut passed = 0;
    for (id, verdicts) in others {
        let is_open = |verdict: &Verdict| matches!(verdict, Ok(()) | Err(Halt::Inconclusive(_) | Halt::Unmet(_)));
        assert!(verdicts.iter().all(is_open), "{id}: {verdicts:?}");
        passed += usize::from(verdicts.iter().all(Result::is_ok));
    }
    assert!(passed > 10, "{:?}", found.verdicts);
}
