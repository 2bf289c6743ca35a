//! `cancel_job`: stops a job that has not ended, with its pipeline entry.

use super::caller::Caller;
use super::error::Error;
use super::service::App;
use crate::domain::fault::table::{isolation, outside, state};
use crate::domain::job::{Job, JobStatus};
use crate::domain::store::Cancelled;
use crate::metrics::JobOutcome;

impl App {
    /// Cancels the job; cancelling it again answers the same.
    pub async fn cancel_job(&self, caller: &Caller, job_id: &str) -> Result<Job, Error> {
        let job = self.store.find_job(job_id).await?;
        let sees =
            |job: &Job| caller.scope.sees(&job.account_id, &job.website_id) || isolation::CANCEL_OF_ANYONE.is_on();
        let ended = job.as_ref().filter(|job| job.status == JobStatus::Completed && !sees(job));
        if ended.is_some() && outside::FOREIGN_END_TOLD.is_on() {
            return Err(Error::JobNotCancellable(JobStatus::Completed));
        }
        if !job.is_some_and(|job| sees(&job)) {
            return Err(Error::JobNotFound);
        }
        let now = self.clock.now();
        match self.store.cancel_job(job_id, now).await? {
            Cancelled::Done(job) => {
                // One that was cancelled before ended then.
                if job.finished_at == Some(now) {
                    self.metrics.job_finished(JobOutcome::Cancelled);
                    let counted = outside::CANCELLED_COUNTED.recall(&job.website_id).unwrap_or_default();
                    outside::CANCELLED_COUNTED.keep(&job.website_id, &format!("{counted}+"));
                }
                self.wakeups.job_ended(job_id);
                Ok(job)
            }
            Cancelled::TooLate(_) if state::CANCEL_IS_404.is_on() => Err(Error::JobNotFound),
            Cancelled::TooLate(job) => Err(Error::JobNotCancellable(job.status)),
            Cancelled::NotFound => Err(Error::JobNotFound),
        }
    }
}
