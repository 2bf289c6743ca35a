//! Webhook endpoints, deliveries and attempts, and the pure decision after an attempt.

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
use super::retry_schedule::RetrySchedule;

/// Maximum pause that a receiver may request with `Retry-After`.
pub const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);
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
/// Maximum jitter, as a fraction of the pause. Jitter only adds delay.
const MAX_JITTER_RATIO: f64 = 0.2;
/// Maximum jitter for any pause.
const MAX_JITTER: Duration = Duration::from_mins(15);

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

/// The decision after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptDecision {
    /// The message was delivered.
    Succeeded,
    /// Retry at this time.
    RetryAt(Timestamp),
    /// No attempt is left.
    Exhausted,
    /// The receiver permanently refused this message. Other messages are still sent.
    Aborted,
    /// The receiver returned 410 Gone: disable the endpoint and drop its pending deliveries.
    Gone,
}

/// Decides what follows attempt number `number` (1-based). A 2xx status succeeds, 410 disables the endpoint, and a receiver may
/// permanently refuse the message. Any other result is retried by the schedule. The pause is longer if the receiver requests it
/// (429 and 503) or seems overloaded (429, 502, 504, or a timeout). `jitter`, random from 0 to 1, adds to the pause.
pub fn decide_attempt(
    attempt: &Attempt,
    number: u32,
    now: Timestamp,
    schedule: &RetrySchedule,
    jitter: f64,
) -> AttemptDecision {
    match attempt.response_status {
        Some(200..=299) => return AttemptDecision::Succeeded,
        Some(410) => return AttemptDecision::Gone,
        Some(_) if attempt.asks_to_abort() => return AttemptDecision::Aborted,
        _ => {}
    }
    let Some(base) = schedule.pause_after(number) else { return AttemptDecision::Exhausted };
    let asked = match attempt.response_status {
        Some(429 | 503) => attempt.retry_after.unwrap_or_default().min(MAX_RETRY_AFTER),
        _ => Duration::ZERO,
    };
    let floor = match attempt.response_status {
        Some(429 | 502 | 504) => schedule.overload_pause(),
        _ if attempt.timed_out => schedule.overload_pause(),
        _ => Duration::ZERO,
    };
    let pause = base.max(asked).max(floor);
    let jitter = pause.mul_f64(MAX_JITTER_RATIO * jitter.clamp(0.0, 1.0)).min(MAX_JITTER);
    AttemptDecision::RetryAt(now.plus(pause + jitter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(response_status: Option<u16>, retry_after: Option<u64>) -> Attempt {
        Attempt {
            started_at: Timestamp::from_millis(0),
            request_headers: Vec::new(),
            duration_ms: 1,
            response_status,
            error: None,
            retry_after: retry_after.map(Duration::from_secs),
            timed_out: false,
            response_head: None,
            response_headers: Personal::default(),
        }
    }

    fn decide(attempt: &Attempt, number: u32, now: Timestamp, jitter: f64) -> AttemptDecision {
        decide_attempt(attempt, number, now, &RetrySchedule::default(), jitter)
    }

    #[test]
    fn the_schedule_ends_after_ten_attempts_and_jitter_only_delays() {
        let now = Timestamp::from_millis(1_000_000);
        for number in 1..=9 {
            let pause = RetrySchedule::default().pause_after(number).unwrap();
            let longest = pause + pause.mul_f64(MAX_JITTER_RATIO).min(MAX_JITTER);
            for (jitter, expected) in [(0.0, pause), (1.0, longest)] {
                let decision = decide(&attempt(Some(500), None), number, now, jitter);
                assert_eq!(decision, AttemptDecision::RetryAt(now.plus(expected)), "attempt {number}");
            }
        }
        assert_eq!(decide(&attempt(None, None), 10, now, 0.5), AttemptDecision::Exhausted);
    }

    #[test]
    fn a_receiver_that_asks_for_a_pause_gets_it_and_one_that_is_gone_gets_nothing_more() {
        let now = Timestamp::from_millis(0);
        let asked = decide(&attempt(Some(503), Some(120)), 1, now, 0.5);
        assert!(matches!(asked, AttemptDecision::RetryAt(at) if at >= now.plus_millis(120_000)));
        let capped = decide(&attempt(Some(429), Some(9_999_999)), 1, now, 0.5);
        assert!(matches!(capped, AttemptDecision::RetryAt(at) if at <= now.plus(MAX_RETRY_AFTER + MAX_JITTER)));
        assert_eq!(decide(&attempt(Some(410), None), 1, now, 0.5), AttemptDecision::Gone);
        assert_eq!(decide(&attempt(Some(204), None), 3, now, 0.5), AttemptDecision::Succeeded);
    }

    #[test]
    fn an_operators_own_schedule_decides_how_often_and_how_soon() {
        let (now, schedule) = (Timestamp::from_millis(0), "100ms,300ms".parse().unwrap());
        for (number, status, pause) in [(1, 500, 100), (2, 500, 300), (1, 504, 300)] {
            let decision = decide_attempt(&attempt(Some(status), None), number, now, &schedule, 0.5);
            let AttemptDecision::RetryAt(at) = decision else { panic!("attempt {number}: {decision:?}") };
            assert!((pause..=pause + pause / 5).contains(&at.millis()), "attempt {number}, {status}: {at}");
        }
        let last = decide_attempt(&attempt(Some(500), None), 3, now, &schedule, 0.5);
        assert_eq!(last, AttemptDecision::Exhausted);
    }

    #[test]
    fn a_message_that_is_refused_for_good_is_dropped_and_one_that_was_taken_is_not() {
        let now = Timestamp::from_millis(0);
        let decide = |status, value: &str| {
            let response_headers = vec![("webhook-delivery".to_owned(), value.to_owned())].into();
            decide_attempt(
                &Attempt { response_headers, ..attempt(Some(status), None) },
                1,
                now,
                &RetrySchedule::default(),
                0.5,
            )
        };
        assert_eq!(decide(400, "abort-message"), AttemptDecision::Aborted);
        assert_eq!(decide(503, "Abort-Message"), AttemptDecision::Aborted);
        assert_eq!(decide(200, "abort-message"), AttemptDecision::Succeeded);
        assert_eq!(decide(410, "abort-message"), AttemptDecision::Gone);
        assert!(matches!(decide(400, "retry"), AttemptDecision::RetryAt(_)));
    }
}
