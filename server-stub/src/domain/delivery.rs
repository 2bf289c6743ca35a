//! Deliveries and their attempts as the log shows them. `hook` decides what follows an attempt.

use serde::Serialize;

use super::clock::Timestamp;
use super::event::EventType;
use super::hook::DeliveryStatus;
use super::names::names;
use super::personal::Personal;

names! {
    /// The reason for an attempt.
    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AttemptKind {
        /// Due by the retry schedule.
        Scheduled = "scheduled",
        /// Requested by a user; a failure does not change the schedule.
        Manual = "manual",
        /// The event is a test; it gets only one attempt.
        Test = "test",
    }
}

/// A delivery in the log of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedDelivery {
    /// `dlv_…`.
    pub id: String,
    /// The `webhook-id`.
    pub event_id: String,
    /// Type of the event.
    pub event_type: EventType,
    /// The endpoint.
    pub endpoint_id: String,
    /// Current state.
    pub status: DeliveryStatus,
    /// Number of scheduled attempts that were begun.
    pub attempts: u32,
    /// Time of the next attempt, while the delivery is pending.
    pub next_attempt_at: Option<Timestamp>,
    /// Time of the event.
    pub created_at: Timestamp,
}

/// Result of the last attempt of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastAttempt {
    /// Start time.
    pub started_at: Timestamp,
    /// HTTP status, if there was a response.
    pub response_status: Option<u16>,
    /// Reason why there was no response.
    pub error: Option<String>,
}

/// A delivery as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliverySummary {
    /// The delivery.
    pub delivery: LoggedDelivery,
    /// Id of the article, lead or job that the event is about; for a test, of the event itself.
    pub object_id: String,
    /// True if an attempt is in flight.
    pub is_in_flight: bool,
    /// Reason for the next attempt, while the delivery is pending.
    pub next_kind: AttemptKind,
    /// `None` before the first attempt has ended.
    pub last_attempt: Option<LastAttempt>,
}

names! {
    /// Filter for deliveries by their state.
    pub enum DeliveryState {
        /// Not delivered: failed, exhausted, or failing.
        NotDelivered = "not_delivered",
        /// Pending, and the last attempt failed.
        Failing = "failing",
        /// To be sent, or sent again.
        Pending = "pending",
        /// Dropped before the schedule ended.
        Failed = "failed",
        /// All attempts were used.
        Exhausted = "exhausted",
        /// The receiver returned a 2xx status.
        Succeeded = "succeeded",
    }
}

impl DeliveryState {
    /// Returns true for a state of failed deliveries, so that all of them may be redelivered in bulk.
    pub const fn has_failed(self) -> bool {
        matches!(self, Self::NotDelivered | Self::Failing | Self::Failed | Self::Exhausted)
    }
}

/// An attempt in the log of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedAttempt {
    /// Number in the schedule, from 1; a manual attempt has the number of the attempt before.
    pub number: u32,
    /// Reason for the attempt.
    pub kind: AttemptKind,
    /// Start time.
    pub started_at: Timestamp,
    /// Headers that were sent; empty if no request was sent.
    pub request_headers: Vec<(String, String)>,
    /// Milliseconds until the response was read, or until the dispatcher gave up.
    pub duration_ms: u64,
    /// HTTP status, if there was a response.
    pub response_status: Option<u16>,
    /// Reason why there was no response.
    pub error: Option<String>,
    /// Selected response headers.
    pub response_headers: Personal<Vec<(String, String)>>,
    /// The first bytes of the response body.
    pub response_head: Option<Personal<String>>,
}
