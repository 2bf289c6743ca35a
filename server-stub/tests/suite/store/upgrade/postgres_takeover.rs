//! An older process of PostgreSQL takes jobs over from a worker of this version, and the other way round. The older one knows
//! neither `claim_token` nor `expires_at`.

use std::time::Duration;

use contentgen_server_stub::domain::job::{JobStatus, PROGRESS_DEADLINE};
use contentgen_server_stub::domain::store::LeaseOutcome;
use contentgen_server_stub::storage;

use super::beside::OlderProcess;
use super::postgres::Older;
use crate::postgres::Schema;
use crate::store::postgres::options;
use crate::store::world::{LEASE, World};

/// Both processes on one database, with a job that is queued. `None` where there is no PostgreSQL.
async fn both_with_a_job() -> Option<(Schema, Older, World, String)> {
    let schema = Schema::new()?;
    let mut older = Older::new(schema.address(), 2).await;
    older.register().await;
    let world = World::new(storage::open(schema.address(), &options()).unwrap()).await;
    let job_id = world.queue(world.submission("a topic")).await;
    Some((schema, older, world, job_id))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attempt_of_an_older_process_has_a_deadline_of_its_own() {
    let Some((_schema, mut older, world, job_id)) = both_with_a_job().await else { return };
    world.claim().await;
    world.advance(LEASE);
    assert_eq!(older.claim_at(world.now().millis()).await, [job_id.as_str()]);
    let deadline = world.now().plus(PROGRESS_DEADLINE);
    older.renew(&job_id, deadline.plus(LEASE).millis()).await;
    // The deadline of the attempt that died passes.
    world.advance_almost(PROGRESS_DEADLINE);
    assert!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().is_empty());
    let job = world.job(&job_id).await;
    assert_eq!((job.deadline_at, job.expires_at), (deadline, deadline));
    older.complete(&job_id).await;
    assert_eq!(world.job(&job_id).await.status, JobStatus::Completed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_that_lapsed_is_lost_to_an_older_process() {
    let Some((_schema, mut older, world, job_id)) = both_with_a_job().await else { return };
    let stalled = world.claim_unbegun().await.remove(0);
    world.advance(LEASE);
    assert_eq!(older.claim_at(world.now().millis()).await, [job_id.as_str()]);
    assert_eq!(world.begin(&stalled, LEASE).await, None, "the older process holds it");
    let released = world.store.release_job(&job_id, &stalled.lease_token, stalled.due_at).await.unwrap();
    assert_eq!(released, LeaseOutcome::Lost);
    assert!(world.claim_unbegun().await.is_empty());
    older.complete(&job_id).await;
    assert_eq!(world.job(&job_id).await.status, JobStatus::Completed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attempt_of_an_older_process_fails_at_its_deadline_although_a_claim_lapsed_before_it() {
    let Some((_schema, older, world, job_id)) = both_with_a_job().await else { return };
    world.claim_unbegun().await;
    world.advance(LEASE);
    assert_eq!(older.claim_at(world.now().millis()).await, [job_id.as_str()]);
    older.renew(&job_id, world.now().plus(PROGRESS_DEADLINE + LEASE).millis()).await;
    world.advance_almost(PROGRESS_DEADLINE);
    assert!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().is_empty());
    world.advance(Duration::from_millis(1));
    let failed = world.store.fail_overdue_jobs(world.moment()).await.unwrap();
    assert_eq!(failed.iter().map(|change| &change.job_id).collect::<Vec<_>>(), [&job_id]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_attempt_that_an_older_process_tells_late_still_has_its_pause() {
    let Some((_schema, older, world, job_id)) = both_with_a_job().await else { return };
    assert_eq!(older.claim_at(world.now().millis()).await, [job_id.as_str()]);
    world.advance(LEASE);
    let claimed = world.claim_unbegun().await.remove(0);
    older.retry(&job_id, world.now().plus(LEASE).millis()).await;
    assert_eq!(world.begin(&claimed, LEASE).await, None, "it waits for its next attempt");
    world.advance_almost(LEASE);
    assert!(world.claim().await.is_empty());
    world.advance(Duration::from_millis(1));
    assert_eq!(world.claim().await[0].job.id, job_id);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claimed_job_that_an_older_process_cancels_is_neither_begun_nor_released() {
    let Some((_schema, older, world, job_id)) = both_with_a_job().await else { return };
    let claimed = world.claim_unbegun().await.remove(0);
    older.cancel(&claimed.job, world.now().millis()).await;
    assert_eq!(world.begin(&claimed, LEASE).await, None);
    let released = world.store.release_job(&job_id, &claimed.lease_token, claimed.due_at).await.unwrap();
    assert_eq!(released, LeaseOutcome::Lost);
    assert_eq!(world.job(&job_id).await.status, JobStatus::Cancelled);
}
