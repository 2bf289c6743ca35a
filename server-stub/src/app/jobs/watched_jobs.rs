//! Finds ended jobs that callers wait for and whose announcement was lost. One read every few seconds covers all of them. `get_job`
//! implements the waiting.

use std::time::Duration;

use tokio::time::sleep;

use super::super::service::App;
use crate::domain::store::Result;

/// Minimum and maximum time between two reads. It is random, so that processes do not read in step.
const PAUSE_MILLIS: std::ops::Range<u64> = 2_000..4_000;
/// Maximum number of jobs in one read.
const MAX_JOBS: usize = 1_000;

impl App {
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
