//! A fresh store with a running worker and scheduler, with the system's clock.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::article::Article;
use contentgen_server_stub::domain::clock::Clock as _;
use contentgen_server_stub::domain::job::Job;
use contentgen_server_stub::generation::worker::Worker;
use contentgen_server_stub::publishing::{HostedSite, Scheduler};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage;
use tempfile::TempDir;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::scripted::Scripted;
use crate::store::world::World;
use crate::waiting::{until, until_ok};

/// A store with a worker and a scheduler.
pub(super) struct WorkerHarness {
    pub(super) world: World,
    pub(super) generator: Arc<Scripted>,
    pub(super) stop: CancellationToken,
    loops: JoinSet<()>,
    pub(super) folder: TempDir,
}

impl WorkerHarness {
    /// Opens a harness whose worker writes `concurrency` articles at a time.
    pub(super) async fn open(concurrency: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = storage::open(
            &format!("sqlite:{}", folder.path().join("test.db").display()),
            &storage::Options::new(Arc::new(SystemRandomness)),
        )
        .unwrap();
        let world = World::new(store.clone()).await;
        let generator = Arc::new(Scripted::new());
        let worker = Worker::new(
            store.clone(),
            Arc::new(SystemClock),
            Arc::new(SystemRandomness),
            Arc::clone(&generator) as _,
            concurrency,
        );
        let publisher = Arc::new(HostedSite::new("http://localhost:8080/".parse().unwrap()));
        let scheduler = Scheduler::new(store, Arc::new(SystemClock), Arc::new(SystemRandomness), publisher);
        let stop = CancellationToken::new();
        let mut loops = JoinSet::new();
        loops.spawn(worker.run(stop.clone()));
        loops.spawn(scheduler.run(stop.clone()));
        Self { world, generator, stop, loops, folder }
    }

    /// Queues a job with the current time, as a request would.
    pub(super) async fn queue(&self, topic: &str) -> String {
        let mut submission = self.world.submission(topic);
        submission.job.created_at = SystemClock.wall();
        submission.due_at = SystemClock.steady();
        submission.job.deadline_at = SystemClock.wall().plus(Duration::from_hours(1));
        submission.job.expires_at = submission.job.deadline_at;
        self.world.queue(submission).await
    }

    /// Waits until the job meets the condition.
    pub(super) async fn wait_for(&self, job_id: &str, is_wanted: impl Fn(&Job) -> bool) -> Job {
        until_ok("the job is as wanted", async || {
            let job = self.world.job(job_id).await;
            if is_wanted(&job) { Ok(job) } else { Err(job) }
        })
        .await
    }

    /// Waits until one of the jobs meets the condition, and returns its id.
    pub(super) async fn wait_for_any(&self, job_ids: &[String], is_wanted: impl Fn(&Job) -> bool) -> String {
        until_ok("one of the jobs is as wanted", async || {
            for job_id in job_ids {
                if is_wanted(&self.world.job(job_id).await) {
                    return Ok(job_id.clone());
                }
            }
            Err(job_ids)
        })
        .await
    }

    /// Waits until no worker holds one of these jobs.
    pub(super) async fn wait_until_unclaimed(&self, job_ids: &[String]) {
        let database = rusqlite::Connection::open(self.folder.path().join("test.db")).unwrap();
        let mut held = database.prepare("SELECT id FROM jobs WHERE claim_token IS NOT NULL").unwrap();
        until("no worker holds one of the jobs", async || {
            let held = held.query_map([], |row| row.get(0)).unwrap().collect::<Result<HashSet<String>, _>>().unwrap();
            job_ids.iter().all(|id| !held.contains(id))
        })
        .await;
    }

    pub(super) async fn close(&mut self) {
        self.stop.cancel();
        while let Some(ended) = self.loops.join_next().await {
            ended.unwrap();
        }
    }

    pub(super) async fn article(&self, job: &Job) -> Article {
        let stored = self.world.store.find_article(job.article_id.as_ref().unwrap()).await.unwrap().unwrap();
        serde_json::from_slice(&stored.body).unwrap()
    }
}

pub(super) fn has_ended(job: &Job) -> bool {
    job.status.is_terminal()
}
