//! Jobs from submission to end, with an article that takes no time to write: the speed of the queue alone.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::store::{
    ClaimedJob, JobCompletion, JobFailure, LeaseOutcome, QueueStatistics, Submitted,
};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::Store;
use futures::future::try_join_all;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::database::{Database, Engine};
use crate::rate::{Rate, Stopwatch};
use crate::records::{Owner, article, moment, now, owners};
use crate::verdict::{self, Goal};

/// Number of callers. Each has its own account and website.
const CALLERS: usize = 64;
/// Jobs that each caller queues.
const JOBS_EACH: usize = 200;
/// Loops that claim jobs and end them.
const CLAIM_LOOPS: usize = 4;
/// Jobs of a claim.
const CLAIMED_AT_ONCE: u32 = 64;
const LEASE: Duration = Duration::from_mins(2);
/// Completed jobs a second.
const GOAL: Goal = Goal::AtLeast(3000.0);

/// How the jobs end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Article,
    Failure,
}

/// State that callers and claim loops share.
struct Yard {
    store: Store,
    ending: Ending,
    queued: Notify,
    ended: AtomicU64,
    all_ended: CancellationToken,
}

/// Measures and prints.
pub(crate) async fn measure(engine: Engine, rounds: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let (mut completed, mut failed) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        completed.push(run(engine, Ending::Article).await?);
        failed.push(run(engine, Ending::Failure).await?);
    }
    verdict::rate(out, "completed with an article", Some(GOAL), &completed)?;
    verdict::rate(out, "failed without another attempt", None, &failed)?;
    Ok(())
}

async fn run(engine: Engine, ending: Ending) -> anyhow::Result<Rate> {
    let (database, store) = Database::new(engine).await?;
    let owned = owners(&store, CALLERS).await?;
    let yard = Arc::new(Yard {
        store: store.clone(),
        ending,
        queued: Notify::new(),
        ended: AtomicU64::new(0),
        all_ended: CancellationToken::new(),
    });
    let stopwatch = Stopwatch::start()?;
    let mut tasks = JoinSet::new();
    for owner in owned {
        tasks.spawn(Arc::clone(&yard).queue(owner));
    }
    for _ in 0..CLAIM_LOOPS {
        tasks.spawn(Arc::clone(&yard).work());
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    let jobs = (CALLERS * JOBS_EACH) as u64;
    let rate = stopwatch.stop(jobs)?;
    let articles = database.count("articles").await?;
    let wanted = if ending == Ending::Article { jobs } else { 0 };
    anyhow::ensure!(articles == wanted, "{articles} articles of {wanted}");
    let QueueStatistics { jobs_queued, jobs_in_progress, .. } = store.queue_statistics(moment()).await?;
    anyhow::ensure!((jobs_queued, jobs_in_progress) == (0, 0), "jobs are left over");
    Ok(rate)
}

impl Yard {
    async fn queue(self: Arc<Self>, owner: Owner) -> anyhow::Result<()> {
        for _ in 0..JOBS_EACH {
            let submitted = self.store.submit(owner.submission()).await?;
            anyhow::ensure!(submitted == Submitted::Queued, "not queued: {submitted:?}");
            self.queued.notify_one();
        }
        Ok(())
    }

    async fn work(self: Arc<Self>) -> anyhow::Result<()> {
        while !self.all_ended.is_cancelled() {
            let claimed = self.store.claim_jobs(CLAIMED_AT_ONCE, moment(), now().plus(LEASE)).await?.claimed;
            if claimed.is_empty() {
                tokio::select! {
                    () = self.all_ended.cancelled() => {},
                    () = self.queued.notified() => {},
                }
                continue;
            }
            let count = claimed.len() as u64;
            try_join_all(claimed.into_iter().map(|job| self.end(job))).await?;
            if self.ended.fetch_add(count, Ordering::Relaxed) + count == (CALLERS * JOBS_EACH) as u64 {
                self.all_ended.cancel();
            }
        }
        Ok(())
    }

    async fn end(&self, claimed: ClaimedJob) -> anyhow::Result<()> {
        let now = moment();
        let start = claimed.start(now, now.steady.plus(LEASE));
        anyhow::ensure!(self.store.begin_job(start).await?.is_some(), "a claim was lost");
        let ClaimedJob { job, lease_token, .. } = claimed;
        let outcome = match self.ending {
            Ending::Article => {
                let article = article(&job);
                let completion = JobCompletion { job_id: job.id, lease_token, article, finished_at: now };
                self.store.complete_job(completion).await?
            }
            Ending::Failure => {
                let failure = Failure {
                    code: "internal".to_owned(),
                    message: "There was nothing to write.".to_owned(),
                    retryable: false,
                };
                let event_id = id::new(Kind::Event, now.wall, &SystemRandomness);
                let failed = JobFailure { job_id: job.id, lease_token, failure, retry_at: None, event_id, now };
                self.store.fail_job(failed).await?
            }
        };
        anyhow::ensure!(outcome == LeaseOutcome::Recorded, "a lease was lost");
        Ok(())
    }
}
