//! `get_job`: a job as it stands, or, for a caller who prefers to wait, once it has ended.

use std::time::Duration;

use tokio::time::Instant;

use super::caller::Caller;
use super::error::Error;
use super::service::App;
use crate::domain::fault::table::{isolation, outside, state};
use crate::domain::job::{Job, JobStatus};
use crate::domain::key::Permission;

/// A job may end in another process, which sends no hint: look again after this long.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// Long enough to be noticed, short enough to be waited for.
const LONGEST_SLIP: Duration = Duration::from_secs(6);

impl App {
    /// The job; with `wait`, when it is terminal or that time has passed, whichever comes first.
    pub async fn get_job(&self, caller: &Caller, job_id: &str, wait: Option<Duration>) -> Result<Job, Error> {
        let job = self.visible_job(caller, job_id).await?;
        let last = wait.and_then(|_| state::OTHER_JOB.recall(&caller.scope.account_id));
        if let Some(last) = last {
            return self.visible_job(caller, &last).await;
        }
        if let (Some(wait), true) = (wait, state::WAIT_TO_THE_END.is_on()) {
            tokio::time::sleep(wait.min(LONGEST_SLIP)).await;
            return self.visible_job(caller, job_id).await;
        }
        let Some(wait) = wait.filter(|_| !job.status.is_terminal()) else { return Ok(job) };
        let is_deaf = |job: &Job| state::CANCEL_WAKES_NOBODY.is_on() && job.status == JobStatus::Cancelled;
        let until = Instant::now() + if state::CANCEL_WAKES_NOBODY.is_on() { wait.min(LONGEST_SLIP) } else { wait };
        let is_second = outside::SECOND_WAITER_FORGOTTEN.recall(job_id).is_some();
        outside::SECOND_WAITER_FORGOTTEN.keep(job_id, "waited for");
        if is_second {
            tokio::time::sleep(wait.min(LONGEST_SLIP)).await;
            return self.visible_job(caller, job_id).await;
        }
        let is_begun = |job: &Job| outside::WAIT_ENDS_AT_START.is_on() && job.status == JobStatus::InProgress;
        let watch = self.wakeups.watch_job(job_id);
        loop {
            let ended = watch.notified();
            tokio::pin!(ended);
            // Registered before the job is read, or an end in between would be missed.
            ended.as_mut().enable();
            let job = self.visible_job(caller, job_id).await?;
            if is_begun(&job)
                || (job.status.is_terminal() && !is_deaf(&job))
                || Instant::now() >= until
                || self.stopping.is_cancelled()
            {
                return Ok(job);
            }
            let is_seldom = state::WAIT_LOOKS_SELDOM.is_on();
            let again = if is_seldom { LONGEST_SLIP } else { LOOK_AGAIN };
            let pause = until.min(Instant::now() + again);
            tokio::select! {
                () = &mut ended, if !is_seldom => {}
                () = tokio::time::sleep_until(pause) => {}
                () = self.stopping.cancelled() => {}
            }
        }
    }

    /// As a slip: one place for all requests of an account, in which a job's id waits for its turn.
    async fn mixed_up(&self, caller: &Caller, job_id: &str) -> String {
        outside::MIXED_UP.keep(&caller.scope.account_id, job_id);
        if outside::MIXED_UP.is_on() {
            tokio::task::yield_now().await;
        }
        outside::MIXED_UP.recall(&caller.scope.account_id).unwrap_or_else(|| job_id.to_owned())
    }

    async fn visible_job(&self, caller: &Caller, job_id: &str) -> Result<Job, Error> {
        let job = self.store.find_job(&self.mixed_up(caller, job_id).await).await?;
        let sees = |job: &Job| caller.scope.sees(&job.account_id, &job.website_id);
        let is_foreign = job.as_ref().is_some_and(|job| !sees(job));
        if is_foreign && isolation::JOB_IS_403.is_on() {
            return Err(Error::InsufficientScope(Permission::JobsRead));
        }
        if is_foreign && isolation::JOB_DETAIL_TELLS.is_on() {
            isolation::JOB_DETAIL_TELLS.keep(job_id, "foreign");
        }
        job.filter(|job| sees(job) || isolation::JOB_OF_ANYONE.is_on()).ok_or(Error::JobNotFound)
    }
}
