//! Sends one delivery once: vetted address, fresh signature, bounded time, bounded response. What follows is decided in
//! `domain::hook`.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use reqwest::{Client, ClientBuilder, Response, header, redirect};
use tokio::time::Instant;

use crate::domain::clock::Timestamp;
use crate::domain::error_chain::ErrorChain;
use crate::domain::hook::{Attempt, HookSecret, UnreadableSecret};
use crate::domain::personal::Personal;
use crate::domain::store::ClaimedDelivery;

use super::address::{AddressError, AddressPolicy, AllowedAddresses, Destination};
use super::destination_checker::DestinationChecker;
use super::resolver::{ResolveError, VettedResolver};
use super::{Tuning, receiver_response, signature};

/// How long connecting may take, TLS included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const USER_AGENT: &str = concat!("contentgen-hooks/", env!("CARGO_PKG_VERSION"));

/// Sends deliveries over connections that it keeps.
#[derive(Clone)]
pub struct Sender {
    checker: DestinationChecker,
    /// Connects to public and to listed addresses.
    public: Client,
    /// Connects to listed addresses only.
    listed: Client,
}

/// A request that is signed as hooks are.
pub struct SignedRequest<'a> {
    /// Where to.
    pub url: &'a str,
    /// Names the message: the same whenever it is sent again.
    pub id: &'a str,
    /// JSON.
    pub body: &'a Personal<Bytes>,
    /// Each signs.
    pub secrets: &'a [HookSecret],
    /// Further headers.
    pub headers: &'a [(&'static str, &'a str)],
}

/// The outcome of sending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The attempt for the delivery log.
    pub attempt: Attempt,
    /// Why nothing was sent, if that was decided here.
    pub not_sent: Option<NotSent>,
}

/// Why no request was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotSent {
    /// The destination is not allowed.
    RefusedAddress,
    /// The secret that signs cannot be opened.
    Unsigned,
}

impl Sender {
    /// A sender that reaches what `policy` allows.
    pub fn new(policy: AddressPolicy) -> Self {
        Self::with_destination_checker(DestinationChecker::new(policy))
    }

    /// A sender to the destinations that `checker` allows.
    pub fn with_destination_checker(checker: DestinationChecker) -> Self {
        Self::with_tuning(checker, Tuning::default())
    }

    /// A sender to the destinations that `checker` allows, with the limits of `tuning`.
    pub fn with_tuning(checker: DestinationChecker, tuning: Tuning) -> Self {
        // Somebody else in the process may have chosen a TLS provider before; theirs is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = |allowed| {
            let builder = || builder(checker.resolver(allowed), tuning);
            builder().build().unwrap_or_else(|error| {
                // A machine without root certificates: receivers on https cannot be trusted, the others can be reached.
                let error = ErrorChain(&error);
                tracing::warn!(%error, "no root certificates were found, so webhooks to https addresses will fail; install the system's root certificates");
                builder().tls_certs_only([]).build().expect("the builder's settings are fixed and fit together")
            })
        };
        let (public, listed) = (client(AllowedAddresses::Public), client(AllowedAddresses::Listed));
        Self { checker, public, listed }
    }

    /// What it checks destinations with.
    pub const fn destination_checker(&self) -> &DestinationChecker {
        &self.checker
    }

    /// Sends `delivery`, signed at `now`, and says what came of it.
    pub async fn send(&self, delivery: &ClaimedDelivery, now: Timestamp) -> Sent {
        let began = Instant::now();
        let mut not_sent = None;
        let mut attempt = Attempt {
            started_at: now,
            request_headers: Vec::new(),
            duration_ms: 0,
            response_status: None,
            error: None,
            retry_after: None,
            timed_out: false,
            response_head: None,
            response_headers: Personal::default(),
        };
        match self.send_request(delivery, now, &mut attempt.request_headers).await {
            Ok(response) => {
                attempt.response_status = Some(response.status().as_u16());
                attempt.retry_after = receiver_response::retry_after(response.headers());
                attempt.response_headers = receiver_response::kept_headers(response.headers()).into();
                attempt.response_head = Some(receiver_response::read_body_start(response).await.into());
            }
            Err(failure) => {
                not_sent = failure.not_sent();
                attempt.timed_out = failure.is_timeout();
                attempt.error = Some(failure.to_string());
            }
        }
        attempt.duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Sent { attempt, not_sent }
    }

    /// Sends, and says in `sent_headers` which headers with, as soon as it is decided that a request is made.
    async fn send_request(
        &self,
        delivery: &ClaimedDelivery,
        now: Timestamp,
        sent_headers: &mut Vec<(String, String)>,
    ) -> Result<Response, SendFailure> {
        let ClaimedDelivery { event_id, body, secrets, url, .. } = delivery;
        let secrets = secrets.as_ref().map_err(|error| SendFailure::Unsigned(*error))?;
        self.post(&SignedRequest { url, id: event_id, body, secrets, headers: &[] }, now, sent_headers).await
    }

    /// Sends a request, signed at `now`, to an address that is allowed. `sent_headers` tells which headers with, as soon as it is
    /// decided that a request is made.
    pub async fn post(
        &self,
        request: &SignedRequest<'_>,
        now: Timestamp,
        sent_headers: &mut Vec<(String, String)>,
    ) -> Result<Response, SendFailure> {
        let SignedRequest { id, body, secrets, .. } = request;
        let Destination { url, allowed } = self.checker.check_url(request.url).map_err(SendFailure::Address)?;
        let client = match allowed {
            AllowedAddresses::Public => &self.public,
            AllowedAddresses::Listed => &self.listed,
        };
        let seconds = now.seconds();
        let mut headers = vec![
            ("webhook-id", (*id).to_owned()),
            ("webhook-timestamp", seconds.to_string()),
            ("webhook-signature", signature(id, seconds, body, secrets)),
            (header::USER_AGENT.as_str(), USER_AGENT.to_owned()),
            (header::CONTENT_TYPE.as_str(), "application/json".to_owned()),
        ];
        headers.extend(request.headers.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let request = headers.iter().fold(client.post(url), |request, (name, value)| request.header(*name, value));
        *sent_headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let response = request.body(Bytes::clone(body)).send().await.map_err(SendFailure::from);
        if let Err(SendFailure::Address(_)) = &response {
            sent_headers.clear();
        }
        response
    }
}

fn builder(resolver: VettedResolver, tuning: Tuning) -> ClientBuilder {
    Client::builder()
        .redirect(redirect::Policy::none())
        .no_proxy()
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(tuning.attempt_timeout)
        // Fewer idle connections than hooks in flight would mean a new connection for most hooks.
        .pool_max_idle_per_host(tuning.per_endpoint as usize)
        .dns_resolver(resolver)
}

/// Why there was no response. The words go into the delivery log, so they tell nothing about the operator's network.
#[derive(Debug)]
pub enum SendFailure {
    /// The secret that signs cannot be opened.
    Unsigned(UnreadableSecret),
    /// The destination is not allowed.
    Address(AddressError),
    /// It took too long.
    TimedOut,
    /// Nobody took the connection.
    NotConnected,
    /// The connection ended before a response.
    BrokenOff,
}

impl SendFailure {
    /// Why nothing was sent, if that was decided here.
    pub const fn not_sent(&self) -> Option<NotSent> {
        match self {
            Self::Unsigned(_) => Some(NotSent::Unsigned),
            Self::Address(_) => Some(NotSent::RefusedAddress),
            Self::TimedOut | Self::NotConnected | Self::BrokenOff => None,
        }
    }

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
            Self::Unsigned(error) => error.fmt(formatter),
            Self::Address(error) => error.fmt(formatter),
            Self::TimedOut => formatter.write_str("no response within the time limit"),
            Self::NotConnected => formatter.write_str("cannot connect"),
            Self::BrokenOff => formatter.write_str("the connection closed before a response"),
        }
    }
}

impl fmt::Debug for SignedRequest<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SignedRequest").field("id", &self.id).finish_non_exhaustive()
    }
}

impl fmt::Debug for Sender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Sender").field("checker", &self.checker).finish_non_exhaustive()
    }
}
