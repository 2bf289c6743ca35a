//! The one error type of the crate, as callers see it. `error_from` constructs errors.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};

use crate::error_kind::ErrorKind;
use crate::error_words::innermost;
use crate::generated::types;
use crate::pagination::UnreadableItem;
use crate::retry_safety::RetrySafety;

/// Code of a request whose idempotency key is being processed: its response will be available in a moment.
const IN_FLIGHT: &str = "idempotency_in_flight";

/// Error of a call.
///
/// Its [`source`](std::error::Error::source) is the error of the HTTP client, or that of the last request of a wait. The text does not
/// repeat it; `{error:#}` shows both. The text and the `Debug` output contain neither the key nor the content of a response, except the
/// problem and the request id that the server sent.
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

/// Data of an error.
#[derive(Clone, Debug)]
pub(crate) struct Inner {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
    pub(crate) source: Option<Arc<dyn std::error::Error + Send + Sync>>,
    pub(crate) operation: Option<&'static str>,
    pub(crate) attempts: u32,
    pub(crate) status: Option<StatusCode>,
    pub(crate) headers: HeaderMap,
    /// True if the response came from another address than the request was sent to.
    pub(crate) was_redirected: bool,
    pub(crate) problem: Option<types::Problem>,
    pub(crate) code: Option<String>,
    /// Body of a response without success.
    pub(crate) body: Option<String>,
    pub(crate) body_excerpt: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) job_id: Option<String>,
    pub(crate) idempotency_key: Option<HeaderValue>,
    /// Effect of making the call again; unless set, a retry is safe.
    pub(crate) retry_safety: Option<RetrySafety>,
    /// Problems of a request that was not sent.
    pub(crate) field_errors: Vec<types::FieldError>,
    /// Reason why the awaited job failed.
    pub(crate) job_error: Option<types::JobError>,
    /// Item of a list that cannot be read.
    pub(crate) unreadable_item: Option<UnreadableItem>,
    /// Body of a success that cannot be read, so that the other items of a page can be read.
    pub(crate) unreadable_body: Option<Bytes>,
}

impl Error {
    /// Kind of the error, from the caller's point of view.
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// Status of the response, if there was one.
    pub fn status(&self) -> Option<StatusCode> {
        self.inner.status
    }

    /// Headers of the response; empty if there was none.
    pub fn headers(&self) -> &HeaderMap {
        &self.inner.headers
    }

    /// Problem details that the server sent (RFC 9457), if any.
    pub fn problem(&self) -> Option<&types::Problem> {
        self.inner.problem.as_ref()
    }

    /// Problems of the request, each with its place: those listed by the server, up to 100, or all that were found before sending. Empty if
    /// there is no such list.
    ///
    /// A place is a `pointer` into the body (RFC 6901, as a URI fragment), a `parameter` of the query or the path, or a `header`.
    pub fn field_errors(&self) -> &[types::FieldError] {
        self.problem().map_or(&self.inner.field_errors, |problem| &problem.errors)
    }

    /// Code of the problem as text: a stable word for the server's reason (`x-problem-codes` of the document). For the reason why a job
    /// failed, see [`job_error`](Self::job_error).
    pub fn code(&self) -> Option<&str> {
        self.inner.code.as_deref()
    }

    /// Code of the problem as a value that a `match` can name. A code that this version does not know is
    /// [`Unknown`](types::ProblemCode::Unknown).
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) {
    /// use contentgen_sdk::types::ProblemCode;
    ///
    /// match client.cancel_job("job_1").send().await {
    ///     Ok(job) => println!("{}", job.status),
    ///     Err(error) => match error.problem_code() {
    ///         Some(ProblemCode::JobNotCancellable) => println!("too late"),
    ///         Some(ProblemCode::JobNotFound) => println!("no such job"),
    ///         _ => eprintln!("{error:#}"),
    ///     },
    /// }
    /// # }
    /// ```
    pub fn problem_code(&self) -> Option<&types::ProblemCode> {
        self.problem()?.code.as_ref()
    }

    /// Reason why the awaited job failed, if the service gives one: its code, a sentence, and whether another job may succeed.
    /// The kind is [`Generation`](ErrorKind::Generation) then.
    pub fn job_error(&self) -> Option<&types::JobError> {
        self.inner.job_error.as_ref()
    }

    /// Item of a list that this error is about, if the item cannot be read. Then the list continues after it.
    pub fn unreadable_item(&self) -> Option<&UnreadableItem> {
        self.inner.unreadable_item.as_ref()
    }

    /// Body of an error response as text, with the key masked and without insignificant spaces of JSON. It is cut after 64 KiB.
    pub fn body(&self) -> Option<&str> {
        self.inner.body.as_deref()
    }

    /// Start of an error body that is not a problem document, such as a proxy's page.
    pub fn body_excerpt(&self) -> Option<&str> {
        self.inner.body_excerpt.as_deref()
    }

    /// Id by which the server's operators find the request.
    pub fn request_id(&self) -> Option<&str> {
        let header = self.inner.headers.get("x-request-id").and_then(|id| id.to_str().ok());
        header.or_else(|| self.inner.problem.as_ref()?.request_id.as_deref())
    }

    /// Delay that the server requests before the next attempt (RFC 9110 section 10.2.3), at most a week: it can be added to any clock.
    pub fn retry_after(&self) -> Option<Duration> {
        self.inner.retry_after
    }

    /// Returns true if the same call may succeed later and may be made again: [`retry_safety`](Self::retry_safety) is
    /// [`Safe`](RetrySafety::Safe). False for a `generate` that may have queued an article, since the call would get another idempotency
    /// key. The client has already retried where the options allow it.
    pub fn is_retryable(&self) -> bool {
        self.retry_safety() == RetrySafety::Safe
    }

    /// Effect of making the call again. It covers all attempts of the call: an attempt whose response was lost counts also if a later one
    /// was refused. After [`generate_and_wait`](crate::Client::generate_and_wait) has queued a job, wait for the
    /// [`job_id`](Self::job_id) instead of making the call again.
    pub fn retry_safety(&self) -> RetrySafety {
        let safety = if self.may_pass() { RetrySafety::Safe } else { RetrySafety::Never };
        self.inner.retry_safety.unwrap_or(safety)
    }

    /// Returns true if the next attempt may succeed.
    pub(crate) fn may_pass(&self) -> bool {
        match self.kind() {
            ErrorKind::Connect | ErrorKind::Transport | ErrorKind::Timeout | ErrorKind::WaitTimeout => true,
            ErrorKind::Api => self.status().is_some_and(is_passing) || self.is_in_flight(),
            _ => false,
        }
    }

    /// Returns true if the idempotency key of the request is being processed.
    pub(crate) fn is_in_flight(&self) -> bool {
        self.code() == Some(IN_FLIGHT)
    }

    /// Returns true if a time limit passed: that of an attempt, a call or a wait.
    pub fn is_timeout(&self) -> bool {
        matches!(self.kind(), ErrorKind::Timeout | ErrorKind::WaitTimeout)
    }

    /// Id of the awaited job, so that a later run can wait for it again.
    pub fn job_id(&self) -> Option<&str> {
        self.inner.job_id.as_deref()
    }

    /// Idempotency key of the call, set by the caller or made by the client. A failed call may still have queued an article. Sent again with
    /// this key, the request finds the same job on a server that keeps keys: see [`RetrySafety`]. A call that is dropped has no error: get
    /// its key before, with [`Generate::ensure_idempotency_key`](crate::operations::Generate::ensure_idempotency_key).
    pub fn idempotency_key(&self) -> Option<&str> {
        self.inner.idempotency_key.as_ref()?.to_str().ok()
    }

    /// Name of the operation in the document.
    pub fn operation(&self) -> Option<&'static str> {
        self.inner.operation
    }

    /// Number of requests that were sent.
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
        match (&self.inner.source, formatter.alternate()) {
            (Some(source), true) => match source.downcast_ref::<Self>() {
                Some(error) => write!(formatter, ": {error:#}"),
                None => write!(formatter, ": {}", innermost(source)),
            },
            _ => Ok(()),
        }
    }
}

/// Shows the text with its causes. `main` prints this form of an error that it returns.
impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &self.inner;
        let mut debug = formatter.debug_struct("Error");
        debug.field("kind", &inner.kind).field("message", &format!("{self:#}"));
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

/// Returns true for a status after which the same request may succeed later. 520 to 530 come from content delivery networks that cannot
/// reach the server or get no valid response from it; 598 and 599 come from proxies whose connection to the server timed out.
fn is_passing(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 425 | 429 | 500 | 502..=504 | 520..=530 | 598 | 599)
}
