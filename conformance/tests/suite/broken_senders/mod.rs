//! The hook checks against senders that are wrong in one way, and against one that is right.

mod faults;
mod sender;

use std::time::Duration;

use crate::support::until_it_can_tell;
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::runner::{Flaky, Outcome, Run, Selection, Settings, Suite, Target};
use faults::{CHECKS, Fault, faults, healthy};
use futures::StreamExt as _;

/// Broken senders that are tried at the same time.
const AT_ONCE: usize = 12;

async fn run(fault: Fault, only: Vec<String>) -> Run {
    run_at(sender::target(fault), only).await
}

async fn run_at(target: Target, only: Vec<String>) -> Run {
    // Some of them are wrong in one event of many.
    let selection = Selection { only, skip: Vec::new() };
    let settings = Settings { selection, seed: 5, flaky: Flaky::Fail, ..Settings::default() };
    Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap()
}

#[tokio::test]
async fn a_sender_that_keeps_standard_webhooks_passes() {
    let found = run(healthy(), CHECKS.map(ToOwned::to_owned).to_vec()).await;
    assert!(found.results.len() >= 20);
    for result in &found.results {
        assert!(matches!(result.outcome, Outcome::Passed), "{}: {:?}", result.requirement.id, result.outcome);
    }
    let latency = found.hook_latency.unwrap();
    assert!(latency.count >= 10 && latency.p50_ms <= latency.p95_ms, "{latency:?}");
}

#[tokio::test]
async fn each_broken_sender_is_caught_by_the_check_that_names_its_fault() {
    let runs = faults().into_iter().map(|fault| async move {
        (fault.caught_by, until_it_can_tell(async || run(fault, vec![fault.caught_by.to_owned()]).await).await)
    });
    let found: Vec<_> = futures::stream::iter(runs).buffered(AT_ONCE).collect().await;
    let missed: Vec<_> =
        found.iter().enumerate().filter(|(_, (_, outcome))| !matches!(outcome, Outcome::Failed(_))).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[tokio::test]
async fn a_sender_that_a_receiver_holds_up_is_blamed_for_that_alone() {
    const HELD_UP: &str = "hooks.delivery.hanging";
    let fault = faults().into_iter().find(|fault| fault.caught_by == HELD_UP && fault.in_turn).unwrap();
    let mut target = sender::target(fault);
    // Less than it is held up for at a time, and enough to send what has piled up since.
    target.ready_within = Duration::from_secs(12);
    let found = run_at(target, CHECKS.map(ToOwned::to_owned).to_vec()).await;
    for result in found.results.iter().filter(|result| result.requirement.id != HELD_UP) {
        let is_open = matches!(result.outcome, Outcome::Passed | Outcome::Inconclusive(_));
        assert!(is_open, "{}: {:?}", result.requirement.id, result.outcome);
    }
    assert!(found.verdicts().passed > 10, "{:?}", found.verdicts());
}
