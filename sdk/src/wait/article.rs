//! Waiting for the article of a job, on servers that have an operation to read jobs and on those that have none.

use std::time::Duration;

use tokio::time::{Instant, sleep_until, timeout_at};

use super::job::until_done;
use super::options::{Limits, Wait};
use crate::clock::after;
use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::generated::Client;
use crate::generated::types::{Article, GenerateRequest, Job, JobStatus};
use crate::response::Response;

/// The code of a server that has the operation, but not this job.
const JOB_NOT_FOUND: &str = "job_not_found";
/// The codes of an article that will never be.
const NEVER: [&str; 2] = ["generation_failed", "generation_cancelled"];

impl Client {
    /// Queues an article and waits until it can be read.
    ///
    /// The job goes on when the wait ends early: [`Error::job_id`] names it, and
    /// [`wait_for_article`](Client::wait_for_article) takes the wait up again.
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// use contentgen_sdk::types::GenerateRequest;
    ///
    /// let request = GenerateRequest::builder().topic("Raised beds for a small garden").website_id("web_1");
    /// let article = client.generate_and_wait(request).await?;
    /// println!("{}", article.title.as_deref().unwrap_or("untitled"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// What queueing or reading failed with, a time-out, or [`ErrorKind::Generation`] when the job ended without an
    /// article.
    pub fn generate_and_wait<V>(&self, request: V) -> Wait<'_, Response<Article>>
    where
        V: TryInto<GenerateRequest>,
        V::Error: std::fmt::Display,
    {
        let request = self.generate().body(request);
        Wait::new(move |limits| {
            Box::pin(async move {
                let deadline = limits.deadline();
                let too_late = |_elapsed| Error::timed_out("the time to wait was over before the job was queued");
                let queued = timeout_at(deadline, request.send()).await.map_err(too_late)??;
                article_of(self, &queued.job_id, limits, deadline).await
            })
        })
    }

    /// Waits until the article of a job can be read.
    ///
    /// Works with a server that has no operation to read jobs: the article is asked for by the job's id then.
    ///
    /// # Errors
    ///
    /// What reading failed with, a time-out, or [`ErrorKind::Generation`] when the job ended without an article.
    pub fn wait_for_article(&self, job_id: impl Into<String>) -> Wait<'_, Response<Article>> {
        let job_id = job_id.into();
        Wait::new(move |limits| {
            Box::pin(async move {
                let deadline = limits.deadline();
                article_of(self, &job_id, limits, deadline).await
            })
        })
    }
}

/// The article of a job, once there is one.
async fn article_of(
    client: &Client,
    job_id: &str,
    mut limits: Limits<'_>,
    deadline: Instant,
) -> Result<Response<Article>, Error> {
    let outcome = match until_done(client, job_id, &mut limits, deadline).await {
        Ok(job) => match article_id(&job) {
            Ok(id) => until_readable(client, id, limits.poll_interval, deadline, job_id).await,
            Err(error) => Err(error),
        },
        Err(error) if has_no_job_operation(&error) => {
            until_readable(client, job_id, limits.poll_interval, deadline, job_id).await
        }
        Err(error) => Err(error),
    };
    outcome.map_err(|error| error.waiting_for(job_id))
}

/// The id by which the article of a job that has ended is read.
fn article_id(job: &Job) -> Result<&str, Error> {
    match (&job.article_id, &job.status) {
        (Some(id), _) => Ok(id),
        (None, JobStatus::Completed) => Ok(&job.job_id),
        (None, status) => {
            let reason = job.error.as_ref();
            let words = reason.map_or_else(String::new, |reason| format!(": {} ({})", reason.message, reason.code));
            let error = Error::new(ErrorKind::Generation, format!("the job {} ended as {status}{words}", job.job_id));
            Err(error.with(|inner| inner.code = reason.map(|reason| reason.code.to_string())))
        }
    }
}

/// Whether an error says that the server cannot read jobs, or not in the form that this crate knows. The operation is
/// no part of what every server has.
fn has_no_job_operation(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::UnexpectedAnswer => true,
        ErrorKind::Api => {
            let status = error.status().map(|status| status.as_u16());
            matches!(status, Some(404 | 405 | 501)) && error.code() != Some(JOB_NOT_FOUND)
        }
        _ => false,
    }
}

/// Asks for an article until it is there. Before that, any error answer only says that it is not there yet, except one
/// that refuses the key or says that it never will be.
async fn until_readable(
    client: &Client,
    id: &str,
    poll_interval: Duration,
    deadline: Instant,
    job_id: &str,
) -> Result<Response<Article>, Error> {
    loop {
        let asked_at = Instant::now();
        let request = client.get_article().id(id).send();
        let error = match timeout_at(deadline, request).await.map_err(|_elapsed| Error::not_ended(job_id))? {
            Ok(article) => return Ok(article),
            Err(error) => error,
        };
        if error.code().is_some_and(|code| NEVER.contains(&code)) {
            return Err(error.with(|inner| inner.kind = ErrorKind::Generation));
        }
        let refuses_key = error.status().is_some_and(|status| matches!(status.as_u16(), 401 | 403));
        if error.kind() != ErrorKind::Api || refuses_key {
            return Err(error);
        }
        let pause = error.retry_after().unwrap_or_default().min(client.options().longest_retry_after);
        let next_look = after(asked_at, poll_interval.max(pause));
        if next_look >= deadline {
            sleep_until(deadline).await;
            return Err(Error::not_ended(job_id));
        }
        sleep_until(next_look).await;
    }
}
