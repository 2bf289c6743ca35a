//! Deliveries and their attempts as the log shows them. What follows an attempt is decided in `hook`.

use serde::Serialize;

use super::clock::Timestamp;
use super::event::EventType;
use super::hook::DeliveryStatus;
use super::personal::Personal;

/// Why an attempt was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptKind {
    /// The schedule said so.
    Scheduled,
    /// Somebody asked for it; a failure changes nothing about the schedule.
    Manual,
    /// The event is a test; there is one attempt.
    Test,
}

impl AttemptKind {
    /// The stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Manual => "manual",
            Self::Test => "test",
        }
    }

    /// The kind with that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Scheduled, Self::Manual, Self::Test].into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A delivery in the log of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedDelivery {
    /// `dlv_…`.
    pub id: String,
    /// The `webhook-id`.
    pub event_id: String,
    /// What happened.
    pub event_type: EventType,
    /// The endpoint.
    pub endpoint_id: String,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// Attempts of the schedule that were begun.
    pub attempts: u32,
    /// When it is sent next, while it is pending.
    pub next_attempt_at: Option<Timestamp>,
    /// When the event happened.
    pub created_at: Timestamp,
}

/// What came of the last attempt of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastAttempt {
    /// When it began.
    pub started_at: Timestamp,
    /// The HTTP status, when there was one.
    pub response_status: Option<u16>,
    /// Why there was no response.
    pub error: Option<String>,
}

/// A delivery as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliverySummary {
    /// The delivery.
    pub delivery: LoggedDelivery,
    /// The article, lead or job that the event is about; of a test, the event itself.
    pub object_id: String,
    /// Whether it is being sent at this moment.
    pub is_in_flight: bool,
    /// What the next attempt is made for, while the delivery is pending.
    pub next_kind: AttemptKind,
    /// `None` before the first attempt has ended.
    pub last_attempt: Option<LastAttempt>,
}

/// Which deliveries of an account are looked for, by where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// Failed, exhausted, or failing: whatever was tried and did not arrive.
    NotDelivered,
    /// Pending, and the last attempt failed.
    Failing,
    /// To be sent, or sent again.
    Pending,
    /// Given up before the schedule ended.
    Failed,
    /// All attempts used up.
    Exhausted,
    /// A 2xx came back.
    Succeeded,
}

impl DeliveryState {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::NotDelivered, Self::Failing, Self::Pending, Self::Failed, Self::Exhausted, Self::Succeeded];

    /// The name in filters.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotDelivered => "not_delivered",
            Self::Failing => "failing",
            Self::Pending => "pending",
            Self::Failed => "failed",
            Self::Exhausted => "exhausted",
            Self::Succeeded => "succeeded",
        }
    }

    /// The state with that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// Whether deliveries in this state were all tried and did not arrive, so that many may be sent again at once.
    pub const fn has_failed(self) -> bool {
        matches!(self, Self::NotDelivered | Self::Failing | Self::Failed | Self::Exhausted)
    }
}

/// An attempt in the log of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedAttempt {
    /// 1-based number in the schedule; that of the attempt before for a manual one.
    pub number: u32,
    /// Why it was made.
    pub kind: AttemptKind,
    /// When it began.
    pub started_at: Timestamp,
    /// The headers that were sent; none if no request was sent.
    pub request_headers: Vec<(String, String)>,
    /// Milliseconds until the response was read or given up.
    pub duration_ms: u64,
    /// The HTTP status, when there was one.
    pub response_status: Option<u16>,
    /// Why there was no response.
    pub error: Option<String>,
    /// Some response headers.
    pub response_headers: Personal<Vec<(String, String)>>,
    /// The first bytes of the response body.
    pub response_head: Option<Personal<String>>,
}
