//! Webhook endpoints, and attempts at deliveries. `retry_schedule` decides what follows an attempt.

use std::fmt;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use super::clock::Timestamp;
use super::event::EventType;
use super::names::names;
use super::personal::Personal;
use super::randomness::Randomness;

/// Maximum number of endpoints of an account.
pub const MAX_ENDPOINTS: usize = 10;
/// Maximum length of an endpoint's description, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 200;
/// Maximum number of response headers that are stored.
pub const MAX_KEPT_HEADERS: usize = 20;
/// Maximum size of a stored header in bytes, name and value together.
pub const MAX_KEPT_HEADER_BYTES: usize = 256;
/// Response header with which a receiver permanently refuses a message.
pub const DELIVERY_HEADER: &str = "webhook-delivery";
names! {
    /// State of an endpoint.
    pub enum EndpointStatus {
        /// The endpoint gets deliveries.
        Active = "active",
        /// The user paused it; deliveries wait.
        Paused = "paused",
        /// The server disabled it, after 410 Gone or days of failures.
        Disabled = "disabled",
    }
}

/// The signing secret of an endpoint: `whsec_` and the base64 of 24 to 64 bytes (Standard Webhooks 1.0.0).
#[derive(Clone, PartialEq, Eq)]
pub struct HookSecret(Zeroizing<Vec<u8>>);

impl HookSecret {
    const PREFIX: &str = "whsec_";

    /// Generates a secret of 32 random bytes.
    pub fn generate(randomness: &dyn Randomness) -> Self {
        let mut bytes = Zeroizing::new(vec![0_u8; 32]);
        randomness.fill(&mut bytes);
        Self(bytes)
    }

    /// Reads `whsec_…`. `None` if the prefix, the base64 or the length (24 to 64 bytes) is wrong.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = Zeroizing::new(STANDARD.decode(text.strip_prefix(Self::PREFIX)?).ok()?);
        (24..=64).contains(&bytes.len()).then_some(Self(bytes))
    }

    /// Returns the text for display and storage.
    pub fn reveal(&self) -> String {
        format!("{}{}", Self::PREFIX, STANDARD.encode(&*self.0))
    }

    /// Returns the HMAC key.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for HookSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HookSecret(…)")
    }
}

/// A secret that cannot be decrypted: it was encrypted with another key, or is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the signing secret cannot be decrypted with the server's key; rotate the secret")]
pub struct UnreadableSecret;

/// A stored endpoint. `S` is the form of its secret: in plain text, encrypted, or absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookEndpoint<S = HookSecret> {
    /// `hook_…`.
    pub id: String,
    /// The owner.
    pub account_id: String,
    /// Target URL, at most 2048 characters.
    pub url: String,
    /// Event types to send.
    pub events: Vec<EventType>,
    /// Restricts events to this website; `None` means all websites.
    pub website_id: Option<String>,
    /// Description for display.
    pub description: Option<String>,
    /// Secret that signs its deliveries.
    pub secret: S,
    /// Current state.
    pub status: EndpointStatus,
    /// True if `article.published` contains the article's text.
    pub include_content: bool,
    /// Creation time.
    pub created_at: Timestamp,
}

impl<S> HookEndpoint<S> {
    /// Returns the same endpoint with another secret.
    pub fn with_secret<T>(self, secret: T) -> HookEndpoint<T> {
        HookEndpoint {
            id: self.id,
            account_id: self.account_id,
            url: self.url,
            events: self.events,
            website_id: self.website_id,
            description: self.description,
            secret,
            status: self.status,
            include_content: self.include_content,
            created_at: self.created_at,
        }
    }
}

names! {
    /// State of a delivery.
    pub enum DeliveryStatus {
        /// To be sent, or sent again.
        Pending = "pending",
        /// The receiver returned a 2xx status.
        Succeeded = "succeeded",
        /// Ended before the schedule: the endpoint is gone, the receiver refused the message, or the only attempt of a test
        /// failed.
        Failed = "failed",
        /// All attempts were used.
        Exhausted = "exhausted",
    }
}

/// Result of one attempt, as stored in the delivery log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Start time.
    pub started_at: Timestamp,
    /// Request headers for the delivery log, with lower-case names; empty if no request was sent.
    pub request_headers: Vec<(String, String)>,
    /// Milliseconds until the response was read, or until the dispatcher gave up.
    pub duration_ms: u64,
    /// HTTP status, if there was a response.
    pub response_status: Option<u16>,
    /// Reason why there was no response: a short phrase without addresses.
    pub error: Option<String>,
    /// Pause that the receiver requested with `Retry-After`.
    pub retry_after: Option<Duration>,
    /// True if the receiver timed out.
    pub timed_out: bool,
    /// First bytes of the response body, at most 4 KiB.
    pub response_head: Option<Personal<String>>,
    /// Response headers for the delivery log, without secret values. Names are lower case. There are at most [`MAX_KEPT_HEADERS`]
    /// of at most [`MAX_KEPT_HEADER_BYTES`] bytes each.
    pub response_headers: Personal<Vec<(String, String)>>,
}

impl Attempt {
    /// Returns true if the receiver refuses this message permanently (Svix' `webhook-delivery: abort-message`).
    pub fn asks_to_abort(&self) -> bool {
        let asks =
            |(name, value): &(String, String)| name == DELIVERY_HEADER && value.eq_ignore_ascii_case("abort-message");
        self.response_headers.iter().any(asks)
    }
}
