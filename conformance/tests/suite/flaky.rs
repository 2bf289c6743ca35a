//! A failure counts if it occurs again. Otherwise it is flaky. A single broken connection is ignored.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::support::documented::{documented, failed, late, run};
use crate::support::in_memory::InMemory;
use crate::support::{Seen, answer};
use contentgen_conformance::runner::{Flaky, Outcome, Run, Selection, Settings};

fn is_order(seen: &Seen) -> bool {
    seen.path == "/api/v1/generate" && seen.body.len() > 2
}

/// Starts a server that responds with `wrong` to orders from the `first` one on, at most `count` times.
fn wrong_now_and_then(first: u32, count: u32, wrong: impl Fn() -> Vec<u8> + Send + Sync + 'static) -> Arc<InMemory> {
    let orders = AtomicU32::new(0);
    documented(&[], move |seen: &Seen| {
        let number = if is_order(seen) { orders.fetch_add(1, Ordering::SeqCst) } else { return None };
        (first..first.saturating_add(count)).contains(&number).then(&wrong)
    })
}

async fn accepted(fake: &Arc<InMemory>, flaky: Flaky) -> Run {
    repeated(fake, flaky, 1).await
}

/// A requirement that checks every exchange of the run.
const OBSERVER: &str = "generate.documented.no-failure";

async fn repeated(fake: &Arc<InMemory>, flaky: Flaky, retries: u32) -> Run {
    let selection = Selection { only: vec!["generate.documented.any-text".to_owned()], skip: Vec::new() };
    // One case at a time, so that each order belongs to one case.
    run(fake, Settings { selection, cases: 64, jobs: 1, flaky, retries, ..Settings::default() }, &|_| {}).await
}

fn failing() -> Vec<u8> {
    answer(500, &[("content-type", "application/json")], b"{}")
}

#[tokio::test(start_paused = true)]
async fn what_is_not_seen_again_is_flaky_and_does_not_fail_the_run() {
    let found = accepted(&wrong_now_and_then(3, 1, failing), Flaky::Warn).await;
    let result = &found.results[0];
    let Outcome::Flaky { failure, again } = &result.outcome else { panic!("seed 8: {:?}", result.outcome) };
    assert!(failure.finding.observed.contains("500") && failure.case_index == 3, "{failure:?}");
    assert!(again.contains("passed when it was repeated"), "{again}");
    assert_eq!((found.verdicts().flaky, found.verdicts().failed, result.is_failure()), (1, 0, false));
    assert!(result.cases > 4, "the cases behind it run too: {}", result.cases);

    let strict = accepted(&wrong_now_and_then(3, 1, failing), Flaky::Fail).await;
    let Outcome::Failed(failure) = &strict.results[0].outcome else { panic!("{:?}", strict.results[0].outcome) };
    assert!(failure.finding.observed.contains("passed when it was repeated"), "{failure:?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_seen_again_has_failed() {
    let found = accepted(&wrong_now_and_then(3, u32::MAX - 3, failing), Flaky::Warn).await;
    assert_eq!(failed(&found).len(), 1, "seed 8: {:?}", found.results[0].outcome);
}

#[tokio::test(start_paused = true)]
async fn what_one_exchange_of_the_run_shows_is_flaky_unless_its_case_shows_it_again() {
    let observed = |count: u32| async move {
        let only = ["generate.documented.any-text", OBSERVER].map(str::to_owned).to_vec();
        let selection = Selection { only, skip: Vec::new() };
        let settings = Settings { selection, cases: 8, jobs: 1, ..Settings::default() };
        let found = run(&wrong_now_and_then(3, count, failing), settings, &|_| {}).await;
        found.results.into_iter().find(|result| result.requirement.id == OBSERVER).unwrap().outcome
    };
    let outcome = observed(1).await;
    assert!(matches!(outcome, Outcome::Flaky { .. }), "seed 8: {outcome:?}");
    let outcome = observed(u32::MAX - 3).await;
    assert!(matches!(outcome, Outcome::Failed(_)), "seed 8: {outcome:?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_repeated_more_often_fails_only_every_time() {
    let twice = || wrong_now_and_then(3, 2, failing);
    assert_eq!(failed(&repeated(&twice(), Flaky::Warn, 1).await).len(), 1, "seen again, and not asked a second time");
    let found = repeated(&twice(), Flaky::Warn, 2).await;
    assert!(matches!(found.results[0].outcome, Outcome::Flaky { .. }), "seed 8: {:?}", found.results[0].outcome);
    let once = wrong_now_and_then(3, 1, failing);
    assert_eq!(failed(&repeated(&once, Flaky::Warn, 0).await).len(), 1, "not repeated, so it counts at once");
}

#[tokio::test(start_paused = true)]
async fn one_connection_that_breaks_is_no_finding_and_more_of_them_are() {
    let found = accepted(&wrong_now_and_then(3, 1, Vec::new), Flaky::Fail).await;
    assert!(matches!(found.results[0].outcome, Outcome::Passed), "seed 8: {:?}", found.results[0].outcome);
    let found = accepted(&wrong_now_and_then(3, u32::MAX - 3, Vec::new), Flaky::Warn).await;
    let Outcome::Failed(failure) = &found.results[0].outcome else { panic!("{:?}", found.results[0].outcome) };
    let decisive = &failure.exchanges[failure.decisive().unwrap()];
    assert_eq!((decisive.status, decisive.request.operation), (0, Some("generate")), "the request without an answer");
}

#[tokio::test(start_paused = true)]
async fn with_a_time_limit_the_cases_behind_a_flaky_one_run_too() {
    let selection = Selection { only: vec!["generate.documented.any-text".to_owned()], skip: Vec::new() };
    let max_time = Some(Duration::from_mins(2));
    let settings = Settings { selection, cases: 16, jobs: 1, max_time, ..Settings::default() };
    let found = run(&wrong_now_and_then(0, 1, failing), settings, &|_| {}).await;
    let result = &found.results[0];
    assert!(matches!(result.outcome, Outcome::Flaky { .. }), "seed 8: {:?}", result.outcome);
    assert!(result.cases > 4, "{} cases", result.cases);
}

#[tokio::test(start_paused = true)]
async fn what_failed_is_repeated_although_the_time_is_over() {
    let max_time = Duration::from_secs(8);
    let orders = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&orders);
    // The first response arrives at once, the second after the time limit.
    let delay = move |seen: &Seen| {
        let is_late = is_order(seen) && counted.fetch_add(1, Ordering::SeqCst) == 1;
        if is_late { max_time + Duration::from_secs(1) } else { Duration::ZERO }
    };
    let fake = late(&[], |seen| is_order(seen).then(failing), delay);
    let selection = Selection { only: vec!["generate.documented.any-text".to_owned()], skip: Vec::new() };
    let settings = Settings { selection, cases: 16, jobs: 1, max_time: Some(max_time), ..Settings::default() };
    let found = run(&fake, settings, &|_| {}).await;
    assert_eq!(failed(&found).len(), 1, "seed 8: {:?}", found.results[0].outcome);
    assert!(orders.load(Ordering::SeqCst) >= 2, "the failed case was not repeated");
}
