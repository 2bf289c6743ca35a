//! Reads, awaits and cancels jobs. `generate` queues them.

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use super::{App, Caller, Error};
use crate::domain::job::Job;
use crate::domain::store::{Cancelled, Result};
use crate::metrics::JobOutcome;
use crate::storage::Store;

/// Bounds of the pause between two reads of all watched jobs. It is random, so that processes do not read in step.
const PAUSE_MILLIS: std::ops::Range<u64> = 2_000..4_000;
/// Maximum number of jobs in one read.
const MAX_JOBS: usize = 1_000;

impl App {
    /// Returns the job. With `wait`, returns when the job ends, `wait` has passed or the service stops, whichever comes first.
    pub async fn get_job(&self, caller: &Caller, job_id: &str, wait: Option<Duration>) -> Result<Job, Error> {
        let Some(wait) = wait else { return self.visible_job(caller, job_id).await };
        let until = Instant::now() + wait;
        let watch = self.store.wakeups().watch_job(job_id);
        loop {
            let ended = watch.ended();
            tokio::pin!(ended);
            // Register before reading the job: an end in between would be missed.
            ended.as_mut().enable();
            let job = self.visible_job(caller, job_id).await?;
            if job.status.is_terminal() || Instant::now() >= until {
                return Ok(job);
            }
            tokio::select! {
                biased;
                () = &mut ended => {}
                () = sleep_until(until) => {}
                // No end of the job was reported. Do not read again: if all callers did so at shutdown, the store would refuse
                // some.
                () = self.stopping.cancelled() => return Ok(job),
            }
        }
    }

    async fn visible_job(&self, caller: &Caller, job_id: &str) -> Result<Job, Error> {
        let job = self.store.find_job(job_id).await?;
        job.filter(|job| caller.visibility.sees(&job.account_id, &job.website_id)).ok_or(Error::JobNotFound)
    }

    /// Cancels the job. Cancelling it again returns the same response.
    pub async fn cancel_job(&self, caller: &Caller, job_id: &str) -> Result<Job, Error> {
        self.visible_job(caller, job_id).await?;
        self.cancel_job_in(&self.store, job_id).await
    }

    /// Cancels a job whose owner was checked by the caller of this function.
    pub(super) async fn cancel_job_in(&self, store: &Store, job_id: &str) -> Result<Job, Error> {
        match store.cancel_job(job_id, self.clock.wall()).await? {
            Cancelled::Done(job) => {
                self.metrics.job_finished(JobOutcome::Cancelled);
                Ok(job)
            }
            Cancelled::AlreadyDone(job) => Ok(job),
            Cancelled::TooLate(job) => Err(Error::JobNotCancellable(job.status)),
            Cancelled::NotFound => Err(Error::JobNotFound),
        }
    }

    /// Wakes the callers that wait for ended jobs whose announcement was lost. Runs until the service stops.
    pub async fn follow_watched_jobs(&self) {
        loop {
            tokio::select! {
                () = self.stopping.cancelled() => return,
                () = self.store.wakeups().watched_jobs.notified() => {}
                () = sleep(self.pause()) => {}
            }
            if let Err(error) = self.wake_for_ended_jobs().await {
                tracing::warn!(%error, "cannot read the jobs that callers wait for");
            }
        }
    }

    async fn wake_for_ended_jobs(&self) -> Result<()> {
        let wakeups = self.store.wakeups();
        for job_ids in wakeups.watched_job_ids().chunks(MAX_JOBS) {
            for job_id in self.store.ended_jobs(job_ids).await? {
                wakeups.job_ended(&job_id);
            }
        }
        Ok(())
    }

    fn pause(&self) -> Duration {
        let mut bytes = [0; 8];
        self.randomness.fill(&mut bytes);
        let spread = PAUSE_MILLIS.end - PAUSE_MILLIS.start;
        Duration::from_millis(PAUSE_MILLIS.start + u64::from_le_bytes(bytes) % spread)
    }
}
