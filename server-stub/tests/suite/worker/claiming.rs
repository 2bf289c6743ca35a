//! Number of jobs that a worker claims, and the jobs that it does not begin.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::clock::{Clock as _, Timestamp};
use contentgen_server_stub::domain::job::{JobStatus, PROGRESS_DEADLINE};

use super::harness::{WorkerHarness, has_ended};
use crate::store::world::both;

/// Articles that wait after quick ones.
const SLOW: usize = 12;

/// Queues quick articles, then some that wait, and returns when the worker writes one of these. By then it has measured that articles are
/// quick, and has claimed ahead. Returns the id of this job, and the others.
async fn begin_a_slow_article_after_quick_ones(harness: &WorkerHarness) -> (String, Vec<String>) {
    harness.queue("waits").await;
    harness.generator.begun.notified().await;
    for number in 0..20 {
        harness.queue(&format!("quick topic {number}")).await;
    }
    let mut others = Vec::new();
    for _ in 0..SLOW {
        others.push(harness.queue("waits").await);
    }
    harness.generator.goes_on.add_permits(1);
    harness.generator.begun.notified().await;
    // Jobs of one claim are begun in any order.
    let slow = harness.wait_for_any(&others, |job| job.status == JobStatus::InProgress).await;
    others.retain(|id| *id != slow);
    (slow, others)
}

/// Returns when the worker has polled its queue after this call. It claims before it fails overdue jobs, so the second overdue job proves a
/// complete poll.
async fn look(harness: &WorkerHarness) {
    for _ in 0..2 {
        let mut submission = harness.world.submission("overdue");
        submission.job.created_at = SystemClock.wall();
        submission.due_at = SystemClock.steady();
        submission.job.deadline_at = SystemClock.wall();
        submission.job.expires_at = submission.job.deadline_at;
        let overdue = harness.world.queue(submission).await;
        assert_eq!(harness.wait_for(&overdue, has_ended).await.status, JobStatus::Failed);
    }
}

/// Checks that the jobs were released: they are due at once and were never begun.
async fn assert_another_worker_gets(harness: &WorkerHarness, ids: &[String]) {
    let now = SystemClock.wall();
    let claimed = harness.world.store.claim_jobs(100, both(now), now.plus_millis(1)).await.unwrap().claimed;
    assert!(claimed.iter().all(|claimed| claimed.job.attempts == 0));
    let claimed: HashSet<_> = claimed.iter().map(|claimed| &claimed.job.id).collect();
    assert!(ids.iter().all(|id| claimed.contains(id)), "{claimed:?} lacks one of {ids:?}");
}

/// Checks that all of these jobs are completed, and that each started after `freed_at`.
async fn assert_begun_after(harness: &WorkerHarness, freed_at: Timestamp, ids: &[String]) {
    for id in ids {
        let job = harness.wait_for(id, has_ended).await;
        let started_at = job.started_at.unwrap();
        assert_eq!(
            (job.status, job.attempts, job.deadline_at),
            (JobStatus::Completed, 1, started_at.plus(PROGRESS_DEADLINE))
        );
        assert!(started_at >= freed_at, "{started_at} is before {freed_at}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_behind_a_slow_article_stay_in_the_queue() {
    let harness = WorkerHarness::open(1).await;
    let slow = harness.queue("waits").await;
    harness.generator.begun.notified().await;
    let mut others = Vec::new();
    for number in 0..4 {
        others.push(harness.queue(&format!("topic {number}")).await);
    }
    look(&harness).await;
    for id in &others {
        let job = harness.world.job(id).await;
        assert_eq!((job.status, job.attempts, job.progress, job.started_at), (JobStatus::Queued, 0, 0, None));
    }
    let freed_at = SystemClock.wall();
    harness.generator.goes_on.add_permits(1);
    assert_eq!(harness.wait_for(&slow, has_ended).await.status, JobStatus::Completed);
    assert_begun_after(&harness, freed_at, &others).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_free_slot_is_used_while_another_article_takes_long() {
    let harness = WorkerHarness::open(4).await;
    for _ in 0..3 {
        harness.queue("waits").await;
        harness.generator.begun.notified().await;
    }
    for number in 0..8 {
        let id = harness.queue(&format!("topic {number}")).await;
        assert_eq!(harness.wait_for(&id, has_ended).await.status, JobStatus::Completed);
    }
    harness.generator.goes_on.add_permits(3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_behind_a_slow_article_shows_as_queued_and_its_time_runs_from_its_start() {
    let harness = WorkerHarness::open(1).await;
    let (slow, others) = begin_a_slow_article_after_quick_ones(&harness).await;
    for id in &others {
        let job = harness.world.job(id).await;
        assert_eq!((job.status, job.attempts, job.progress, job.started_at), (JobStatus::Queued, 0, 0, None));
    }
    let freed_at = SystemClock.wall();
    harness.generator.goes_on.add_permits(SLOW);
    harness.wait_for(&slow, has_ended).await;
    assert_begun_after(&harness, freed_at, &others).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_claimed_ahead_of_a_slow_article_is_released() {
    let harness = WorkerHarness::open(1).await;
    let (slow, others) = begin_a_slow_article_after_quick_ones(&harness).await;
    harness.wait_until_unclaimed(&others).await;
    // The worker may have claimed ahead once more, because articles were quick a moment ago.
    look(&harness).await;
    harness.wait_until_unclaimed(&others).await;
    assert_another_worker_gets(&harness, &others).await;
    harness.generator.goes_on.add_permits(1);
    harness.wait_for(&slow, has_ended).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopping_worker_finishes_what_it_writes_and_releases_the_rest_at_once() {
    let mut harness = WorkerHarness::open(1).await;
    let (slow, others) = begin_a_slow_article_after_quick_ones(&harness).await;
    harness.stop.cancel();
    harness.wait_until_unclaimed(&others).await;
    harness.generator.goes_on.add_permits(1);
    harness.close().await;
    assert_eq!(harness.world.job(&slow).await.status, JobStatus::Completed);
    assert_another_worker_gets(&harness, &others).await;
}

/// The worker died before it stored the start of a job. The next worker counts the attempt before it takes the same risk.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_dead_worker_had_claimed_is_written_after_its_start_is_stored() {
    let harness = WorkerHarness::open(1).await;
    let database = rusqlite::Connection::open(harness.folder.path().join("test.db")).unwrap();
    let refuse_starts =
        "CREATE TRIGGER refuse_starts BEFORE UPDATE OF lease_token ON jobs WHEN new.status = 'in_progress'
         BEGIN SELECT RAISE(ABORT, 'no start is stored yet'); END";
    database.execute_batch(refuse_starts).unwrap();
    let mut submission = harness.world.submission("waits");
    submission.due_at = SystemClock.steady().plus(PROGRESS_DEADLINE);
    submission.job.expires_at = submission.due_at;
    let job_id = harness.world.queue(submission).await;
    database.execute("UPDATE jobs SET claim_token = 'dead', run_at = 0 WHERE id = ?1", [&job_id]).unwrap();
    look(&harness).await;
    let held = "SELECT claim_token <> 'dead' FROM jobs WHERE id = ?1";
    assert!(database.query_row(held, [&job_id], |row| row.get::<_, bool>(0)).unwrap(), "a worker has claimed it");
    assert_eq!(harness.generator.drafts.load(Ordering::SeqCst), 0, "it is not written yet");
    database.execute_batch("DROP TRIGGER refuse_starts").unwrap();
    harness.generator.begun.notified().await;
    let job = harness.world.job(&job_id).await;
    assert_eq!((job.status, job.attempts), (JobStatus::InProgress, 1));
    harness.generator.goes_on.add_permits(1);
    assert_eq!(harness.wait_for(&job_id, has_ended).await.status, JobStatus::Completed);
}
