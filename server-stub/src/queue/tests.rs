//! Tests of the loop and of leases, with a paused clock.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::domain::store::{Error, LeaseOutcome, Result};

use super::{Consumer, Next, POLL_INTERVAL, consume, retry, while_renewed};

const DRAIN_LIMIT: Duration = Duration::from_secs(20);
const POLL: Next = Next { pause: POLL_INTERVAL, after_end: false };
const AFTER_END: Next = Next { pause: POLL_INTERVAL, after_end: true };

/// Result of one claim: the durations of its tasks in milliseconds, and the next claim; or `None` for an error.
type Step = Option<(Vec<u64>, Next)>;

/// Makes the claims of a script and then stops the loop.
struct Scripted {
    steps: VecDeque<Step>,
    begun_at: Instant,
    /// Milliseconds after the beginning, for each claim.
    claimed_at: Arc<Mutex<Vec<u128>>>,
    releases: Arc<Mutex<usize>>,
}

impl Consumer for Scripted {
    const NAME: &'static str = "the script";

    async fn claim(&mut self, tasks: &mut JoinSet<()>, stop: &CancellationToken) -> Result<Next> {
        self.claimed_at.lock().unwrap().push(self.begun_at.elapsed().as_millis());
        let Some(step) = self.steps.pop_front() else {
            stop.cancel();
            return Ok(POLL);
        };
        let (durations, next) = step.ok_or_else(away)?;
        for millis in durations {
            tasks.spawn(sleep(Duration::from_millis(millis)));
        }
        Ok(next)
    }

    async fn release(&mut self) {
        *self.releases.lock().unwrap() += 1;
    }
}

#[expect(clippy::unnecessary_wraps, reason = "a step may also be an error")]
fn claims(durations: &[u64], next: Next) -> Step {
    Some((durations.to_vec(), next))
}

fn away() -> Error {
    Error::Unavailable("away".into())
}

/// Runs a script. Returns the times of its claims and the time at which the loop ended, in milliseconds, and the number of releases.
async fn run(steps: impl IntoIterator<Item = Step>, announced: &Notify) -> (Vec<u128>, u128, usize) {
    let (begun_at, claimed_at, releases) = (Instant::now(), Arc::default(), Arc::default());
    let steps = steps.into_iter().collect();
    let scripted = Scripted { steps, begun_at, claimed_at: Arc::clone(&claimed_at), releases: Arc::clone(&releases) };
    consume(scripted, announced, DRAIN_LIMIT, CancellationToken::new()).await;
    let (claimed_at, releases) = (claimed_at.lock().unwrap().clone(), *releases.lock().unwrap());
    (claimed_at, begun_at.elapsed().as_millis(), releases)
}

#[tokio::test(start_paused = true)]
async fn the_loop_polls_and_backs_off_until_the_database_is_back() {
    let (claimed_at, ..) = run([claims(&[], POLL), None, None, claims(&[], POLL), None], &Notify::new()).await;
    assert_eq!(claimed_at, [0, 1000, 1100, 1300, 2300, 2400]);
}

#[tokio::test(start_paused = true)]
async fn an_announcement_causes_a_claim_at_once() {
    let announced = Notify::new();
    announced.notify_one();
    let (claimed_at, ..) = run([claims(&[], POLL), claims(&[], POLL)], &announced).await;
    assert_eq!(claimed_at, [0, 0, 1000]);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_task_causes_a_claim_only_if_further_items_may_wait() {
    let announced = Notify::new();
    let (claimed_at, ..) = run([claims(&[50], POLL)], &announced).await;
    assert_eq!(claimed_at, [0, 1000]);
    let (claimed_at, ..) = run([claims(&[50], AFTER_END)], &announced).await;
    assert_eq!(claimed_at, [0, 50]);
    let (claimed_at, ..) = run([claims(&[50, 51, 400], AFTER_END), claims(&[], AFTER_END)], &announced).await;
    assert_eq!(claimed_at, [0, 52, 400], "one claim follows tasks that end at nearly the same time");
}

#[tokio::test(start_paused = true)]
async fn a_stopped_loop_waits_for_its_tasks_up_to_the_limit_and_releases_what_they_did_not_begin() {
    let soon = Next { pause: Duration::ZERO, after_end: false };
    let (_, ended_at, releases) = run([claims(&[3000, 5000], soon)], &Notify::new()).await;
    assert_eq!((ended_at, releases), (5000, 4), "after each claim and after each task");
    let (_, ended_at, _) = run([claims(&[3000, 60_000], soon)], &Notify::new()).await;
    assert_eq!(ended_at, DRAIN_LIMIT.as_millis());
}

#[tokio::test(start_paused = true)]
async fn a_call_is_retried_until_it_succeeds() {
    let (begun_at, results) = (Instant::now(), RefCell::new(VecDeque::from([Err(away()), Err(away()), Ok(7)])));
    assert_eq!(retry("item_1", "cannot", || async { results.borrow_mut().pop_front().unwrap() }).await, 7);
    assert_eq!(begun_at.elapsed().as_millis(), 300);
}

#[tokio::test(start_paused = true)]
async fn work_ends_when_its_lease_is_lost_but_not_when_a_renewal_fails() {
    let interval = Duration::from_secs(15);
    for (work_secs, expected) in [(40, Some("done")), (60, None)] {
        let results = RefCell::new(VecDeque::from([Ok(LeaseOutcome::Recorded), Err(away()), Ok(LeaseOutcome::Lost)]));
        let renew = || async { results.borrow_mut().pop_front().unwrap() };
        let work = async {
            sleep(Duration::from_secs(work_secs)).await;
            "done"
        };
        assert_eq!(while_renewed("item_1", interval, work, renew).await, expected);
    }
}
