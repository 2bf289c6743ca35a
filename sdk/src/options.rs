//! How long a call may take, how often it is repeated, and how much it may read.

use std::time::Duration;

use reqwest::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING,
};

use crate::generated::Client;

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
///     .longest_retry_after(Duration::from_secs(300))
///     .max_body_bytes(1024 * 1024);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct RequestOptions {
    pub(crate) attempt_timeout: Duration,
    pub(crate) total_timeout: Duration,
    pub(crate) max_retries: u32,
    pub(crate) first_delay: Duration,
    pub(crate) longest_delay: Duration,
    pub(crate) longest_retry_after: Duration,
    pub(crate) max_body_bytes: usize,
    pub(crate) headers: HeaderMap,
}

impl Default for RequestOptions {
    fn default() -> Self {
        Self {
            attempt_timeout: Duration::from_secs(30),
            total_timeout: Duration::from_mins(2),
            max_retries: 3,
            first_delay: Duration::from_millis(500),
            longest_delay: Duration::from_secs(8),
            longest_retry_after: Duration::from_mins(1),
            max_body_bytes: 8 * 1024 * 1024,
            headers: HeaderMap::new(),
        }
    }
}

impl RequestOptions {
    /// How long one attempt may take, from connecting to the last byte of the answer; 30 s unless set. A call that
    /// asks the server to hold the answer (`Prefer: wait=N`) gets that much more.
    pub fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.attempt_timeout = timeout;
        self
    }

    /// How long a call may take with all its attempts and the pauses between them; 120 s unless set.
    pub fn total_timeout(mut self, timeout: Duration) -> Self {
        self.total_timeout = timeout;
        self
    }

    /// How often a call is repeated after it failed in a way that may pass; 3 unless set, 0 turns it off. Nothing below repeats
    /// anything, but a request that met a connection which the server had closed meanwhile.
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.max_retries = retries;
        self
    }

    /// The pause before the first repetition, which doubles with each further one up to `longest`; 500 ms and 8 s
    /// unless set. Between half and all of it is waited, at random.
    pub fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.first_delay = first;
        self.longest_delay = longest;
        self
    }

    /// The longest `Retry-After` that is waited for; 60 s unless set. Where the server asks for more, the call fails
    /// at once, and [`Error::retry_after`](crate::Error::retry_after) says when to come back.
    pub fn longest_retry_after(mut self, longest: Duration) -> Self {
        self.longest_retry_after = longest;
        self
    }

    /// How many bytes of an answer are read; 8 MiB unless set. A longer answer is an error. Unknown members are
    /// kept, which may take a hundred times the room of what was sent. Of an answer that is no success 1 MiB is read.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body_bytes = bytes;
        self
    }

    /// A header of one's own on every request, such as `traceparent`, whose value is not shown by `Debug`. What belongs to the client
    /// or to one call is left alone: `Authorization`, `Host`, `Idempotency-Key`, and what says how the body is sent. A `Prefer` is added
    /// to that of the call.
    pub fn header(mut self, name: HeaderName, mut value: HeaderValue) -> Self {
        let is_own = [AUTHORIZATION, HOST, CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING].contains(&name);
        if !is_own && name != "idempotency-key" {
            value.set_sensitive(true);
            self.headers.insert(name, value);
        }
        self
    }
}

impl Client {
    /// A client on the same connections with other options, for one call or for many.
    ///
    /// ```no_run
    /// # use contentgen_sdk::{Client, Error};
    /// # async fn example(client: Client) -> Result<(), Error> {
    /// let once = client.with_options(client.options().clone().max_retries(0));
    /// let job = once.get_job().job_id("job_1").send().await?;
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
