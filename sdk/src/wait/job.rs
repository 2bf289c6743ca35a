//! Waits for a job to end, by long polling if the server holds its responses (RFC 7240 `Prefer: wait`).

use std::time::Duration;

use super::options::{Limits, Wait};
use super::poller::JobPoller;
use crate::client::Client;
use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::generated::types::{Job, JobStatus};
use crate::response::{Origin, Response};

impl Client {
    /// Waits until a job has ended, with any result.
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
    /// [`ErrorKind::WaitTimeout`] if the job had not ended in time, [`ErrorKind::Timeout`] if the server stopped responding, or any error
    /// of reading the job. Errors that may pass do not end the wait, unless the server was never reached or asks for more time than is
    /// left.
    pub fn wait_for_job<'a>(&self, job_id: impl Into<String>) -> Wait<'a, Response<Job>> {
        wait_for_job(self.clone(), job_id.into())
    }
}

#[cfg(feature = "blocking")]
impl crate::blocking::Client {
    /// Waits until a job has ended, with any result: see [`Client::wait_for_job`](crate::Client::wait_for_job).
    pub fn wait_for_job<'a>(&self, job_id: impl Into<String>) -> Wait<'a, Response<Job>, Self> {
        wait_for_job(self.clone(), job_id.into())
    }
}

fn wait_for_job<'a, C>(client: C, job_id: String) -> Wait<'a, Response<Job>, C> {
    Wait::new(client, move |client, mut limits| {
        Box::pin(async move {
            let mut poller = limits.poller(&client, job_id, limits.deadline());
            let outcome = until_done(&mut poller, &mut limits).await;
            outcome.map_err(|error| error.waiting_for(&poller.job_id))
        })
    })
}

impl Error {
    /// Returns the error with the job that was waited for.
    pub(super) fn waiting_for(self, job_id: &str) -> Self {
        self.with(|inner| inner.job_id = Some(job_id.to_owned()))
    }
}

/// Reads a job until it has ended.
async fn until_done(poller: &mut JobPoller<'_>, limits: &mut Limits<'_>) -> Result<Response<Job>, Error> {
    let mut hold = Duration::ZERO;
    loop {
        match poll_job(poller, limits, hold).await? {
            Ok(job) if has_ended(&job) => return Ok(job),
            // The first request is not held, so that the caller learns the state of the job at once. From then on the server may hold
            // its response. A server that does not is polled only after a delay.
            Ok(_) if hold.is_zero() => hold = Duration::MAX,
            Ok(_) => poller.pause().await?,
            Err(error) if error.may_pass() => poller.pause().await?,
            Err(error) => return Err(error),
        }
    }
}

/// Reads a job once, held by the server up to a maximum time, and reports its progress.
pub(super) async fn poll_job(
    poller: &mut JobPoller<'_>,
    limits: &mut Limits<'_>,
    longest_hold: Duration,
) -> Result<Result<Response<Job>, Error>, Error> {
    let mut request = poller.client.get_job(poller.job_id.as_str());
    // Whole seconds, the unit of the header.
    let hold = Duration::from_secs(poller.hold().min(longest_hold).as_secs());
    if !hold.is_zero() {
        request = request.prefer(format!("wait={}", hold.as_secs()));
    }
    let job_id = poller.job_id.clone();
    let outcome = poller.at(hold, async { request.send().await.and_then(|job| own(job, &job_id)) }).await?;
    if let Ok(job) = &outcome
        && limits.report(job)
    {
        poller.poll_soon();
    }
    Ok(outcome)
}

/// Checks that the response is about the requested job. Another job's article would belong to another caller. Ignores case, since some
/// servers match ids in any case.
fn own(job: Response<Job>, job_id: &str) -> Result<Response<Job>, Error> {
    if job.job_id.eq_ignore_ascii_case(job_id) {
        return Ok(job);
    }
    let error = Error::new(ErrorKind::UnexpectedResponse, "the server answered with another job");
    Err(error.of(Origin { operation: "get_job", attempts: 1 }).with(|inner| {
        inner.status = Some(job.http_status());
        inner.headers = job.headers().clone();
    }))
}

/// Returns true if a job will not change any more.
pub(super) fn has_ended(job: &Job) -> bool {
    job.done || matches!(job.status, JobStatus::Completed | JobStatus::Failed | JobStatus::Cancelled)
}
