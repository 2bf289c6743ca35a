//! Deliveries: their place in the schedule, decisions on redelivery, and their log. `retry_schedule` decides what follows an
//! attempt.

use serde::Serialize;

use super::clock::Timestamp;
use super::event::EventType;
use super::hook::{DeliveryStatus, EndpointStatus};
use super::names::names;
use super::personal::Personal;
use super::retry_schedule::AttemptDecision;
use super::store::Redelivery;

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

impl AttemptKind {
    /// Returns true if attempts of this kind count in the schedule.
    pub const fn counts(self) -> bool {
        matches!(self, Self::Scheduled)
    }

    /// Returns the number of scheduled attempts after a claim. An attempt whose lease lapsed is repeated under its number.
    pub const fn attempts_after_claim(self, attempts: u32, has_lapsed: bool) -> u32 {
        if self.counts() && !has_lapsed { attempts.saturating_add(1) } else { attempts }
    }
}

/// Place of a delivery in its schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryPlace {
    /// The status.
    pub status: DeliveryStatus,
    /// Time of the next attempt, while the delivery is pending.
    pub run_at: Option<Timestamp>,
}

impl DeliveryPlace {
    /// Returns the place after an attempt. `resume` is the place before an attempt outside the schedule, which a failure
    /// restores. But a pending delivery ends if the receiver refuses all further attempts.
    pub fn after_attempt(decision: AttemptDecision, resume: Option<Self>) -> Self {
        let (status, run_at) = match decision {
            AttemptDecision::Succeeded => (DeliveryStatus::Succeeded, None),
            AttemptDecision::RetryAt(retry_at) => (DeliveryStatus::Pending, Some(retry_at)),
            AttemptDecision::Exhausted => (DeliveryStatus::Exhausted, None),
            AttemptDecision::Aborted | AttemptDecision::Gone => (DeliveryStatus::Failed, None),
        };
        let decided = Self { status, run_at };
        match (resume, decision) {
            (None, _) | (_, AttemptDecision::Succeeded) => decided,
            (Some(resume), AttemptDecision::Aborted | AttemptDecision::Gone)
                if resume.status == DeliveryStatus::Pending =>
            {
                decided
            }
            (Some(resume), _) => resume,
        }
    }
}

/// Decides on a request to redeliver. `next` is the reason for the next attempt of the delivery.
pub fn decide_redelivery(is_in_flight: bool, next: AttemptKind, endpoint: EndpointStatus) -> Redelivery {
    if endpoint != EndpointStatus::Active {
        Redelivery::EndpointNotActive
    } else if is_in_flight || next != AttemptKind::Scheduled {
        Redelivery::InFlight
    } else {
        Redelivery::Queued
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
    /// Number in the schedule, from 1; a manual attempt has the number of the one before it.
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

#[cfg(test)]
mod tests {
    use super::*;

    const STATUSES: [DeliveryStatus; 4] =
        [DeliveryStatus::Pending, DeliveryStatus::Succeeded, DeliveryStatus::Failed, DeliveryStatus::Exhausted];

    #[test]
    fn a_failure_outside_the_schedule_restores_the_place_unless_the_receiver_refuses_all_further_attempts() {
        let (retry_at, resume_at) = (Timestamp::from_millis(7), Timestamp::from_millis(9));
        let place = |status| {
            let run_at = (status == DeliveryStatus::Pending).then_some(resume_at);
            DeliveryPlace { status, run_at }
        };
        for (decision, status, run_at) in [
            (AttemptDecision::Succeeded, DeliveryStatus::Succeeded, None),
            (AttemptDecision::RetryAt(retry_at), DeliveryStatus::Pending, Some(retry_at)),
            (AttemptDecision::Exhausted, DeliveryStatus::Exhausted, None),
            (AttemptDecision::Aborted, DeliveryStatus::Failed, None),
            (AttemptDecision::Gone, DeliveryStatus::Failed, None),
        ] {
            let decided = DeliveryPlace { status, run_at };
            assert_eq!(DeliveryPlace::after_attempt(decision, None), decided, "{decision:?}");
            for before in STATUSES {
                let ends = matches!(decision, AttemptDecision::Aborted | AttemptDecision::Gone);
                let is_decided = decision == AttemptDecision::Succeeded || (ends && before == DeliveryStatus::Pending);
                let expected = if is_decided { decided } else { place(before) };
                let after = DeliveryPlace::after_attempt(decision, Some(place(before)));
                assert_eq!(after, expected, "{decision:?} of {before:?}");
            }
        }
    }

    #[test]
    fn only_scheduled_attempts_count_and_one_whose_lease_lapsed_counts_once() {
        for (kind, has_lapsed, expected) in [
            (AttemptKind::Scheduled, false, 4),
            (AttemptKind::Scheduled, true, 3),
            (AttemptKind::Manual, false, 3),
            (AttemptKind::Test, false, 3),
        ] {
            assert_eq!(kind.attempts_after_claim(3, has_lapsed), expected, "{kind:?}");
        }
    }

    #[test]
    fn a_delivery_is_sent_again_if_its_endpoint_is_active_and_nothing_is_in_flight() {
        let (scheduled, active) = (AttemptKind::Scheduled, EndpointStatus::Active);
        assert_eq!(decide_redelivery(false, scheduled, active), Redelivery::Queued);
        assert_eq!(decide_redelivery(true, scheduled, active), Redelivery::InFlight);
        for kind in [AttemptKind::Manual, AttemptKind::Test] {
            assert_eq!(decide_redelivery(false, kind, active), Redelivery::InFlight, "{kind:?}");
        }
        for endpoint in [EndpointStatus::Paused, EndpointStatus::Disabled] {
            assert_eq!(decide_redelivery(true, scheduled, endpoint), Redelivery::EndpointNotActive);
        }
    }
}
