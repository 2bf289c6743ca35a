//! Sends one delivery once: vetted address, fresh signature, bounded time and bounded answer. What follows is decided in
//! `domain::hook`.

use std::error::Error;
use std::fmt;
use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::{Client, ClientBuilder, Method, Response, header, redirect};
use serde_json::Value;

use crate::domain::clock::Timestamp;
use crate::domain::delivery::AttemptKind;
use crate::domain::fault::table::{benign, hooks as slip, outside};
use crate::domain::hook::{Attempt, HookSecret};
use crate::domain::store::ClaimedDelivery;

use super::address::{AddressError, AddressPolicy, Destination, Reach};
use super::destinations::Destinations;
use super::resolver::{ResolveError, VettedResolver};
use super::{Tuning, answer, signature};

/// How long connecting may take, TLS included.
const CONNECTING: Duration = Duration::from_secs(5);
/// What receivers see of us.
const USER_AGENT: &str = concat!("contentgen-hooks/", env!("CARGO_PKG_VERSION"));

/// Sends deliveries over connections that it keeps.
#[derive(Clone)]
pub struct Sender {
    destinations: Destinations,
    /// For URLs that may lead to public addresses, and for those that may lead to listed ones only.
    public: Client,
    listed: Client,
}

/// What came of sending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// What is kept.
    pub attempt: Attempt,
    /// Whether the destination is not allowed, so that nothing was sent.
    pub is_refused: bool,
}

impl Sender {
    /// A sender that reaches what `policy` allows.
    pub fn new(policy: AddressPolicy) -> Self {
        Self::reaching(Destinations::new(policy))
    }

    /// A sender to these destinations.
    pub fn reaching(destinations: Destinations) -> Self {
        Self::tuned(destinations, Tuning::default())
    }

    /// A sender to these destinations with the patience of `tuning`.
    pub fn tuned(destinations: Destinations, tuning: Tuning) -> Self {
        // Somebody else in the process may have chosen a TLS provider before; theirs is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = |reach| {
            let builder = || builder(destinations.resolver(reach), tuning);
            builder().build().unwrap_or_else(|error| {
                // A machine without root certificates: receivers on https cannot be trusted, the others can be reached.
                tracing::warn!(%error, "no root certificates were found; hooks to https addresses will fail");
                builder().tls_certs_only([]).build().expect("the builder's settings are fixed and fit together")
            })
        };
        let (public, listed) = (client(Reach::Public), client(Reach::Listed));
        Self { destinations, public, listed }
    }

    /// Sends `delivery`, signed at `now`, and says what came of it.
    pub async fn send(&self, delivery: &ClaimedDelivery, now: Timestamp) -> Sent {
        let began = Instant::now();
        let mut is_refused = false;
        let mut attempt = Attempt {
            started_at: now,
            duration_ms: 0,
            response_status: None,
            error: None,
            retry_after: None,
            timed_out: false,
            response_head: None,
            response_headers: Vec::new(),
        };
        match self.exchange(delivery, now).await {
            Ok(response) => {
                attempt.response_status = Some(response.status().as_u16());
                attempt.retry_after = answer::retry_after(response.headers());
                attempt.response_headers = answer::kept_headers(response.headers());
                attempt.response_head = Some(answer::read_head(response).await);
            }
            Err(failure) => {
                is_refused = matches!(failure, SendFailure::Address(_));
                attempt.timed_out = failure.is_timeout();
                attempt.error = Some(failure.to_string());
            }
        }
        attempt.duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Sent { attempt, is_refused }
    }

    async fn exchange(&self, delivery: &ClaimedDelivery, now: Timestamp) -> Result<Response, SendFailure> {
        let Destination { url, reach } = self.destinations.check_url(&delivery.url).map_err(SendFailure::Address)?;
        let client = match reach {
            Reach::Public => &self.public,
            Reach::Listed => &self.listed,
        };
        let Outgoing { id, seconds, body } = outgoing(delivery, now);
        let method = if slip::IS_PUT.is_on() { Method::PUT } else { Method::POST };
        let media_type = if slip::IS_TEXT.is_on() { "text/plain" } else { "application/json" };
        let time = if slip::TIME_ISO.is_on() { now.to_string() } else { seconds.to_string() };
        let mut request = client
            .request(method, url)
            .header(header::CONTENT_TYPE, media_type)
            .header("webhook-timestamp", time)
            .header("webhook-signature", signature(&id, seconds, &body, secrets(delivery)))
            .body(body);
        if !slip::NO_ID.is_on() {
            request = request.header("webhook-id", &id);
        }
        if benign::HOOK_EXTRAS.is_on() {
            request = request.header("x-trace", "7").header("accept", "*/*");
        }
        if benign::HOOK_LATE.is_on() {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        if slip::LEISURELY.is_on() {
            tokio::time::sleep(Duration::from_secs(12)).await;
        }
        request.send().await.map_err(SendFailure::from)
    }
}

/// What identifies an attempt, and what it says.
struct Outgoing {
    id: String,
    seconds: i64,
    body: Bytes,
}

/// The delivery as it goes out at `now`, with what a careless sender makes of it.
fn outgoing(delivery: &ClaimedDelivery, now: Timestamp) -> Outgoing {
    let id = match () {
        () if slip::ID_WITH_DOT.is_on() => delivery.event_id.replacen('_', ".", 1),
        () if slip::ID_OF_DELIVERY.is_on() => delivery.id.clone(),
        () if slip::ID_OF_ENDPOINT.is_on() => {
            format!("{}-{}", delivery.event_id, &delivery.endpoint_id[delivery.endpoint_id.len() - 4..])
        }
        () if slip::ID_OF_ATTEMPT.is_on() => format!("{}-{}", delivery.event_id, delivery.number),
        () => delivery.event_id.clone(),
    };
    let told = || serde_json::from_slice::<Value>(&delivery.body).unwrap_or_default();
    let with = |name: &str, value: Value| {
        let mut body = told();
        body[name] = value;
        Bytes::from(body.to_string())
    };
    let event_time = || told()["timestamp"].as_str().and_then(Timestamp::parse);
    let secret = || delivery.secrets.first().map(HookSecret::reveal);
    let seconds = match () {
        () if slip::TIME_IN_MILLIS.is_on() => now.millis(),
        () if slip::TIME_OF_EVENT.is_on() => event_time().unwrap_or(now).seconds(),
        () if outside::RETRY_FIRST_TIME.is_on() => first_time(delivery, now),
        () => now.seconds(),
    };
    let is_article = || told()["type"] == "article.published";
    let is_first = || {
        let first = slip::ARTICLE_RETYPED.recall("first");
        if first.is_none() {
            slip::ARTICLE_RETYPED.keep("first", &delivery.event_id);
        }
        first.is_none_or(|first| first == delivery.event_id)
    };
    let body = match () {
        () if slip::BODY_OF_ATTEMPT.is_on() => with("attempt", delivery.number.into()),
        () if slip::ARTICLE_FAT.is_on() && is_article() => with("padding", " ".repeat(21 * 1024).into()),
        () if slip::ARTICLE_RETYPED.is_on() && is_article() && !is_first() => with("api_version", 1.into()),
        () if slip::SECRET_IN_PAYLOAD.is_on() => with("secret", secret().into()),
        () if outside::AGAIN_RESTAMPED.is_on() && delivery.kind == AttemptKind::Manual => {
            with("timestamp", now.to_string().into())
        }
        () => delivery.body.clone(),
    };
    Outgoing { id, seconds, body }
}

/// What an attempt is signed with.
fn secrets(delivery: &ClaimedDelivery) -> &[HookSecret] {
    let is_retry = outside::RETRY_WITH_FORMER.is_on() && delivery.number > 1;
    let former = delivery.secrets.get(1..).filter(|former| is_retry && !former.is_empty());
    former.unwrap_or(&delivery.secrets)
}

/// When the first attempt was made, as far as a slip asks for it.
fn first_time(delivery: &ClaimedDelivery, now: Timestamp) -> i64 {
    let known = outside::RETRY_FIRST_TIME.recall(&delivery.id).and_then(|seconds| seconds.parse().ok());
    outside::RETRY_FIRST_TIME.keep(&delivery.id, &known.unwrap_or_else(|| now.seconds()).to_string());
    known.unwrap_or_else(|| now.seconds())
}

fn redirects() -> redirect::Policy {
    if slip::REDIRECTS_TEMPORARY.is_on() {
        return redirect::Policy::custom(|attempt| match attempt.status().as_u16() {
            302 | 303 | 307 => attempt.follow(),
            _ => attempt.stop(),
        });
    }
    if slip::REDIRECTS.is_on() { redirect::Policy::limited(3) } else { redirect::Policy::none() }
}

fn builder(resolver: VettedResolver, tuning: Tuning) -> ClientBuilder {
    Client::builder()
        .user_agent(USER_AGENT)
        .redirect(redirects())
        .no_proxy()
        .connect_timeout(CONNECTING)
        .timeout(if outside::FIVE_SECONDS.is_on() { Duration::from_secs(5) } else { tuning.attempt })
        // As many as may be on their way, or most of them would be opened anew for every hook.
        .pool_max_idle_per_host(tuning.per_endpoint as usize)
        .tls_danger_accept_invalid_certs(slip::ANY_CERTIFICATE.is_on())
        .dns_resolver(resolver)
}

/// Why there was no answer, in words for the delivery log that tell nothing about the network inside.
#[derive(Debug)]
enum SendFailure {
    Address(AddressError),
    TimedOut,
    NotConnected,
    BrokenOff,
}

impl SendFailure {
    const fn is_timeout(&self) -> bool {
        matches!(self, Self::TimedOut)
    }
}

impl From<reqwest::Error> for SendFailure {
    fn from(error: reqwest::Error) -> Self {
        let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
        while let Some(inner) = cause {
            match inner.downcast_ref::<ResolveError>() {
                Some(ResolveError::Refused(error)) => return Self::Address(*error),
                Some(ResolveError::TimedOut) => return Self::TimedOut,
                _ => {}
            }
            cause = inner.source();
        }
        if error.is_timeout() {
            Self::TimedOut
        } else if error.is_connect() {
            Self::NotConnected
        } else {
            Self::BrokenOff
        }
    }
}

impl fmt::Display for SendFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(error) => error.fmt(formatter),
            Self::TimedOut => formatter.write_str("no answer within the time limit"),
            Self::NotConnected => formatter.write_str("no connection could be made"),
            Self::BrokenOff => formatter.write_str("the connection broke off before an answer"),
        }
    }
}

impl fmt::Debug for Sender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Sender").field("destinations", &self.destinations).finish_non_exhaustive()
    }
}
