//! `cancel_job`: cancels an unfinished job and its post.

use super::super::caller::Caller;
use super::super::error::Error;
use super::super::service::App;
use crate::domain::job::Job;
use crate::domain::store::Cancelled;
use crate::metrics::JobOutcome;
use crate::storage::Store;

impl App {
    /// Cancels the job. Cancelling it again returns the same response.
    pub async fn cancel_job(&self, caller: &Caller, job_id: &str) -> Result<Job, Error> {
        let job = self.store.find_job(job_id).await?;
        if !job.is_some_and(|job| caller.scope.sees(&job.account_id, &job.website_id)) {
            return Err(Error::JobNotFound);
        }
        self.cancel_job_in(&self.store, job_id).await
    }

    /// Cancels a job whose owner was checked by the caller of this function.
    pub(in crate::app) async fn cancel_job_in(&self, store: &Store, job_id: &str) -> Result<Job, Error> {
        let now = self.clock.wall();
        match store.cancel_job(job_id, now).await? {
            Cancelled::Done(job) => {
                // A job cancelled by an earlier call was counted by that call.
                if job.finished_at >= Some(now) {
                    self.metrics.job_finished(JobOutcome::Cancelled);
                }
                Ok(job)
            }
            Cancelled::TooLate(job) => Err(Error::JobNotCancellable(job.status)),
            Cancelled::NotFound => Err(Error::JobNotFound),
        }
    }
}
