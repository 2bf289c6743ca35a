//! The suite against servers with one fault each. The requirement that the fault names must detect it. The same server without the fault
//! must pass.

mod articles;
mod fault;
mod jobs;
mod lists;
mod problems;
pub(crate) mod proxy;
mod raw;
mod requests;
mod rest;
mod search;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::reference::Reference;
use contentgen_conformance::runner::{Outcome, Run, Selection, Settings, Suite, Target};
use fault::{Fault, Keys};
use futures::stream::StreamExt;
use proxy::Spoil;

/// Broken servers that are tested at the same time.
const AT_ONCE: usize = 8;

/// Time limit for a result that a fault may withhold for ever.
const KEPT_BACK: Duration = Duration::from_secs(8);

fn faults() -> Vec<Fault> {
    [
        problems::faults(),
        jobs::faults(),
        articles::faults(),
        lists::faults(),
        requests::faults(),
        rest::faults(),
        search::faults(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Number of cases of a requirement. A few are enough to detect most faults.
const FEW_CASES: u32 = 4;
const CASES: u32 = 16;
/// Maximum number of runs with all cases. Further ones follow only if a busy machine left the requirement undecided.
const MAX_RUNS: usize = 4;

async fn run(target: Target, only: Vec<String>, cases: u32) -> Run {
    let settings = Settings {
        selection: Selection { only: only.clone(), skip: Vec::new() },
        cases,
        seed: 20_261_121,
        shrinks: false,
        ..Settings::default()
    };
    Suite::new(ContentGeneration, target)
        .with(settings)
        .run(&|_| {})
        .await
        .unwrap_or_else(|error| panic!("{only:?}: {error}"))
}

/// Returns the reference server's target behind a proxy.
fn behind(base_url: &str, target: &Target) -> Target {
    let mut target = target.clone();
    base_url.clone_into(&mut target.base_url);
    target.hooks = None;
    target
}

/// Runs the requirement that must detect the fault. Returns a message if it does not.
async fn survivor(fault: Fault, target: &Target) -> Option<String> {
    let main = target.account.api_key.clone();
    let keys = Keys { main: main.clone(), other: target.other_account.clone().unwrap().api_key };
    let spoil_request: Spoil = Arc::new(move |passing| (fault.request)(passing, &keys));
    let spoil_answer: Spoil = Arc::new(move |passing| {
        (fault.answer)(passing);
        let text = String::from_utf8_lossy(&passing.body);
        if text.contains("{key}") {
            passing.body = text.replace("{key}", &main).into_bytes();
        }
    });
    let (base_url, _proxy) = proxy::start(target.base_url.clone(), spoil_request, spoil_answer).await;
    let mut target = behind(&base_url, target);
    target.ready_within = Some(KEPT_BACK);
    let mut survived = None;
    for cases in [FEW_CASES].into_iter().chain([CASES; MAX_RUNS]) {
        let found = run(target.clone(), vec![fault.caught_by.to_owned()], cases).await;
        let outcome = &found.results[0].outcome;
        if matches!(outcome, Outcome::Failed(_)) {
            return None;
        }
        survived = Some(format!("{}: {outcome:?}", fault.caught_by));
        // A busy machine may leave a requirement undecided.
        if cases == CASES && !is_undecided(outcome) {
            break;
        }
    }
    survived
}

#[tokio::test]
async fn the_healthy_server_passes_everything_that_catches_a_fault() {
    let server = Reference::start().await.unwrap();
    let target = server.target();
    let ids: BTreeSet<String> = faults().iter().map(|fault| fault.caught_by.to_owned()).collect();
    // Readers also use the proxy, so that articles are published at its address.
    let address: Arc<OnceLock<String>> = Arc::default();
    let (own, upstream) = (Arc::clone(&address), target.base_url.clone());
    let tell_own: Spoil = Arc::new(move |passing| {
        let text = std::str::from_utf8(&passing.body).ok().filter(|text| text.contains(&upstream));
        if let Some((text, own)) = text.zip(own.get()) {
            passing.body = text.replace(&upstream, own).into_bytes();
        }
    });
    let (base_url, _proxy) = proxy::start(target.base_url.clone(), Arc::new(|_| {}), tell_own).await;
    address.set(base_url.clone()).unwrap();
    let mut left: Vec<String> = ids.into_iter().collect();
    for _ in 0..MAX_RUNS {
        let judged = run(behind(&base_url, &target), left.clone(), CASES).await;
        assert_eq!(judged.results.len(), left.len());
        let (undecided, decided): (Vec<_>, Vec<_>) =
            judged.results.iter().partition(|result| matches!(result.outcome, Outcome::Inconclusive(_)));
        left = undecided.iter().map(|result| result.requirement.id.to_owned()).collect();
        for result in decided {
            let outcome = &result.outcome;
            assert!(matches!(outcome, Outcome::Passed), "healthy {}: {outcome:?}", result.requirement.id);
        }
        if left.is_empty() {
            return;
        }
    }
    panic!("not decided in {MAX_RUNS} runs: {left:?}");
}

/// Returns true if another run may decide the requirement.
fn is_undecided(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Inconclusive(_) | Outcome::Flaky { .. })
}

#[tokio::test]
async fn each_fault_is_caught_by_the_requirement_that_names_it() {
    let server = Reference::start().await.unwrap();
    let target = server.target();
    let tried = faults().into_iter().map(|fault| survivor(fault, &target));
    let survivors: Vec<Option<String>> = futures::stream::iter(tried).buffer_unordered(AT_ONCE).collect().await;
    let survivors: Vec<String> = survivors.into_iter().flatten().collect();
    assert!(survivors.is_empty(), "not caught: {survivors:#?}");
}
