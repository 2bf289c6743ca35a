//! HTTP transport to the target without any automatic behaviour.
//!
//! `requirements` build the requests; this file adds the keys. `raw` sends raw bytes.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use bytes::BytesMut;
use futures::future::{BoxFuture, FutureExt};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};
use tokio_rustls::TlsConnector;

use super::quotas::{HeldBack, Quota, Quotas};
use super::target::{ExtraHeader, KeyInUse, SetUpError, Target};
use super::{raw, trust};
use crate::check::{Channel, Credential, Exchange, Request, TransportFault, Waits};
use crate::lateness::Lateness;

/// Maximum length of a response body.
const MAX_BODY: usize = 8 * 1024 * 1024;
/// Maximum length of a path: the suite builds paths from ids of the target.
const MAX_PATH: usize = 1024 * 1024;
/// Maximum wait for one 429 or 503 to pass, and maximum number of repetitions of one request.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(65);
const MAX_REPEATS: u32 = 4;
/// Number of such responses in a row after which the suite stops waiting: a target that refuses everything must not delay the run.
const MAX_REFUSALS: u32 = 64;
/// Number of requests that stayed refused after every repetition, since the last one that succeeded, after which the
/// suite stops waiting. One operation may be closed for good while the others respond.
const MAX_IN_VAIN: u32 = 16;

/// Sends requests to one target.
pub(crate) struct Transport {
    client: reqwest::Client,
    base_url: String,
    /// For raw bytes, if the target uses TLS.
    tls: Option<TlsConnector>,
    in_process: Option<Arc<dyn Channel>>,
    /// All keys, the one of the account under test first.
    keys: Vec<KeyInUse>,
    headers: Vec<ExtraHeader>,
    timeout: Duration,
    lateness: Lateness,
    interval: Option<Duration>,
    next_slot: Mutex<Option<Instant>>,
    quotas: Quotas,
    exchanges: AtomicU64,
    /// Number of responses 429 and 503 since the last other one.
    refusals: AtomicU32,
    /// Number of requests that stayed refused since the last one that did not.
    in_vain: AtomicU32,
}

impl fmt::Debug for Transport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Transport").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

impl Transport {
    /// Returns a transport to `target`. Time limits are extended by the `lateness` of the suite.
    pub(crate) fn new(target: &Target, lateness: Lateness) -> Result<Self, SetUpError> {
        // Another crate of the process may have installed a provider first. Either works.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let url = url::Url::parse(&target.base_url).map_err(|error| {
            SetUpError::Configuration(format!(
                "the base URL `{}` is not a URL: {error}; write it like http://127.0.0.1:8080",
                target.base_url
            ))
        })?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(SetUpError::Configuration(format!(
                "the base URL `{}` must begin with http:// or https:// and contain a host",
                target.base_url
            )));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(SetUpError::Configuration(format!(
                "the base URL `{}` has a query or a fragment, so paths cannot be added to it: remove it",
                target.base_url
            )));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(SetUpError::Configuration(
                "the base URL contains a user or password, which would be in every report: remove it".to_owned(),
            ));
        }
        // Reports an unusable certificate here, with a better message than the HTTP client's.
        let (ca_file, client_certificate) = (target.ca_file.as_deref(), target.client_certificate.as_deref());
        let tls = (url.scheme() == "https").then(|| trust::connector(ca_file, client_certificate)).transpose()?;
        let mut builder = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            // reqwest still retries HTTP/2 requests that the peer says it has not processed (RFC 9113, section 8.7).
            .no_proxy()
            .connect_timeout(Duration::from_secs(5))
            .pool_max_idle_per_host(256)
            // Many servers close idle connections after a few seconds. A request must not use such a connection.
            .pool_idle_timeout(Duration::from_secs(2))
            .tcp_nodelay(true)
            .user_agent(concat!("contentgen-conformance/", env!("CARGO_PKG_VERSION")));
        if url.scheme() == "http" {
            // This target uses no TLS, and a system without certificates must not stop the run.
            builder = builder.tls_danger_accept_invalid_certs(true);
        }
        if let Some(ca_file) = &target.ca_file {
            let authorities = trust::certificates(ca_file)?.into_iter().map(|der| reqwest::Certificate::from_der(&der));
            let authorities = authorities.collect::<Result<Vec<_>, _>>().map_err(|error| {
                SetUpError::Configuration(format!("target.ca_file: {}: {error}", ca_file.display()))
            })?;
            builder = builder.tls_certs_merge(authorities);
        }
        if let Some(file) = client_certificate {
            builder = builder.identity(trust::identity(file)?);
        }
        if let Some(proxy) = &target.https_proxy {
            builder = builder.proxy(proxy.of_client()?);
        }
        let client = builder
            .build()
            .map_err(|error| SetUpError::Configuration(format!("cannot set up the HTTP client: {error}")))?;
        let rate = target.limits.requests_per_second;
        Ok(Self {
            client,
            base_url: target.base_url.clone(),
            tls,
            in_process: target.in_process.clone(),
            keys: target.keys(),
            headers: target.headers.clone(),
            timeout: target.limits.timeout,
            lateness,
            interval: (rate > 0.0).then(|| Duration::from_secs_f64(1.0 / rate)),
            next_slot: Mutex::new(None),
            quotas: Quotas::default(),
            exchanges: AtomicU64::new(0),
            refusals: AtomicU32::new(0),
            in_vain: AtomicU32::default(),
        })
    }

    /// Returns the number of exchanges so far.
    pub(crate) fn exchanges(&self) -> u64 {
        self.exchanges.load(Ordering::Relaxed)
    }

    /// Returns the key of the account under test.
    fn main_key(&self) -> &str {
        self.keys.first().map_or("", |main| &main.key)
    }

    /// Returns the values of the `Authorization` header for `credential`.
    fn authorization(&self, credential: &Credential) -> Vec<String> {
        if let Credential::Literal(values) = credential {
            return values.iter().map(|value| value.replace("{key}", self.main_key())).collect();
        }
        let carried = self.keys.iter().find(|one| one.credential == *credential);
        carried.map(|carried| format!("Bearer {}", carried.key)).into_iter().collect()
    }

    /// Waits for the next slot of the rate cap.
    async fn pace(&self) {
        let Some(interval) = self.interval else {
            return;
        };
        let slot = {
            let mut next = self.next_slot.lock().await;
            let slot = next.map_or_else(Instant::now, |next| next.max(Instant::now()));
            *next = Some(slot + interval);
            slot
        };
        sleep_until(slot).await;
    }

    /// Returns the configured time between two requests.
    pub(crate) fn interval(&self) -> Duration {
        self.interval.unwrap_or_default()
    }

    /// Returns the quotas that the target has announced so far.
    pub(crate) fn quotas(&self) -> Vec<Quota> {
        self.quotas.announced()
    }

    /// Holds back all but repeated cases and waits until the quotas have room for a whole case.
    pub(crate) async fn make_room(&self) -> HeldBack<'_> {
        self.quotas.make_room().await
    }

    /// Sends one request outside of any case.
    pub(crate) async fn ask(&self, request: Request) -> Result<Exchange, TransportFault> {
        self.polite(request, &Waits::default()).await
    }

    async fn polite(&self, request: Request, waits: &Waits) -> Result<Exchange, TransportFault> {
        let mut repeats = 0;
        loop {
            let charge = {
                let _waiting = waits.for_quotas();
                self.quotas.turn(&request, waits.precedence()).await
            };
            {
                let _waiting = waits.for_rate();
                self.pace().await;
            }
            let limit = self.timeout + request.patience;
            let sending = self.once(request.clone());
            let exchange = if let Some(limit) = request.closed_after {
                tokio::time::timeout(limit, sending).await.map_err(|_| TransportFault::closed())??
            } else {
                let within = self.lateness.within(limit, sending).await;
                within.ok_or_else(|| TransportFault::timed_out(limit))??
            };
            let has_no_room = exchange.has_no_room();
            if !has_no_room {
                self.refusals.store(0, Ordering::Relaxed);
                if repeats > 0 {
                    self.in_vain.store(0, Ordering::Relaxed);
                }
                charge.answered(&exchange, None);
                return Ok(exchange);
            }
            let refusals = self.refusals.fetch_add(1, Ordering::Relaxed);
            let has_given_up = refusals >= MAX_REFUSALS || self.in_vain.load(Ordering::Relaxed) >= MAX_IN_VAIN;
            let wait = exchange.retry_after().filter(|wait| *wait <= MAX_RETRY_AFTER && !has_given_up);
            charge.answered(&exchange, wait);
            if repeats == MAX_REPEATS {
                self.in_vain.fetch_add(1, Ordering::Relaxed);
            }
            match wait {
                Some(wait) if exchange.is_waited_out() && repeats < MAX_REPEATS => {
                    repeats += 1;
                    let _waiting = waits.for_quotas();
                    tokio::time::sleep(wait).await;
                }
                _ => return Ok(exchange),
            }
        }
    }

    async fn once(&self, request: Request) -> Result<Exchange, TransportFault> {
        if request.path.len() > MAX_PATH {
            return Err(TransportFault::new("an id so long that its path is over 1 MiB, which is not sent"));
        }
        if let Some(server) = &self.in_process {
            return self.once_in_process(server.as_ref(), request).await;
        }
        let method = reqwest::Method::from_bytes(request.method.as_bytes())
            .map_err(|error| TransportFault::new(format!("method cannot be sent: {error}")))?;
        let url = if request.path.starts_with("http://") || request.path.starts_with("https://") {
            request.path.clone()
        } else {
            format!("{}{}", self.base_url, request.path)
        };
        let mut builder = self.client.request(method, url);
        for value in self.authorization(&request.credential) {
            builder = builder.header("authorization", value);
        }
        for ExtraHeader { name, value, .. } in &self.headers {
            builder = builder.header(name.as_str(), value.as_bytes());
        }
        for (name, value) in &request.headers {
            builder = builder.header(name.as_str(), value.as_bytes());
        }
        if let Some(body) = &request.body {
            builder = builder.body(body.clone());
        }
        let begun = Instant::now();
        self.exchanges.fetch_add(1, Ordering::Relaxed);
        let mut answer = builder.send().await.map_err(|error| TransportFault::new(describe(&error)))?;
        let status = answer.status().as_u16();
        let headers = answer.headers().clone();
        let mut body = BytesMut::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| TransportFault::new(describe(&error)))? {
            if body.len() + chunk.len() > MAX_BODY {
                return Err(TransportFault::new(format!("a response body over {} MiB", MAX_BODY >> 20)));
            }
            body.extend_from_slice(&chunk);
        }
        let mut exchange = Exchange::new(request, status, headers, body.freeze(), begun.elapsed());
        exchange.begun = begun;
        Ok(exchange)
    }

    async fn once_in_process(&self, server: &dyn Channel, request: Request) -> Result<Exchange, TransportFault> {
        let mut sent = request.clone();
        let authorization = self.authorization(&request.credential);
        sent.headers.extend(authorization.into_iter().map(|value| ("authorization".to_owned(), value)));
        sent.headers.extend(self.headers.iter().map(|header| (header.name.clone(), header.value.clone())));
        self.exchanges.fetch_add(1, Ordering::Relaxed);
        let begun = Instant::now();
        let mut exchange = server.exchange(sent, &Waits::default()).await?;
        exchange.begun = begun;
        // Reports show this request, so it must not contain a key.
        exchange.request = request;
        Ok(exchange)
    }
}

impl Channel for Transport {
    fn exchange<'a>(&'a self, request: Request, waits: &'a Waits) -> BoxFuture<'a, Result<Exchange, TransportFault>> {
        self.polite(request, waits).boxed()
    }

    fn raw(
        &self,
        bytes: Vec<u8>,
        enough: usize,
        limit: Option<Duration>,
    ) -> BoxFuture<'_, Result<Vec<u8>, TransportFault>> {
        let filled = raw::replace(bytes, b"{key}", self.main_key().as_bytes());
        let filled = raw::with_headers(&filled, &self.headers);
        async move {
            self.pace().await;
            self.exchanges.fetch_add(1, Ordering::Relaxed);
            if let Some(server) = &self.in_process {
                return server.raw(filled, enough, limit).await;
            }
            let limit = limit.unwrap_or(self.timeout);
            raw::exchange(&self.base_url, self.tls.as_ref(), limit, &self.lateness, &filled, enough).await
        }
        .boxed()
    }
}

/// Returns the innermost cause, which is the most helpful one, without the URL.
fn describe(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let what = if error.is_connect() {
        "no connection"
    } else if error.is_timeout() {
        "a time-out"
    } else {
        "broken HTTP"
    };
    format!("{what} ({cause})")
}
