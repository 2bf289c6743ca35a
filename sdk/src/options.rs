//! Time limits, retries, and size limits of calls.

use std::time::Duration;

use reqwest::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING,
};

use crate::config::ConfigError;
use crate::idempotency::IDEMPOTENCY_KEY;

/// Options of a client or of a call. [`ClientBuilder::options`] and [`Client::with_options`] take them. An option that is not set keeps its
/// earlier value. A header replaces an earlier one of the same name.
///
/// ```
/// use std::time::Duration;
/// use contentgen_sdk::RequestOptions;
///
/// let patient = RequestOptions::default()
///     .attempt_timeout(Duration::from_secs(60))
///     .total_timeout(Duration::from_secs(600))
///     .max_retries(8)
///     .backoff(Duration::from_secs(1), Duration::from_secs(30))
///     .max_retry_after(Duration::from_secs(300))
///     .max_body_bytes(1024 * 1024);
/// ```
///
/// [`ClientBuilder::options`]: crate::ClientBuilder::options
/// [`Client::with_options`]: crate::Client::with_options
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct RequestOptions {
    attempt_timeout: Option<Duration>,
    total_timeout: Option<Duration>,
    max_retries: Option<u32>,
    first_delay: Option<Duration>,
    longest_delay: Option<Duration>,
    max_retry_after: Option<Duration>,
    max_body_bytes: Option<usize>,
    server_keeps_idempotency_keys: Option<bool>,
    headers: HeaderMap,
}

/// The options of a client's calls, with defaults for those that are not set. [`Client::options`](crate::Client::options) returns them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EffectiveOptions {
    /// Time limit of one attempt.
    pub attempt_timeout: Duration,
    /// Time limit of a call.
    pub total_timeout: Duration,
    /// Maximum number of retries of a call.
    pub max_retries: u32,
    /// Delay before the first retry.
    pub first_delay: Duration,
    /// Longest delay that the client chooses itself.
    pub longest_delay: Duration,
    /// Longest `Retry-After` that the client waits for.
    pub max_retry_after: Duration,
    /// Maximum size of a response in bytes.
    pub max_body_bytes: usize,
    /// True if the caller states that the server keeps idempotency keys.
    pub server_keeps_idempotency_keys: bool,
    pub(crate) headers: HeaderMap,
}

impl Default for EffectiveOptions {
    fn default() -> Self {
        Self {
            attempt_timeout: Duration::from_secs(30),
            total_timeout: Duration::from_secs(2 * 60),
            max_retries: 3,
            first_delay: Duration::from_millis(500),
            longest_delay: Duration::from_secs(8),
            max_retry_after: Duration::from_secs(60),
            max_body_bytes: 8 * 1024 * 1024,
            server_keeps_idempotency_keys: false,
            headers: HeaderMap::new(),
        }
    }
}

impl EffectiveOptions {
    /// Replaces the options that `changes` sets.
    pub(crate) fn merge(&mut self, changes: RequestOptions) {
        /// Copies each field that is set.
        macro_rules! set {
            ($($field:ident),*) => { $( self.$field = changes.$field.unwrap_or(self.$field); )* };
        }
        set!(attempt_timeout, total_timeout, max_retries, first_delay, longest_delay, max_retry_after);
        set!(max_body_bytes, server_keeps_idempotency_keys);
        // Replaces the values of a name that both have.
        self.headers.extend(changes.headers);
    }
}

impl RequestOptions {
    /// Time limit of one attempt, from connecting to the last byte of the response; 30 s unless set. A call that asks the server to hold
    /// the response (`Prefer: wait=N`) gets N seconds more.
    pub fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.attempt_timeout = Some(timeout);
        self
    }

    /// Time limit of a call with all its attempts and the delays between them; 120 s unless set.
    pub fn total_timeout(mut self, timeout: Duration) -> Self {
        self.total_timeout = Some(timeout);
        self
    }

    /// Maximum number of retries after temporary failures; 3 unless set, 0 turns retries off. A `generate` is retried only if that
    /// queues nothing twice: see [`server_keeps_idempotency_keys`](Self::server_keeps_idempotency_keys). Besides, the HTTP client
    /// sends a request again if the server had already closed the idle connection.
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.max_retries = Some(retries);
        self
    }

    /// Delay before the first retry, doubled with each further retry up to `longest`; 500 ms and 8 s unless set. The actual delay is a
    /// random value between half and all of it. If the server sends `Retry-After`, the client waits that long, plus a random part of its
    /// own delay, so that clients do not all return at the same moment.
    pub fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.first_delay = Some(first);
        self.longest_delay = Some(longest);
        self
    }

    /// Longest `Retry-After` that the client waits for; 60 s unless set. If the server asks for more, the call fails at once, and
    /// [`Error::retry_after`](crate::Error::retry_after) returns the requested delay.
    pub fn max_retry_after(mut self, longest: Duration) -> Self {
        self.max_retry_after = Some(longest);
        self
    }

    /// Maximum size of a response in bytes; 8 MiB unless set. A longer response is an error. Unknown fields are kept, which may take a
    /// hundred times the memory of the bytes received. Responses without success are read up to 1 MiB.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body_bytes = Some(bytes);
        self
    }

    /// States that the server keeps idempotency keys, so that a `generate` may be retried after any temporary failure; `false` unless
    /// set.
    ///
    /// The service description does not promise that a server keeps them: `Idempotency-Key` is an extension
    /// (draft-ietf-httpapi-idempotency-key-header-07). A server that ignores keys queues an article for each request that reaches it,
    /// even if its response was lost. So unless this is set, a `generate` is retried only after a failed connection, 429 and
    /// `idempotency_in_flight`, which queue nothing. The client recognises a server that implements the whole API document by any response
    /// to an operation: by the quotas of the document in `RateLimit-Policy`, by a problem document with a code of the document, or by a
    /// replay. From then on all clients on the same connections retry `generate` as if this were set. Reads and `cancel_job` are always
    /// retried.
    pub fn server_keeps_idempotency_keys(mut self, keeps: bool) -> Self {
        self.server_keeps_idempotency_keys = Some(keeps);
        self
    }

    /// Adds a custom header to every request, such as `traceparent`. `Debug` does not show its value. A `Prefer` is added to that of the
    /// call.
    ///
    /// # Errors
    ///
    /// [`ConfigError::ReservedHeader`] for headers of the client or of one call: `Authorization`, `Host`, `Idempotency-Key`, and the
    /// headers that describe the body.
    pub fn header(mut self, name: HeaderName, mut value: HeaderValue) -> Result<Self, ConfigError> {
        let reserved = [AUTHORIZATION, HOST, CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING];
        if reserved.contains(&name) || name == IDEMPOTENCY_KEY {
            return Err(ConfigError::ReservedHeader(name));
        }
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(self)
    }
}
