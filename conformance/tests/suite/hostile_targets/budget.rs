//! A run ends within its budget, whatever its target does.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::runner::{Limits, Settings, Suite};
use contentgen_conformance::spec::Profile;

use super::target;
use crate::support::answer;
use crate::support::in_memory::{BASE_URL, InMemory};

const BUDGET: Duration = Duration::from_secs(3);
/// After the budget the suite may repeat failed cases for 10 s, and poll once more.
const SLACK: Duration = Duration::from_secs(11);
/// Time limit for the response of a target.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Returns the duration of a run whose target responds to the first requests at once, and then to each request after that time.
async fn duration(answered_after: Duration) -> Duration {
    let answered = AtomicU32::new(0);
    let server = InMemory::new(
        |_| answer(404, &[("content-type", "application/json")], b"{}"),
        move |_| if answered.fetch_add(1, Ordering::Relaxed) < 12 { Duration::ZERO } else { answered_after },
    );
    let mut target = target(BASE_URL);
    target.in_process = Some(server);
    target.limits = Limits { requests_per_second: 0.0, timeout: TIMEOUT };
    let settings =
        Settings { profile: Profile::Core, cases: 4, seed: 11, jobs: 8, max_time: Some(BUDGET), ..Settings::default() };
    Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap().duration
}

#[tokio::test(start_paused = true)]
async fn a_run_ends_with_its_budget_although_its_target_does_not_answer() {
    for answered_after in [Duration::from_millis(100), Duration::from_secs(5), TIMEOUT * 2] {
        let took = duration(answered_after).await;
        assert!(took >= BUDGET && took <= BUDGET + SLACK, "answers after {answered_after:?}: {took:?}");
    }
}
