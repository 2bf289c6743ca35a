//! Processes that count together in a simulated database, with a clock that only the test moves. The tests in
//! `tests/suite/store` check that PostgreSQL leases in the same way.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures::future::join_all;
use proptest::prelude::*;

use super::leases::Leases;
use super::request_counter::RequestCounter;
use super::window::{Count, FRESH_FOR_MS};
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::key::Quota;
use crate::domain::store::{
    Error, QUOTA_LEASE_DIVISOR, QuotaLease, QuotaLeaseRequest, QuotaSubject, Result, SharedWindows,
};

const WINDOW_MS: i64 = 10_000;

/// State that all processes share.
#[derive(Debug, Default)]
struct World {
    now: AtomicI64,
    /// End and leased requests of each window.
    windows: Mutex<HashMap<String, (i64, u32)>>,
    asked: AtomicU32,
    is_away: AtomicBool,
}

#[derive(Debug, Clone, Default)]
struct Shared(Arc<World>);

impl Shared {
    fn pass(&self, millis: i64) {
        self.0.now.fetch_add(millis, Ordering::Relaxed);
    }

    fn asked(&self) -> u32 {
        self.0.asked.load(Ordering::Relaxed)
    }
}

impl Clock for Shared {
    fn wall(&self) -> Timestamp {
        self.steady()
    }

    fn steady(&self) -> Timestamp {
        Timestamp::from_millis(self.0.now.load(Ordering::Relaxed))
    }
}

#[async_trait]
impl SharedWindows for Shared {
    async fn lease(&self, request: &QuotaLeaseRequest) -> Result<QuotaLease> {
        // Lets other tasks run meanwhile.
        tokio::task::yield_now().await;
        self.0.asked.fetch_add(1, Ordering::Relaxed);
        if self.0.is_away.load(Ordering::Relaxed) {
            return Err(Error::Unavailable("it is away".into()));
        }
        let QuotaSubject::Key(key) = &request.subject else { panic!("only keys ask here") };
        let (now, length) = (self.steady().millis(), i64::from(request.quota.window_seconds) * 1000);
        let mut windows = self.0.windows.lock().unwrap();
        let window = windows.entry(key.clone()).or_default();
        if window.0 <= now {
            *window = (now + length, 0);
        }
        let held = if request.held.window == window.0 { request.held.requests } else { 0 };
        let left = request.quota.requests.saturating_sub(window.1);
        let granted = (left / QUOTA_LEASE_DIVISOR).max(1).saturating_sub(held).min(left);
        window.1 += granted;
        let ends_in = Duration::from_millis(u64::try_from(window.0 - now).unwrap());
        Ok(QuotaLease { window: window.0, granted, leased: window.1, ends_in })
    }
}

/// One process.
struct Process {
    shared: Shared,
    leases: Leases,
    counter: RequestCounter,
}

impl Process {
    fn new(shared: &Shared) -> Self {
        let leases = Leases::new(Arc::new(shared.clone()), Arc::default(), "keys");
        Self { shared: shared.clone(), leases, counter: RequestCounter::new() }
    }

    async fn count(&self, quota: Quota) -> Count {
        self.leases.count(&self.counter, "api", &QuotaSubject::Key("key_1".to_owned()), quota, &self.shared).await
    }
}

fn quota(requests: u32) -> Quota {
    Quota { requests, window_seconds: 10 }
}

/// Requests that the service admitted in a window, over all processes.
struct Model {
    quota: u32,
    processes: u32,
    ends_at: i64,
    admitted: u32,
    /// Remaining requests, each with the time from which they were left.
    history: Vec<(i64, u32)>,
}

impl Model {
    fn begin_if_over(&mut self, now: i64) {
        if self.ends_at <= now {
            (self.ends_at, self.admitted) = (now + WINDOW_MS, 0);
            self.history = vec![(now, self.quota)];
        }
    }

    /// Returns the remaining requests at `time`, or at the start of the window if that is later.
    fn left_at(&self, time: i64) -> u32 {
        self.history.iter().rev().find(|(since, _)| *since <= time).map_or(self.quota, |(_, left)| *left)
    }

    fn check(&mut self, now: i64, counts: &[Count]) -> std::result::Result<(), TestCaseError> {
        let left_before = self.left_at(now - FRESH_FOR_MS);
        for count in counts {
            self.admitted += u32::from(count.is_within);
            prop_assert!(self.admitted <= self.quota, "{} of {} were admitted", self.admitted, self.quota);
            prop_assert!(count.remaining <= left_before, "r={} where {left_before} were left", count.remaining);
        }
        let left = self.quota - self.admitted;
        self.history.push((now, left));
        if counts.iter().any(|count| !count.is_within) {
            let elsewhere = (self.processes - 1) * (self.quota / QUOTA_LEASE_DIVISOR).max(1);
            prop_assert!(left <= elsewhere, "refused although {left} were left, {elsewhere} of them elsewhere at most");
        }
        let is_leased_one_by_one = self.quota < 2 * QUOTA_LEASE_DIVISOR;
        if is_leased_one_by_one && counts.iter().any(|count| !count.is_within) {
            prop_assert_eq!(left, 0);
        }
        if let ([count], true) = (counts, is_leased_one_by_one) {
            prop_assert_eq!(count.remaining, left);
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn processes_together_admit_the_quota_and_refuse_only_while_the_rest_is_held_elsewhere(
        requests in 1..200_u32,
        processes in 1..5_usize,
        // The process, the number of concurrent requests, and the pause before them.
        steps in prop::collection::vec((0..4_usize, 1..20_usize, prop_oneof![Just(0), 0..300_i64, 0..9000_i64]), 1..120),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let shared = Shared::default();
        let all: Vec<_> = (0..processes).map(|_| Process::new(&shared)).collect();
        let count = u32::try_from(processes).unwrap();
        let mut model = Model { quota: requests, processes: count, ends_at: 0, admitted: 0, history: Vec::new() };
        for (process, burst, pause) in steps {
            shared.pass(pause);
            let now = shared.steady().millis();
            model.begin_if_over(now);
            let process = &all[process % processes];
            let counts = runtime.block_on(join_all((0..burst).map(|_| process.count(quota(requests)))));
            model.check(now, &counts)?;
        }
    }
}

#[tokio::test]
async fn a_busy_caller_of_a_large_quota_seldom_waits_for_the_database_and_a_refused_one_never() {
    let shared = Shared::default();
    let process = Process::new(&shared);
    for _ in 0..60_000 {
        assert!(process.count(quota(60_000)).await.is_within);
    }
    assert!(shared.asked() < 200, "{} times", shared.asked());
    assert!(!process.count(quota(60_000)).await.is_within);
    let asked = shared.asked();
    for _ in 0..100 {
        shared.pass(90);
        assert!(!process.count(quota(60_000)).await.is_within);
    }
    assert_eq!(shared.asked(), asked);
    shared.pass(1000);
    assert!(process.count(quota(60_000)).await.is_within, "the window is over");
}

#[tokio::test]
async fn requests_that_come_at_once_are_served_by_one_lease() {
    let shared = Shared::default();
    let process = Process::new(&shared);
    let counts = join_all((0..100).map(|_| process.count(quota(1600)))).await;
    assert!(counts.iter().all(|count| count.is_within));
    assert_eq!(shared.asked(), 1);
}

#[tokio::test]
async fn a_quota_that_was_changed_counts_what_was_used_before() {
    let shared = Shared::default();
    let (one, other) = (Process::new(&shared), Process::new(&shared));
    for _ in 0..3 {
        assert!(one.count(quota(5)).await.is_within);
    }
    assert!(!one.count(quota(2)).await.is_within);
    assert!(!other.count(quota(3)).await.is_within);
    let remaining = [one.count(quota(10)).await, other.count(quota(10)).await].map(|count| count.remaining);
    assert_eq!(remaining, [6, 5]);
}

#[tokio::test]
async fn a_process_counts_alone_while_the_database_is_away_and_together_when_it_is_back() {
    let shared = Shared::default();
    let (one, other) = (Process::new(&shared), Process::new(&shared));
    assert_eq!(one.count(quota(10)).await.remaining, 9);
    shared.0.is_away.store(true, Ordering::Relaxed);
    let asked = shared.asked();
    let alone = join_all((0..10).map(|_| one.count(quota(10)))).await;
    assert_eq!(alone.iter().filter(|count| count.is_within).count(), 9, "requests that were left as far as it knew");
    assert_eq!(shared.asked(), asked + 1, "no request waits for an unavailable database");
    let alone = join_all((0..11).map(|_| other.count(quota(10)))).await;
    assert_eq!(alone.iter().filter(|count| count.is_within).count(), 10);
    shared.0.is_away.store(false, Ordering::Relaxed);
    shared.pass(5000);
    assert_eq!(other.count(quota(10)).await.remaining, 8, "the database knows of one request and this one");
}
