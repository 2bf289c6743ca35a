//! The hook checks against senders that are wrong in one way, and against one that is right.

mod faults;
mod sender;

use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::runner::{Flaky, Outcome, Run, Selection, Settings, Suite};
use faults::{CHECKS, Fault, faults, healthy};

async fn run(fault: Fault, only: Vec<String>) -> Run {
    // Some of them are wrong in one event of many.
    let selection = Selection { only, skip: Vec::new() };
    let settings = Settings { selection, seed: 5, flaky: Flaky::Fail, ..Settings::default() };
    Suite::new(ContentGeneration, sender::target(fault)).with(settings).run(&|_| {}).await.unwrap()
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
    let runs =
        faults().into_iter().map(|fault| async move { (fault, run(fault, vec![fault.caught_by.to_owned()]).await) });
    for (number, (fault, found)) in futures::future::join_all(runs).await.into_iter().enumerate() {
        let outcome = &found.results[0].outcome;
        assert!(matches!(outcome, Outcome::Failed(_)), "sender {number}, {}: {outcome:?}", fault.caught_by);
    }
}

#[tokio::test]
async fn a_sender_that_a_receiver_holds_up_is_blamed_for_that_alone() {
    const HELD_UP: &str = "hooks.delivery.hanging";
    let fault = faults().into_iter().find(|fault| fault.caught_by == HELD_UP && fault.in_turn).unwrap();
    let found = run(fault, CHECKS.map(ToOwned::to_owned).to_vec()).await;
    for result in found.results.iter().filter(|result| result.requirement.id != HELD_UP) {
        let is_open = matches!(result.outcome, Outcome::Passed | Outcome::Inconclusive(_));
        assert!(is_open, "{}: {:?}", result.requirement.id, result.outcome);
    }
    assert!(found.verdicts().passed > 10, "{:?}", found.verdicts());
}
