//! Waits for the article of a job, on servers with or without an operation to read jobs.

use std::time::Duration;

use reqwest::header::HeaderValue;

use super::job::{self, has_ended};
use super::options::{Limits, Wait};
use super::poller::JobPoller;
use crate::client::Client;
use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::error_words::excerpt;
use crate::generated::builder::Generate;
use crate::generated::types::{Article, ArticleStatus, GenerateRequest, Job, JobStatus, QueuedJob};
use crate::platform::timeout_at;
use crate::response::Response;
use crate::retry_safety::RetrySafety;

/// Code of a server that has the operation, but not this job.
const JOB_NOT_FOUND: &str = "job_not_found";
/// Codes of a missing or invalid key.
const KEY_REFUSED: [&str; 2] = ["missing_credentials", "invalid_credentials"];
/// Code of a key without the required scope.
const INSUFFICIENT_SCOPE: &str = "insufficient_scope";
/// Codes of an article that will never exist.
const NEVER: [&str; 2] = ["generation_failed", "generation_cancelled"];

impl Client {
    /// Queues an article and waits until it is readable.
    ///
    /// The job continues if the wait ends early: [`Error::job_id`] is its id, and
    /// [`wait_for_article`](Client::wait_for_article) resumes the wait. If the wait ended before the server had confirmed a job, there is
    /// only an [`Error::idempotency_key`]: [`Generate::send_and_wait`] with that key waits for the job that may have been queued.
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// use contentgen_sdk::types::GenerateRequest;
    ///
    /// let request = GenerateRequest::new().topic("Raised beds for a small garden").website_id("web_1");
    /// let article = client.generate_and_wait(request).await?;
    /// println!("{}", article.title.as_deref().unwrap_or("untitled"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Any error of queueing or reading, [`ErrorKind::WaitTimeout`] if the article was not written in time,
    /// [`ErrorKind::Timeout`] if the server stopped responding, or [`ErrorKind::Generation`] if the job ended without an article.
    pub fn generate_and_wait<'a>(&self, request: GenerateRequest) -> Wait<'a, Response<Article>> {
        self.generate().body(request).send_and_wait()
    }

    /// Waits until the article of a job is readable.
    ///
    /// Also works with a server that has no operation to read jobs, and with a key that may not read them. It then requests the article by
    /// the job's id.
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
    /// Any error of reading, [`ErrorKind::WaitTimeout`] if the article was not written in time, [`ErrorKind::Timeout`] if the
    /// server stopped responding, or [`ErrorKind::Generation`] if the job ended without an article.
    pub fn wait_for_article<'a>(&self, job_id: impl Into<String>) -> Wait<'a, Response<Article>> {
        wait_for_article(self.clone(), job_id.into())
    }
}

#[cfg(feature = "blocking")]
impl crate::blocking::Client {
    /// Queues an article and waits until it is readable: see [`Client::generate_and_wait`](crate::Client::generate_and_wait).
    pub fn generate_and_wait<'a>(&self, request: GenerateRequest) -> Wait<'a, Response<Article>, Self> {
        self.generate().body(request).send_and_wait()
    }

    /// Waits until the article of a job is readable: see [`Client::wait_for_article`](crate::Client::wait_for_article).
    pub fn wait_for_article<'a>(&self, job_id: impl Into<String>) -> Wait<'a, Response<Article>, Self> {
        wait_for_article(self.clone(), job_id.into())
    }
}

fn wait_for_article<'a, C>(client: C, job_id: String) -> Wait<'a, Response<Article>, C> {
    Wait::new(client, move |client, limits| {
        Box::pin(async move {
            let poller = limits.poller(&client, job_id, limits.deadline());
            article_of(poller, limits).await
        })
    })
}

impl<C> Generate<C> {
    /// Queues the article and waits until it is readable.
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
    /// Another process with the same idempotency key waits for the same job, on a server that keeps keys. If the job has failed, use
    /// another key: with the same one, the server returns the failed job again.
    ///
    /// # Errors
    ///
    /// The same as [`Client::generate_and_wait`].
    pub fn send_and_wait<'a>(self) -> Wait<'a, Response<Article>, C> {
        let (client, mut call) = self.complete();
        Wait::new(client, move |client, limits| {
            Box::pin(async move {
                let deadline = limits.deadline();
                // Made before sending, to be available if the call times out.
                let key = Some(call.ensure_idempotency_key()?);
                let too_late = |_elapsed| {
                    let error = Error::timed_out("no response from the server confirmed the job within the time limit");
                    after_queueing(error.before_sending("generate"), &client, key.clone())
                };
                let queued = timeout_at(deadline, call.send::<QueuedJob>(client.clone())).await.map_err(too_late)??;
                let poller = limits.poller(&client, queued.job_id.clone(), deadline).of_known_server();
                article_of(poller, limits).await.map_err(|error| after_queueing(error, &client, key))
            })
        })
    }
}

/// Returns the error of a call that has or may have queued a job. Making the call again queues another job, unless the server keeps the
/// key. After a job that failed, the caller wants another job.
fn after_queueing(error: Error, client: &Client, key: Option<HeaderValue>) -> Error {
    let keeps_keys = client.options().server_keeps_idempotency_keys || client.inner.server.keeps_keys();
    let error = error.sent_with(key);
    if error.job_error().is_some_and(|job| job.retryable) {
        return error.with(|inner| inner.retry_safety = Some(RetrySafety::Safe));
    }
    error.if_retried(if keeps_keys { RetrySafety::SafeWithSameKey } else { RetrySafety::MayDuplicate })
}

/// Returns the article of a job once it exists.
async fn article_of(mut poller: JobPoller<'_>, mut limits: Limits<'_>) -> Result<Response<Article>, Error> {
    let outcome = match until_ended(&mut poller, &mut limits).await {
        Ok(Found::Article(article)) => Ok(*article),
        Ok(Found::Id(id)) => until_readable(&mut poller, &id).await,
        Err(error) => Err(error),
    };
    let outcome = match outcome {
        Ok(article) if limits.until_published => until_published(&mut poller, article).await,
        outcome => outcome,
    };
    outcome.map_err(|error| error.waiting_for(&poller.job_id))
}

/// Result of following a job until it has ended or cannot be followed.
enum Found {
    /// Id by which the article can be requested.
    Id(String),
    /// The article itself, if it already exists.
    Article(Box<Response<Article>>),
}

/// Follows the job until it ends. Every server returns the article by the job's id, but not every server can read jobs. Servers that
/// cannot do so may respond with any error.
async fn until_ended(poller: &mut JobPoller<'_>, limits: &mut Limits<'_>) -> Result<Found, Error> {
    let mut longest_hold = Duration::ZERO;
    loop {
        match job::poll_job(poller, limits, longest_hold).await? {
            Ok(job) if has_ended(&job) => return article_id(&job).map(|id| Found::Id(id.to_owned())),
            Ok(_) if longest_hold.is_zero() => {
                longest_hold = Duration::MAX;
                continue;
            }
            Ok(_) => {}
            Err(error) if ends_the_wait(&error) => return Err(error),
            Err(error) if error.may_pass() => {
                // The error may pass, or the server lacks this operation. With `Retry-After` it is the former.
                let id = poller.job_id.clone();
                if error.retry_after().is_none()
                    && let Some(article) = poll_article(poller, &id).await?
                {
                    return Ok(Found::Article(Box::new(article)));
                }
            }
            Err(_no_such_operation) => return Ok(Found::Id(poller.job_id.clone())),
        }
        poller.pause().await?;
    }
}

/// Returns the id by which the article of an ended job is read.
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

/// Returns true if an error of reading the job is final, and not just from a server that cannot read jobs.
fn ends_the_wait(error: &Error) -> bool {
    error.code().is_some_and(|code| code == JOB_NOT_FOUND || KEY_REFUSED.contains(&code))
        || matches!(error.kind(), ErrorKind::Config | ErrorKind::InvalidRequest)
}

/// Requests an article until it exists.
async fn until_readable(poller: &mut JobPoller<'_>, id: &str) -> Result<Response<Article>, Error> {
    loop {
        if let Some(article) = poll_article(poller, id).await? {
            return Ok(article);
        }
        poller.pause().await?;
    }
}

/// Requests an article until it is published.
async fn until_published(
    poller: &mut JobPoller<'_>,
    mut article: Response<Article>,
) -> Result<Response<Article>, Error> {
    poller.has_article = true;
    poller.poll_soon();
    let id = article.id.clone().unwrap_or_else(|| poller.job_id.clone());
    while article.published_at.is_none() && article.status != Some(ArticleStatus::Published) {
        poller.pause().await?;
        if let Some(read) = poll_article(poller, &id).await? {
            article = read;
        }
    }
    Ok(article)
}

/// Requests an article once. Before it exists, any error response only means "not yet", except one that refuses the key or says that the
/// article will never exist.
async fn poll_article(poller: &mut JobPoller<'_>, id: &str) -> Result<Option<Response<Article>>, Error> {
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
    let may_pass = error.kind() == ErrorKind::Api || error.may_pass();
    if is_final || !may_pass { Err(error) } else { Ok(None) }
}
