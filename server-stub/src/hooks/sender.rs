//! Sends one delivery once: checked address, new signature, limited time, limited response. See `domain::hook` for the retry
//! decision.

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

/// Maximum time to connect, including TLS.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Time for which an unused connection stays open. Many receivers close theirs after five seconds, and a request that they
/// receive at that moment fails.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);
const USER_AGENT: &str = concat!("contentgen-hooks/", env!("CARGO_PKG_VERSION"));

/// Sends deliveries over pooled connections.
#[derive(Clone)]
pub struct Sender {
    checker: DestinationChecker,
    /// Connects to public and to listed addresses.
    public: Client,
    /// Connects to listed addresses only.
    listed: Client,
}

/// Request signed like a webhook.
pub struct SignedRequest<'a> {
    /// Destination URL.
    pub url: &'a str,
    /// Id of the message, the same for every retry.
    pub id: &'a str,
    /// JSON body.
    pub body: &'a Personal<Bytes>,
    /// Secrets for the signature: one signature for each.
    pub secrets: &'a [HookSecret],
    /// Additional headers.
    pub headers: &'a [(&'static str, &'a str)],
}

/// Result of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// Attempt for the delivery log.
    pub attempt: Attempt,
    /// Why this server did not send the request; `None` if it tried.
    pub not_sent: Option<NotSent>,
}

/// Why no request was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotSent {
    /// The destination is not allowed.
    RefusedAddress,
    /// The signing secret cannot be decrypted.
    Unsigned,
}

impl Sender {
    /// Creates a sender that checks destinations with `policy`.
    pub fn new(policy: AddressPolicy) -> Self {
        Self::with_destination_checker(DestinationChecker::new(policy))
    }

    /// Creates a sender that checks destinations with `checker`.
    pub fn with_destination_checker(checker: DestinationChecker) -> Self {
        Self::with_tuning(checker, Tuning::default())
    }

    /// Creates a sender that checks destinations with `checker` and uses the limits of `tuning`.
    pub fn with_tuning(checker: DestinationChecker, tuning: Tuning) -> Self {
        // Another part of the process may have installed a TLS provider already. That provider is just as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = |allowed| {
            let builder = || builder(checker.resolver(allowed), tuning);
            builder().build().unwrap_or_else(|error| {
                // This machine has no root certificates: https receivers cannot be verified, but plain http still works.
                let error = ErrorChain(&error);
                tracing::warn!(%error, "no root certificates were found, so webhooks to https addresses will fail; install the system's root certificates");
                builder().tls_certs_only([]).build().expect("the builder's settings are fixed and fit together")
            })
        };
        let (public, listed) = (client(AllowedAddresses::Public), client(AllowedAddresses::Listed));
        Self { checker, public, listed }
    }

    /// Returns the checker of destinations.
    pub const fn destination_checker(&self) -> &DestinationChecker {
        &self.checker
    }

    /// Sends `delivery`, signed at `now`, and returns the result.
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

    /// Sends a delivery. Sets `sent_headers` to the request's headers, or leaves it empty if no request is made.
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

    /// Sends a request, signed at `now`, to an allowed address. Sets `sent_headers` to the request's headers, or leaves it empty if
    /// no request is made.
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
        // With fewer idle connections than hooks in flight, most hooks would need a new connection.
        .pool_max_idle_per_host(tuning.per_endpoint as usize)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .dns_resolver(resolver)
}

/// Why there was no response. The message goes into the delivery log, so it must not disclose the operator's network.
#[derive(Debug)]
pub enum SendFailure {
    /// The signing secret cannot be decrypted.
    Unsigned(UnreadableSecret),
    /// The destination is not allowed.
    Address(AddressError),
    /// The attempt timed out.
    TimedOut,
    /// The receiver did not accept the connection.
    NotConnected,
    /// The connection ended before a response.
    BrokenOff,
}

impl SendFailure {
    /// Returns why this server did not send the request, or `None` if it tried.
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
