//! How long a call may take, how often it is repeated, and how much it may read.

use std::time::Duration;

use reqwest::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING,
};

use crate::config::ConfigError;
use crate::generated::Client;
use crate::idempotency::IDEMPOTENCY_KEY;

/// Options of calls. The client has one set of them; [`Client::with_options`] gives a clone with another.
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
/// Each of them can be read as a field: `client.options().max_retries`.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
#[non_exhaustive]
pub struct RequestOptions {
    /// How long one attempt may take.
    pub attempt_timeout: Duration,
    /// How long a call may take.
    pub total_timeout: Duration,
    /// How often a call is repeated at most.
    pub max_retries: u32,
    /// The pause before the first repetition.
    pub first_delay: Duration,
    /// The longest pause of its own.
    pub longest_delay: Duration,
    /// The longest `Retry-After` that is waited for.
    pub max_retry_after: Duration,
    /// How many bytes of a response are read.
    pub max_body_bytes: usize,
    /// Whether the caller says that the server keeps idempotency keys.
    pub server_keeps_idempotency_keys: bool,
    pub(crate) headers: HeaderMap,
}

impl Default for RequestOptions {
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

impl RequestOptions {
    /// How long one attempt may take, from connecting to the last byte of the response; 30 s unless set. A call that
    /// asks the server to hold the response (`Prefer: wait=N`) gets that much more.
    pub fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.attempt_timeout = timeout;
        self
    }

    /// How long a call may take with all its attempts and the pauses between them; 120 s unless set.
    pub fn total_timeout(mut self, timeout: Duration) -> Self {
        self.total_timeout = timeout;
        self
    }

    /// How often a call is repeated after it failed in a way that may pass; 3 unless set, 0 turns it off. A `generate` is repeated only
    /// where that queues nothing twice: see [`server_keeps_idempotency_keys`](Self::server_keeps_idempotency_keys). Nothing below
    /// repeats anything, but a request that met a connection which the server had closed meanwhile.
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.max_retries = retries;
        self
    }

    /// The pause before the first repetition, which doubles with each further one up to `longest`; 500 ms and 8 s
    /// unless set. Between half and all of it is waited, at random. Where the server asks for a pause by `Retry-After`, that is waited, and
    /// up to as much again as the pause would have been, so that not everybody comes back in the same moment.
    pub fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.first_delay = first;
        self.longest_delay = longest;
        self
    }

    /// The longest `Retry-After` that is waited for; 60 s unless set. Where the server asks for more, the call fails
    /// at once, and [`Error::retry_after`](crate::Error::retry_after) says when to come back.
    pub fn max_retry_after(mut self, longest: Duration) -> Self {
        self.max_retry_after = longest;
        self
    }

    /// How many bytes of a response are read; 8 MiB unless set. A longer response is an error. Unknown members are
    /// kept, which may take a hundred times the room of what was sent. Of a response that is no success 1 MiB is read.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body_bytes = bytes;
        self
    }

    /// Says that the server keeps idempotency keys, so that a `generate` may be repeated after any failure that may pass; `false` unless
    /// set.
    ///
    /// The service description does not promise that a server keeps them: `Idempotency-Key` is an extension
    /// (draft-ietf-httpapi-idempotency-key-header-07). A server that overlooks them queues an article for each request that reaches it,
    /// also for one whose response was lost. So unless this is set, a `generate` is repeated only after a failed connection, 429 and
    /// `idempotency_in_flight`, which queue nothing. The client finds out by itself once the server answers a `generate` with
    /// `Idempotency-Replayed: true` or with `idempotency_in_flight`: from then on its calls of `generate`, and those of its clones, are
    /// repeated as if this were set. Reads and `cancel_job` are always repeated.
    pub fn server_keeps_idempotency_keys(mut self, keeps: bool) -> Self {
        self.server_keeps_idempotency_keys = keeps;
        self
    }

    /// A header of one's own on every request, such as `traceparent`, whose value is not shown by `Debug`. A `Prefer` is added to that of
    /// the call.
    ///
    /// # Errors
    ///
    /// [`ConfigError::ReservedHeader`] for what belongs to the client or to one call: `Authorization`, `Host`, `Idempotency-Key`, and what
    /// says how the body is sent.
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

impl Client {
    /// A client on the same connections with other options, for one call or for many.
    ///
    /// ```no_run
    /// # use contentgen_sdk::{Client, Error};
    /// # async fn example(client: Client) -> Result<(), Error> {
    /// let once = client.with_options(client.options().clone().max_retries(0));
    /// let job = once.get_job("job_1").send().await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_options(&self, options: RequestOptions) -> Self {
        let mut client = self.clone();
        client.inner.options = options;
        client
    }

    /// The options that this client's calls have.
    pub fn options(&self) -> &RequestOptions {
        &self.inner.options
    }
}
