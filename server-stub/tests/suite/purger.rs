//! The loop that deletes expired records: it deletes them, and no younger ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::clock::{Clock, Timestamp};
use contentgen_server_stub::domain::retention::Retention;
use contentgen_server_stub::purger::Purger;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::store::sqlite;
use crate::store::world::World;
use crate::waiting::{ended, until};

const HOUR: Duration = Duration::from_hours(1);

/// Stores a response of this age.
pub(crate) async fn stored_response(world: &World, key: &str, age: Duration) {
    let mut submission = world.keyed_submission("a topic", key);
    submission.idempotency.as_mut().unwrap().created_at = SystemClock.wall().minus(age);
    world.queue(submission).await;
}

async fn is_kept(world: &World, key: &str) -> bool {
    let since = Timestamp::from_millis(0);
    world
        .store
        .find_idempotency((&world.account_id, &world.website_id), "generate", key, since)
        .await
        .unwrap()
        .is_some()
}

async fn wait_until_gone(world: &World, key: &str) {
    until("the response is deleted", async || !is_kept(world, key).await).await;
}

#[tokio::test]
async fn a_purger_deletes_what_has_expired_until_it_is_stopped() {
    let (store, _folder) = sqlite::fresh().unwrap();
    let world = World::new(store).await;
    stored_response(&world, "expired", 37 * HOUR).await;
    stored_response(&world, "young", 35 * HOUR).await;
    let stop = CancellationToken::new();
    let retention = Retention { idempotency_keys: 36 * HOUR, ..Retention::default() };
    let purger =
        Purger::new(world.store.clone(), Arc::new(SystemClock), retention).with_interval(Duration::from_millis(10));
    let mut purging = JoinSet::new();
    purging.spawn(purger.run(stop.clone()));
    wait_until_gone(&world, "expired").await;
    assert!(is_kept(&world, "young").await);
    stored_response(&world, "expired later", 37 * HOUR).await;
    wait_until_gone(&world, "expired later").await;
    stop.cancel();
    ended("the purger has stopped", purging.join_all()).await;
}

/// A clock whose wall time a test sets ahead. Its steady time passes as the system's.
#[derive(Debug, Default)]
struct AheadClock(AtomicI64);

impl Clock for AheadClock {
    fn wall(&self) -> Timestamp {
        SystemClock.wall().plus_millis(self.0.load(Ordering::SeqCst))
    }

    fn steady(&self) -> Timestamp {
        SystemClock.steady()
    }
}

#[tokio::test]
async fn a_clock_that_is_set_ahead_deletes_nothing_early() {
    let (store, _folder) = sqlite::fresh().unwrap();
    let world = World::new(store).await;
    let (clock, stop) = (Arc::new(AheadClock::default()), CancellationToken::new());
    let purging = |interval| {
        let purger = Purger::new(world.store.clone(), Arc::<AheadClock>::clone(&clock), Retention::default());
        purger.with_interval(interval).run(stop.clone())
    };
    let mut processes = JoinSet::new();
    processes.spawn(purging(Duration::from_millis(10)));
    stored_response(&world, "expired", 25 * HOUR).await;
    wait_until_gone(&world, "expired").await;
    clock.0.store(40 * 24 * 60 * 60 * 1000, Ordering::SeqCst);
    // Another process starts with the wrong clock.
    processes.spawn(purging(Duration::from_millis(10)));
    stored_response(&world, "young", 23 * HOUR).await;
    for number in 0..3 {
        let key = format!("expired {number}");
        stored_response(&world, &key, 25 * HOUR).await;
        wait_until_gone(&world, &key).await;
    }
    assert!(is_kept(&world, "young").await);
    stop.cancel();
    ended("the purgers have stopped", processes.join_all()).await;
}

#[tokio::test]
async fn a_purger_that_is_stopped_deletes_nothing_more() {
    let (store, _folder) = sqlite::fresh().unwrap();
    let world = World::new(store).await;
    stored_response(&world, "expired", 37 * HOUR).await;
    let stop = CancellationToken::new();
    stop.cancel();
    Purger::new(world.store.clone(), Arc::new(SystemClock), Retention::default()).run(stop).await;
    assert!(is_kept(&world, "expired").await);
}
