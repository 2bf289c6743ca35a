//! From a queued job to a published article, with the loops of a server and the system's clock.

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::article::{Article, ArticleStatus};
use contentgen_server_stub::domain::clock::Clock as _;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::job::{Job, JobStatus};
use contentgen_server_stub::domain::store::{Cancelled, Error};
use tokio::sync::oneshot;

use super::harness::{WorkerHarness, has_ended};
use crate::store::world::{both, capacity};
use crate::waiting::until_ok;

/// Returns the job's article, once it is published.
async fn published(harness: &WorkerHarness, job: &Job) -> Article {
    until_ok("the article is published", async || {
        let article = harness.article(job).await;
        if article.status == ArticleStatus::Published { Ok(article) } else { Err(article.status) }
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn queued_jobs_become_published_articles_with_their_hooks() {
    let harness = WorkerHarness::open(2).await;
    harness.world.hook(harness.world.endpoint(&EventType::DEFAULT)).await;
    let mut ids = Vec::new();
    for number in 0..20 {
        ids.push(harness.queue(&format!("how to keep {number} houseplants alive")).await);
    }
    for id in &ids {
        let job = harness.wait_for(id, has_ended).await;
        assert_eq!((job.status, job.attempts), (JobStatus::Completed, 1), "{:?}", job.error);
        let article = published(&harness, &job).await;
        let slug = &article.content.slug;
        let expected = format!("http://localhost:8080/sites/{}/{slug}", harness.world.website_id);
        assert_eq!(article.url.as_ref(), Some(&expected));
        assert_eq!(article.canonical_url, article.url);
        assert_eq!(article.metadata, job.request.metadata);
        let found = harness.world.store.find_published(&harness.world.website_id, slug).await.unwrap();
        assert_eq!(found.map(|found| found.id), Some(article.id));
    }
    let now = SystemClock.wall();
    let deliveries =
        harness.world.store.claim_deliveries(100, &capacity(100), both(now), now.plus_millis(1)).await.unwrap();
    assert_eq!(deliveries.len(), 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_generator_that_is_away_for_a_moment_costs_an_attempt_and_nothing_more() {
    let harness = WorkerHarness::open(1).await;
    let id = harness.queue("unavailable once").await;
    let job = harness.wait_for(&id, has_ended).await;
    assert_eq!((job.status, job.attempts, job.error), (JobStatus::Completed, 2, None));
    assert!(job.finished_at.unwrap() >= job.created_at.plus_millis(1000), "the retry waits a second");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_topic_fails_at_once_and_says_why() {
    let harness = WorkerHarness::open(1).await;
    let id = harness.queue("rejected").await;
    let job = harness.wait_for(&id, has_ended).await;
    let error = job.error.unwrap();
    assert_eq!((job.status, job.attempts), (JobStatus::Failed, 1));
    assert_eq!((error.code.as_str(), error.retryable), ("content_rejected", false));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_generator_that_panics_is_tried_again_and_takes_nobody_along() {
    let harness = WorkerHarness::open(1).await;
    let id = harness.queue("panics once").await;
    let job = harness.wait_for(&id, has_ended).await;
    assert_eq!((job.status, job.attempts), (JobStatus::Completed, 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_cancelled_while_it_is_written_stays_without_an_article() {
    let mut harness = WorkerHarness::open(1).await;
    let id = harness.queue("waits").await;
    harness.generator.begun.notified().await;
    let cancelled = harness.world.store.cancel_job(&id, SystemClock.wall()).await.unwrap();
    let Cancelled::Done(cancelled) = cancelled else { panic!("{cancelled:?}") };
    harness.generator.goes_on.add_permits(1);
    // When the worker begins the next job, it has recorded its result of this one.
    let next = harness.queue("the next topic").await;
    harness.wait_for(&next, has_ended).await;
    harness.close().await;
    assert_eq!(harness.world.job(&id).await, cancelled);
    assert_eq!(cancelled.article_id, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_away_for_seconds_ends_no_loop() {
    let harness = WorkerHarness::open(1).await;
    // Another process holds the lock for longer than the server waits for it.
    let path = harness.folder.path().join("test.db");
    let (is_held, held) = oneshot::channel();
    let (release, released) = std::sync::mpsc::channel::<()>();
    let holding = tokio::task::spawn_blocking(move || {
        let connection = rusqlite::Connection::open(path).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        is_held.send(()).unwrap();
        released.recv().unwrap();
        connection.execute_batch("ROLLBACK").unwrap();
    });
    held.await.unwrap();
    let refused = harness.world.store.check().await;
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    release.send(()).unwrap();
    holding.await.unwrap();
    let id = harness.queue("a topic").await;
    assert_eq!(harness.wait_for(&id, has_ended).await.status, JobStatus::Completed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_for_later_is_published_at_its_time() {
    let harness = WorkerHarness::open(1).await;
    let mut submission = harness.world.submission("a topic");
    let publish_at = SystemClock.wall().plus_millis(1500);
    submission.job.created_at = SystemClock.wall();
    submission.due_at = SystemClock.steady();
    submission.job.deadline_at = publish_at.plus_millis(3_600_000);
    submission.job.expires_at = submission.job.deadline_at;
    submission.job.request.publish_at = Some(publish_at);
    let id = harness.world.queue(submission).await;
    let job = harness.wait_for(&id, has_ended).await;
    // Writing may take longer than the time until `publish_at`. A publication before that time would be too early.
    let article = harness.article(&job).await;
    let is_due = article.published_at.is_some_and(|published_at| published_at >= publish_at);
    assert!(article.status == ArticleStatus::Scheduled || is_due, "{article:?}");
    let published_at = published(&harness, &job).await.published_at.unwrap();
    assert!(published_at >= publish_at, "{published_at}");
}
