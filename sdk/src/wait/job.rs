//! Waiting for a job to end, by long poll where the server holds its answers (RFC 7240 `Prefer: wait`).

use std::time::Duration;

use tokio::time::{Instant, sleep_until, timeout_at};

use super::options::{Limits, Wait};
use crate::clock::after;
use crate::error::Error;
use crate::generated::Client;
use crate::generated::types::{Job, JobStatus};
use crate::response::Response;

/// How long a server is asked to hold one answer.
const HOLD: Duration = Duration::from_secs(20);

impl Client {
    /// Waits until a job has ended, however it ended.
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// let job = client
    ///     .wait_for_job("job_1")
    ///     .timeout(std::time::Duration::from_secs(60))
    ///     .on_progress(|job| println!("{} {}%", job.status, job.progress.unwrap_or(0)))
    ///     .await?;
    /// println!("{:?}", job.article_id);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A time-out, or what reading the job failed with.
    pub fn wait_for_job(&self, job_id: impl Into<String>) -> Wait<'_, Response<Job>> {
        let job_id = job_id.into();
        Wait::new(move |limits| {
            Box::pin(async move {
                let deadline = limits.deadline();
                let mut limits = limits;
                until_done(self, &job_id, &mut limits, deadline).await.map_err(|error| error.waiting_for(&job_id))
            })
        })
    }
}

impl Error {
    /// The same error, with the job that was waited for.
    pub(super) fn waiting_for(self, job_id: &str) -> Self {
        self.with(|inner| inner.job_id = Some(job_id.to_owned()))
    }

    /// The end of a wait that took too long.
    pub(super) fn not_ended(job_id: &str) -> Self {
        Self::timed_out(format!("the job {job_id} had not ended when the time to wait for it was over"))
    }
}

/// Reads a job until it has ended.
pub(super) async fn until_done(
    client: &Client,
    job_id: &str,
    limits: &mut Limits<'_>,
    deadline: Instant,
) -> Result<Response<Job>, Error> {
    let mut hold = Duration::ZERO;
    loop {
        let asked_at = Instant::now();
        let mut request = client.get_job().job_id(job_id);
        hold = hold.min(deadline.saturating_duration_since(asked_at));
        if hold.as_secs() > 0 {
            request = request.prefer(format!("wait={}", hold.as_secs()));
        }
        let outcome = timeout_at(deadline, request.send()).await.map_err(|_elapsed| Error::not_ended(job_id))?;
        match outcome {
            Ok(job) => {
                limits.tell(&job);
                if has_ended(&job) {
                    return Ok(job);
                }
            }
            // What may pass has been tried again already; the wait has more patience than one call.
            Err(error) if error.is_retryable() => {}
            Err(error) => return Err(error),
        }
        // The first look is answered at once, so that the caller learns of the job. From then on the server may hold its
        // answer; one that does not is asked again only after a while.
        let next_look = if hold.is_zero() { asked_at } else { after(asked_at, limits.poll_interval) };
        hold = HOLD;
        if next_look >= deadline {
            sleep_until(deadline).await;
            return Err(Error::not_ended(job_id));
        }
        sleep_until(next_look).await;
    }
}

/// Whether a job will not change any more.
fn has_ended(job: &Job) -> bool {
    job.done || matches!(job.status, JobStatus::Completed | JobStatus::Failed | JobStatus::Cancelled)
}
