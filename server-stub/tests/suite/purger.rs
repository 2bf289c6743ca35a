//! The loop that deletes expired records: it deletes them, and nothing younger.

use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::clock::{Clock as _, Timestamp};
use contentgen_server_stub::domain::idempotency::KEPT_FOR;
use contentgen_server_stub::purger::Purger;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::store::sqlite;
use crate::store::world::World;

#[tokio::test]
async fn a_purger_deletes_what_has_expired_until_it_is_stopped() {
    let (store, _folder) = sqlite::fresh().unwrap();
    let world = World::new(store).await;
    let now = SystemClock.now();
    for (key, age) in [("expired", 2 * KEPT_FOR), ("young", KEPT_FOR / 2)] {
        let mut submission = world.keyed_submission("a topic", key);
        let made = now.plus_millis(-i64::try_from(age.as_millis()).unwrap());
        submission.idempotency.as_mut().unwrap().created_at = made;
        world.queue(submission).await;
    }
    let stop = CancellationToken::new();
    let purger =
        Purger::new(Arc::clone(&world.store) as _, Arc::new(SystemClock)).with_interval(Duration::from_millis(10));
    let mut purging = JoinSet::new();
    purging.spawn(purger.run(stop.clone()));
    let kept = async |key| {
        let since = Timestamp::from_millis(0);
        world.store.find_idempotency(&world.account_id, "generate", key, since).await.unwrap().is_some()
    };
    let expired_is_gone = async {
        while kept("expired").await {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), expired_is_gone).await.unwrap();
    assert!(kept("young").await);
    stop.cancel();
    timeout(Duration::from_secs(30), purging.join_all()).await.unwrap();
}
