//! Hook endpoints, deliveries and attempts, and the pure decision that follows an attempt. Nothing here sends.

use std::fmt;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use super::clock::Timestamp;
use super::event::EventType;
use super::personal::Personal;
use super::randomness::Randomness;
use super::retry_schedule::RetrySchedule;

/// The longest pause a receiver may ask for with `Retry-After`.
pub const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);
/// Most endpoints of an account.
pub const MAX_ENDPOINTS: usize = 10;
/// The longest description of an endpoint, characters.
pub const MAX_DESCRIPTION_CHARS: usize = 200;
/// Most response headers that are kept.
pub const MAX_KEPT_HEADERS: usize = 20;
/// Most bytes of a kept header, name and value together.
pub const MAX_KEPT_HEADER_BYTES: usize = 256;
/// The response header by which a receiver refuses a message for good.
pub const DELIVERY_HEADER: &str = "webhook-delivery";
/// The most jitter, as a part of the pause. Jitter only ever delays.
const MAX_JITTER_RATIO: f64 = 0.2;
/// The most jitter, however long the pause is.
const MAX_JITTER: Duration = Duration::from_mins(15);

/// Whether an endpoint gets deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointStatus {
    /// It does.
    Active,
    /// Its user stopped it; deliveries wait.
    Paused,
    /// The server stopped it, after 410 Gone or days of failures.
    Disabled,
}

impl EndpointStatus {
    /// The stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Disabled => "disabled",
        }
    }

    /// The state with that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Active, Self::Paused, Self::Disabled].into_iter().find(|status| status.as_str() == name)
    }
}

/// The signing secret of an endpoint: `whsec_` and the base64 of 24 to 64 bytes (Standard Webhooks 1.0.0).
#[derive(Clone, PartialEq, Eq)]
pub struct HookSecret(Zeroizing<Vec<u8>>);

impl HookSecret {
    const PREFIX: &str = "whsec_";

    /// A new secret of 32 random bytes.
    pub fn generate(randomness: &dyn Randomness) -> Self {
        let mut bytes = Zeroizing::new(vec![0_u8; 32]);
        randomness.fill(&mut bytes);
        Self(bytes)
    }

    /// Reads `whsec_…`; `None` when the prefix, the base64 or the length (24..64 bytes) is wrong.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = Zeroizing::new(STANDARD.decode(text.strip_prefix(Self::PREFIX)?).ok()?);
        (24..=64).contains(&bytes.len()).then_some(Self(bytes))
    }

    /// The text to show and to store.
    pub fn reveal(&self) -> String {
        format!("{}{}", Self::PREFIX, STANDARD.encode(&*self.0))
    }

    /// The HMAC key.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for HookSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HookSecret(…)")
    }
}

/// A secret that cannot be opened: it was sealed with another key, or is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the signing secret cannot be decrypted with the server's key; rotate the secret")]
pub struct UnreadableSecret;

/// An endpoint as it is stored. `S` is how its secret stands there: in the open, sealed, or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookEndpoint<S = HookSecret> {
    /// `hook_…`.
    pub id: String,
    /// The owner.
    pub account_id: String,
    /// Where to send, at most 2048 characters.
    pub url: String,
    /// What to send.
    pub events: Vec<EventType>,
    /// Only of this website; `None` means all.
    pub website_id: Option<String>,
    /// For people.
    pub description: Option<String>,
    /// Signs its deliveries.
    pub secret: S,
    /// Whether it gets deliveries.
    pub status: EndpointStatus,
    /// Whether `article.published` carries the article's text.
    pub include_content: bool,
    /// When it was made.
    pub created_at: Timestamp,
}

impl<S> HookEndpoint<S> {
    /// The same with another secret.
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

/// State of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryStatus {
    /// To be sent, or sent again.
    Pending,
    /// A 2xx came back.
    Succeeded,
    /// Given up before the schedule ended: the endpoint is gone.
    Failed,
    /// All attempts used up.
    Exhausted,
}

impl DeliveryStatus {
    /// The stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Exhausted => "exhausted",
        }
    }

    /// The state with that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Pending, Self::Succeeded, Self::Failed, Self::Exhausted]
            .into_iter()
            .find(|status| status.as_str() == name)
    }
}

/// What came of one attempt, as it is stored for the delivery log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// When it began.
    pub started_at: Timestamp,
    /// The request's headers for the delivery log, with lower-case names; empty when no request was made.
    pub request_headers: Vec<(String, String)>,
    /// Milliseconds until the response was read or given up.
    pub duration_ms: u64,
    /// The HTTP status, when there was one.
    pub response_status: Option<u16>,
    /// Why there was no response: a short phrase without addresses.
    pub error: Option<String>,
    /// The pause that the receiver asked for with `Retry-After`.
    pub retry_after: Option<Duration>,
    /// Whether the receiver took too long.
    pub timed_out: bool,
    /// The first bytes of the response body, at most 4 KiB.
    pub response_head: Option<Personal<String>>,
    /// Response headers for the delivery log: lower-case names, at most [`MAX_KEPT_HEADERS`] of at most
    /// [`MAX_KEPT_HEADER_BYTES`] each, without values that are secrets.
    pub response_headers: Personal<Vec<(String, String)>>,
}

impl Attempt {
    /// Whether the receiver wants this message never again (Svix' `webhook-delivery: abort-message`).
    pub fn asks_to_abort(&self) -> bool {
        let asks =
            |(name, value): &(String, String)| name == DELIVERY_HEADER && value.eq_ignore_ascii_case("abort-message");
        self.response_headers.iter().any(asks)
    }
}

/// The decision after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptDecision {
    /// Delivered.
    Succeeded,
    /// Send again then.
    RetryAt(Timestamp),
    /// No attempt is left.
    Exhausted,
    /// The receiver refused this message for good: it is not sent again, others are.
    Aborted,
    /// 410 Gone: disable the endpoint, drop what is pending for it.
    Gone,
}

/// Decides what follows attempt number `number` (1-based). 2xx succeeds, 410 disables the endpoint, and a receiver may refuse
/// the message for good. Anything else is tried again by the schedule. The pause is longer if the receiver asks for it (429
/// and 503) or seems overloaded (429, 502, 504, or a time-out). `jitter`, random from 0 to 1, makes it longer still.
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
