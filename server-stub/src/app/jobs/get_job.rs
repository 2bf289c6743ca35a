//! `get_job`: returns a job, at once or after waiting for its end.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::super::caller::Caller;
use super::super::error::Error;
use super::super::service::App;
use crate::domain::job::Job;

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
                // No end of the job was reported. Do not read again: if all callers did so at shutdown, the store would refuse some.
                () = self.stopping.cancelled() => return Ok(job),
            }
        }
    }

    async fn visible_job(&self, caller: &Caller, job_id: &str) -> Result<Job, Error> {
        let job = self.store.find_job(job_id).await?;
        job.filter(|job| caller.scope.sees(&job.account_id, &job.website_id)).ok_or(Error::JobNotFound)
    }
}
