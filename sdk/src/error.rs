//! The one error type of the crate: what it tells a caller. How errors come about is in `error_from`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};

use crate::error_kind::ErrorKind;
use crate::generated::types;

/// Anything that can go wrong in a call.
///
/// Neither its text nor its `Debug` output has the key or the content of a response in it, beyond what a server writes
/// into its problem or its request id.
///
/// ```no_run
/// # async fn example(client: contentgen_sdk::Client) {
/// match client.get_article("art_1").send().await {
///     Ok(article) => println!("{}", article.title.as_deref().unwrap_or("untitled")),
///     Err(error) if error.code() == Some("article_not_ready") => println!("not yet"),
///     Err(error) => eprintln!("{error} (request {:?})", error.request_id()),
/// }
/// # }
/// ```
#[derive(Clone)]
pub struct Error {
    pub(crate) inner: Arc<Inner>,
}

/// What is known of an error.
#[derive(Clone, Debug)]
pub(crate) struct Inner {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
    pub(crate) source: Option<Arc<dyn std::error::Error + Send + Sync>>,
    pub(crate) operation: Option<&'static str>,
    pub(crate) attempts: u32,
    pub(crate) status: Option<StatusCode>,
    pub(crate) headers: HeaderMap,
    /// Whether the response came from elsewhere than where the request was sent.
    pub(crate) was_redirected: bool,
    pub(crate) problem: Option<types::Problem>,
    pub(crate) code: Option<String>,
    pub(crate) body_excerpt: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) job_id: Option<String>,
    pub(crate) idempotency_key: Option<HeaderValue>,
    /// What is wrong with a request that was not sent.
    pub(crate) field_errors: Vec<types::FieldError>,
    /// Why the job failed that was waited for.
    pub(crate) job_error: Option<types::JobError>,
}

impl Error {
    /// What went wrong, seen from the caller.
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// The status of the response, where there was one.
    pub fn status(&self) -> Option<StatusCode> {
        self.inner.status
    }

    /// The headers of the response; empty where there was none.
    pub fn headers(&self) -> &HeaderMap {
        &self.inner.headers
    }

    /// The problem that the server described (RFC 9457), where it did.
    pub fn problem(&self) -> Option<&types::Problem> {
        self.inner.problem.as_ref()
    }

    /// What is wrong with the request, each with its place: what the server's problem lists, up to 100 of them, or all that was found
    /// before it was sent. Empty where there is no such list.
    ///
    /// A place is a `pointer` into the body (RFC 6901, as a URI fragment), a `parameter` of the query or the path, or a `header`.
    pub fn field_errors(&self) -> &[types::FieldError] {
        self.problem().map_or(&self.inner.field_errors, |problem| &problem.errors)
    }

    /// The problem's code, the stable word for what the server refused (`x-problem-codes` of the document). Why a job failed is
    /// [`job_error`](Self::job_error).
    pub fn code(&self) -> Option<&str> {
        self.inner.code.as_deref()
    }

    /// Why the job failed that was waited for, where the service says so: its own code, a sentence, and whether another job may succeed.
    /// The kind is [`Generation`](ErrorKind::Generation) then.
    pub fn job_error(&self) -> Option<&types::JobError> {
        self.inner.job_error.as_ref()
    }

    /// The beginning of an error's body that is no problem, such as a proxy's page.
    pub fn body_excerpt(&self) -> Option<&str> {
        self.inner.body_excerpt.as_deref()
    }

    /// The id by which the server's operators find the request.
    pub fn request_id(&self) -> Option<&str> {
        let header = self.inner.headers.get("x-request-id").and_then(|id| id.to_str().ok());
        header.or_else(|| self.inner.problem.as_ref()?.request_id.as_deref())
    }

    /// How long the server asks to wait before the next attempt (RFC 9110 section 10.2.3), a week at most: it can be added to any clock.
    pub fn retry_after(&self) -> Option<Duration> {
        self.inner.retry_after
    }

    /// Whether the same call may succeed later. Calls that may be repeated have been already, as often as the options
    /// allow; a job that failed has not been queued again. Where there is an [`idempotency_key`](Self::idempotency_key), the service
    /// may have done what was asked: call with that one, which queues nothing twice on a server that keeps keys. After a wait that took
    /// too long there is a [`job_id`](Self::job_id): wait for that job again, since queueing another makes another article.
    pub fn is_retryable(&self) -> bool {
        crate::retry::may_pass(self) || self.job_error().is_some_and(|job| job.retryable)
    }

    /// Whether a time limit passed: that of an attempt or a call, or that of a wait.
    pub fn is_timeout(&self) -> bool {
        matches!(self.kind(), ErrorKind::Timeout | ErrorKind::WaitTimeout)
    }

    /// The job that was waited for, so that a later run can wait for it again.
    pub fn job_id(&self) -> Option<&str> {
        self.inner.job_id.as_deref()
    }

    /// The idempotency key that the call was sent with, one's own or the one it made. A call that queues an article may have
    /// queued it although it failed; made again with this key, it finds the same job on a server that keeps keys.
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// let request = client.generate().topic("Raised beds for a small garden").website_id("web_1");
    /// let queued = match request.clone().send().await {
    ///     Err(error) if error.is_retryable() && error.idempotency_key().is_some() => {
    ///         let key = error.idempotency_key().unwrap_or_default();
    ///         // … later, or in another process:
    ///         request.idempotency_key(key).send().await?
    ///     }
    ///     outcome => outcome?,
    /// };
    /// println!("{}", queued.job_id);
    /// # Ok(())
    /// # }
    /// ```
    pub fn idempotency_key(&self) -> Option<&str> {
        self.inner.idempotency_key.as_ref()?.to_str().ok()
    }

    /// The operation that was called, by its name in the document.
    pub fn operation(&self) -> Option<&'static str> {
        self.inner.operation
    }

    /// How many requests were sent.
    pub fn attempts(&self) -> u32 {
        self.inner.attempts
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operation) = self.inner.operation {
            write!(formatter, "{operation}: ")?;
        }
        formatter.write_str(&self.inner.message)?;
        if self.inner.attempts > 1 {
            write!(formatter, " (after {} attempts)", self.inner.attempts)?;
        }
        Ok(())
    }
}

/// Without the causes below, whose texts the message has: this is what `main` shows of an error that it returns.
impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &self.inner;
        let mut debug = formatter.debug_struct("Error");
        debug.field("kind", &inner.kind).field("message", &self.to_string());
        if let Some(status) = inner.status {
            debug.field("status", &status.as_u16()).field("code", &inner.code).field("request_id", &self.request_id());
        }
        debug.finish_non_exhaustive()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.inner.source.as_ref().map(|source| source.as_ref() as &(dyn std::error::Error + 'static))
    }
}
