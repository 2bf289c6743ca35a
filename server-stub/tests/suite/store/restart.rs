//! The state of an SQLite file for a process that serves it after another one was killed.

use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::store::LeaseOutcome;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::{self, Options};
use tempfile::TempDir;

use super::world::{LEASE, World};

/// Start time of a [`World`].
const BEGIN: Timestamp = Timestamp::from_millis(1_790_000_000_000);

/// Starts a process that serves the file from that time on.
async fn serve(folder: &TempDir, since: Timestamp) -> World {
    let options = Options { serving_since: Some(since), ..Options::new(Arc::new(SystemRandomness)) };
    let store = storage::open(&format!("sqlite:{}", folder.path().join("test.db").display()), &options).unwrap();
    World::new(store).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_claimed_and_not_begun_is_due_at_once_in_its_old_place() {
    let folder = tempfile::tempdir().unwrap();
    let died = serve(&folder, BEGIN).await;
    let mut queued = Vec::new();
    for number in 0..3 {
        queued.push(died.queue(died.submission(&format!("topic {number}"))).await);
        died.advance(Duration::from_secs(1));
    }
    let claims = died.store.claim_jobs(2, died.moment(), died.now().plus(LEASE)).await.unwrap();
    assert_eq!(claims.claimed.len(), 2);
    let since = died.now();
    drop(died);
    let world = serve(&folder, since).await;
    world.advance(Duration::from_secs(3));
    let claimed = world.claim().await;
    assert_eq!(claimed.iter().map(|claimed| &claimed.job.id).collect::<Vec<_>>(), queued.iter().collect::<Vec<_>>());
    assert!(claimed.iter().all(|claimed| (claimed.job.attempts, claimed.job.interruptions) == (1, 0)));
    assert_eq!(claimed.iter().map(|claimed| claimed.has_lapsed).collect::<Vec<_>>(), [true, true, false]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_due_at_once_does_not_wait_for_the_hour_that_the_clock_was_ahead() {
    let folder = tempfile::tempdir().unwrap();
    let ahead = serve(&folder, BEGIN).await;
    ahead.advance(Duration::from_hours(1));
    ahead.queue(ahead.submission("a topic")).await;
    let claimed = ahead.claim().await.remove(0);
    let written = ahead.store.complete_job(ahead.completion(&claimed, "A title")).await.unwrap();
    assert_eq!(written, LeaseOutcome::Recorded);
    ahead.queue(ahead.submission("another topic")).await;
    drop(ahead);
    let world = serve(&folder, BEGIN).await;
    assert_eq!(world.claim().await.len(), 1);
    let posts = world.store.claim_posts(10, &[], world.moment(), world.now().plus(LEASE)).await.unwrap();
    assert_eq!(posts.len(), 1);
}
