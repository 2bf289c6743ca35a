//! Waiting for the article of a job, on servers that have an operation to read jobs and on those that have none.

use std::time::Duration;

use reqwest::header::HeaderValue;

use super::job::{self, has_ended};
use super::options::{Limits, Wait};
use super::poller::JobPoller;
use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::error_words::excerpt;
use crate::generated::Client;
use crate::generated::builder::Generate;
use crate::generated::types::{Article, Job, JobStatus, builder};
use crate::idempotency;
use crate::platform::timeout_at;
use crate::response::Response;

/// The code of a server that has the operation, but not this job.
const JOB_NOT_FOUND: &str = "job_not_found";
/// The codes of a key that is none.
const KEY_REFUSED: [&str; 2] = ["missing_credentials", "invalid_credentials"];
/// The code of a key that may not do this.
const INSUFFICIENT_SCOPE: &str = "insufficient_scope";
/// The codes of an article that will never be.
const NEVER: [&str; 2] = ["generation_failed", "generation_cancelled"];

impl Client {
    /// Queues an article and waits until it can be read.
    ///
    /// The job goes on when the wait ends early: [`Error::job_id`] names it, and
    /// [`wait_for_article`](Client::wait_for_article) takes the wait up again. Where it ended before the server had confirmed a job,
    /// there is an [`Error::idempotency_key`] instead: [`Generate::send_and_wait`] with that one waits for the job that may have been
    /// queued.
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
    /// What queueing or reading failed with, [`ErrorKind::WaitTimeout`] when the article was not written in time,
    /// [`ErrorKind::Timeout`] when the server did not answer any more, or [`ErrorKind::Generation`] when the job ended without an article.
    pub fn generate_and_wait(&self, request: impl Into<builder::GenerateRequest>) -> Wait<'_, Response<Article>> {
        self.generate().body(request).send_and_wait()
    }

    /// Waits until the article of a job can be read.
    ///
    /// Works with a server that has no operation to read jobs, and with a key that may not: the article is asked for by the job's
    /// id then.
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// let article = client.wait_for_article("job_1").timeout(std::time::Duration::from_secs(60)).await?;
    /// println!("{}", article.content_markdown.as_deref().unwrap_or_default());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// What reading failed with, [`ErrorKind::WaitTimeout`] when the article was not written in time, [`ErrorKind::Timeout`] when the
    /// server did not answer any more, or [`ErrorKind::Generation`] when the job ended without an article.
    pub fn wait_for_article(&self, job_id: impl Into<String>) -> Wait<'_, Response<Article>> {
        let job_id = job_id.into();
        Wait::new(move |limits| {
            Box::pin(async move {
                let poller = limits.poller(self, job_id, limits.deadline());
                article_of(poller, limits).await
            })
        })
    }
}

impl<'a> Generate<'a> {
    /// Queues the article and waits until it can be read.
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// let order = client.generate().topic("Raised beds for a small garden").website_id("web_1").idempotency_key("order-4711");
    /// let article = order.send_and_wait().timeout(std::time::Duration::from_secs(600)).await?;
    /// println!("{}", article.title.as_deref().unwrap_or("untitled"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// With an idempotency key of one's own, another process that does the same waits for the same job, on a server that keeps keys.
    ///
    /// # Errors
    ///
    /// As of [`Client::generate_and_wait`].
    pub fn send_and_wait(self) -> Wait<'a, Response<Article>> {
        Wait::new(move |limits| {
            Box::pin(async move {
                let deadline = limits.deadline();
                let client = self.client;
                // Made here, so that it is known where the call is given up.
                let (key, request) = if let Ok(Some(own)) = &self.idempotency_key {
                    (own.clone(), self)
                } else {
                    let key = idempotency::fresh_text().map_err(|error| error.before_sending("generate"))?;
                    (key.clone(), self.idempotency_key(key))
                };
                let too_late = |_elapsed| {
                    let error = Error::timed_out("no response from the server confirmed the job within the time limit");
                    error.before_sending("generate").sent_with(HeaderValue::from_str(&key).ok())
                };
                let queued = timeout_at(deadline, request.send()).await.map_err(too_late)??;
                let poller = limits.poller(client, queued.job_id.clone(), deadline).of_known_server();
                article_of(poller, limits).await
            })
        })
    }
}

/// The article of a job, once there is one.
async fn article_of(mut poller: JobPoller<'_>, mut limits: Limits<'_>) -> Result<Response<Article>, Error> {
    let outcome = match until_ended(&mut poller, &mut limits).await {
        Ok(Found::Article(article)) => Ok(*article),
        Ok(Found::Id(id)) => until_readable(&mut poller, &id).await,
        Err(error) => Err(error),
    };
    outcome.map_err(|error| error.waiting_for(&poller.job_id))
}

/// What is known when a job has ended, or cannot be followed.
enum Found {
    /// The article may be asked for by this id.
    Id(String),
    /// It is there already.
    Article(Box<Response<Article>>),
}

/// Follows the job. Every server can be asked for the article by the job's id, but not every one can read jobs, and what one
/// answers that cannot is its own affair.
async fn until_ended(poller: &mut JobPoller<'_>, limits: &mut Limits<'_>) -> Result<Found, Error> {
    let mut longest_hold = Duration::ZERO;
    loop {
        match job::look(poller, limits, longest_hold).await? {
            Ok(job) if has_ended(&job) => return article_id(&job).map(|id| Found::Id(id.to_owned())),
            Ok(_) if longest_hold.is_zero() => {
                longest_hold = Duration::MAX;
                continue;
            }
            Ok(_) => {}
            Err(error) if ends_the_wait(&error) => return Err(error),
            Err(error) if error.is_retryable() => {
                // It may pass; or this is how the server says that it has no such operation, unless it says when to come back.
                let id = poller.job_id.clone();
                if error.retry_after().is_none()
                    && let Some(article) = look(poller, &id).await?
                {
                    return Ok(Found::Article(Box::new(article)));
                }
            }
            Err(_no_such_operation) => return Ok(Found::Id(poller.job_id.clone())),
        }
        poller.pause().await?;
    }
}

/// The id by which the article of a job that has ended is read.
fn article_id(job: &Job) -> Result<&str, Error> {
    match (&job.article_id, &job.status) {
        (Some(id), _) => Ok(id),
        (None, JobStatus::Completed) => Ok(&job.job_id),
        (None, status) => {
            let reason = job.error.as_ref();
            let words = reason.map_or_else(String::new, |reason| {
                format!(": {} ({})", excerpt(&reason.message), excerpt(reason.code.as_str()))
            });
            let error = Error::new(
                ErrorKind::Generation,
                format!("the job {} ended as {}{words}", excerpt(&job.job_id), excerpt(status.as_str())),
            );
            Err(error.with(|inner| inner.job_error.clone_from(&job.error)))
        }
    }
}

/// Whether an error of reading the job is none of a server that cannot read jobs.
fn ends_the_wait(error: &Error) -> bool {
    error.code().is_some_and(|code| code == JOB_NOT_FOUND || KEY_REFUSED.contains(&code))
        || matches!(error.kind(), ErrorKind::Config | ErrorKind::InvalidRequest)
}

/// Asks for an article until it is there.
async fn until_readable(poller: &mut JobPoller<'_>, id: &str) -> Result<Response<Article>, Error> {
    loop {
        if let Some(article) = look(poller, id).await? {
            return Ok(article);
        }
        poller.pause().await?;
    }
}

/// Asks for an article once. Before it is there, any error response only says that it is not there yet, except one that refuses
/// the key or says that it never will be.
async fn look(poller: &mut JobPoller<'_>, id: &str) -> Result<Option<Response<Article>>, Error> {
    let request = poller.client.get_article(id);
    let error = match poller.at(Duration::ZERO, request.send()).await? {
        Ok(article) => return Ok(Some(article)),
        Err(error) => error,
    };
    if error.code().is_some_and(|code| NEVER.contains(&code)) {
        return Err(error.with(|inner| inner.kind = ErrorKind::Generation));
    }
    let says_so = error.code().is_some_and(|code| code == INSUFFICIENT_SCOPE || KEY_REFUSED.contains(&code));
    let is_bare = error.status().is_some_and(|status| matches!(status.as_u16(), 401 | 403));
    let is_final = says_so || (is_bare && !poller.knows_key());
    let may_pass = error.kind() == ErrorKind::Api || error.is_retryable();
    if is_final || !may_pass { Err(error) } else { Ok(None) }
}
