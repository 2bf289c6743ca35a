//! The time that checks wait depends on the target's earlier responses, and on the suite's own delay.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use contentgen_conformance::check::{
    Channel, Context, Exchange, Facts, Halt, Look, Request, TransportFault, Waits, ensure,
};
use contentgen_conformance::lateness::Lateness;
use contentgen_conformance::spec::{Document, Profile};
use futures::future::{BoxFuture, FutureExt};
use tokio::time::Instant;

use crate::support::facts::facts;

/// Maximum time for an article, as the set-up declares it.
const DECLARED: Duration = Duration::from_mins(1);

#[derive(Debug)]
struct NoTarget;

impl Channel for NoTarget {
    fn exchange<'a>(&'a self, _: Request, _: &'a Waits) -> BoxFuture<'a, Result<Exchange, TransportFault>> {
        futures::future::ready(Err(TransportFault::new("nobody is there"))).boxed()
    }

    fn raw(&self, _: Vec<u8>, _: usize, _: Option<Duration>) -> BoxFuture<'_, Result<Vec<u8>, TransportFault>> {
        futures::future::ready(Err(TransportFault::new("nobody is there"))).boxed()
    }
}

fn context() -> Context {
    context_of(Lateness::default())
}

fn context_of(lateness: Lateness) -> Context {
    let facts = Facts { ready_within: DECLARED, ..facts() };
    let document = Document::embedded(Profile::Full).unwrap();
    Context::new(document, Arc::new(facts), Arc::new(NoTarget), None, Arc::new(|_, _| {}), lateness)
}

#[test]
fn a_late_job_shortens_what_is_waited_for_others_to_twice_what_any_took() {
    let context = context();
    assert_eq!(context.patience(), DECLARED);
    context.remember_late_job();
    assert_eq!(context.patience(), Duration::from_millis(500), "no job has ended yet: the writer may be stopped");

    context.remember_job(Duration::from_secs(7));
    assert_eq!(context.patience(), DECLARED, "one ended in time");
    context.remember_job(Duration::from_secs(2));
    context.remember_late_job();
    assert_eq!(context.patience(), Duration::from_secs(14), "twice the longest, not the last");
    context.remember_job(Duration::from_secs(50));
    context.remember_late_job();
    assert_eq!(context.patience(), DECLARED, "never longer than declared");
}

/// Polls for a result that must come within `limit` and never does. Each poll delays the suite by `late`. Returns the finding, and the
/// times of the polls.
async fn in_vain(limit: Duration, late: Duration) -> (Halt, Vec<Duration>) {
    let lateness = Lateness::default();
    let context = context_of(lateness.clone());
    let begun = Instant::now();
    let looks: Mutex<Vec<Duration>> = Mutex::default();
    let look = || async {
        looks.lock().unwrap().push(Instant::now() - begun);
        lateness.add(late);
        Ok(Look::<()>::NotYet(Halt::fail("a row", "none")))
    };
    let halt = context.eventually(limit, look).await.unwrap_err();
    (halt, looks.into_inner().unwrap())
}

#[tokio::test(start_paused = true)]
async fn what_does_not_come_is_a_finding_unless_the_suite_was_late_itself() {
    let limit = Duration::from_millis(100);
    let (halt, looks) = in_vain(limit, Duration::ZERO).await;
    assert_eq!(halt.to_string(), "expected a row, observed none");
    assert!(looks.last().unwrap() >= &limit, "the last look is made after the time: {looks:?}");

    let late = Duration::from_millis(30);
    let (halt, looks) = in_vain(limit, late).await;
    let Halt::Inconclusive(reason) = halt else { panic!("{halt}") };
    assert!(reason.contains("too slow to tell") && reason.contains("a row"), "{reason}");
    let before_last = u32::try_from(looks.len() - 1).unwrap();
    assert!(looks.last().unwrap() >= &(limit + late * before_last), "being late is added to the time: {looks:?}");
}

#[tokio::test(start_paused = true)]
async fn what_must_stay_away_is_looked_for_until_it_comes() {
    let context = context();
    let looks = AtomicU32::new(0);
    let look = || async {
        let number = looks.fetch_add(1, Ordering::Relaxed);
        ensure(number < 2, "nothing", || "a row".to_owned())
    };
    let halt = context.never(Duration::from_mins(1), look).await.unwrap_err();
    assert_eq!(halt.to_string(), "expected nothing, observed a row");
    assert_eq!(looks.into_inner(), 3);
    assert_eq!(context.never(Duration::from_millis(1), || async { Ok(()) }).await, Ok(()));
}
