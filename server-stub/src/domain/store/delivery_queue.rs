//! Deliveries that the dispatcher has claimed, and the results of its attempts.

use std::collections::HashMap;

use bytes::Bytes;

use crate::domain::clock::Moment;
use crate::domain::delivery::AttemptKind;
use crate::domain::hook::{Attempt, AttemptDecision, HookSecret, UnreadableSecret};
use crate::domain::personal::Personal;

use super::Result;

/// How many deliveries each endpoint may have in flight.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndpointCapacity {
    /// Most deliveries in flight to an endpoint.
    pub per_endpoint: u32,
    /// Endpoints with a lower limit now: how many deliveries may be added. 0 claims none.
    pub reduced: HashMap<String, u32>,
}

impl EndpointCapacity {
    /// The same number for every endpoint.
    pub fn at_most(per_endpoint: u32) -> Self {
        Self { per_endpoint, reduced: HashMap::new() }
    }

    /// How many more may be sent to the endpoint while `in_flight` are.
    pub fn free(&self, endpoint_id: &str, in_flight: u32) -> u32 {
        let free = self.per_endpoint.saturating_sub(in_flight);
        self.reduced.get(endpoint_id).map_or(free, |reduced| free.min(*reduced))
    }
}

/// A delivery that the dispatcher has claimed.
#[derive(Debug, Clone)]
pub struct ClaimedDelivery {
    /// `dlv_…`.
    pub id: String,
    /// New for every claim. An older token can no longer record the attempt.
    pub lease_token: String,
    /// Attempt number in the schedule, 1-based, this one counted.
    pub number: u32,
    /// Why it is sent.
    pub kind: AttemptKind,
    /// The `webhook-id`.
    pub event_id: String,
    /// The endpoint.
    pub endpoint_id: String,
    /// Where to send.
    pub url: String,
    /// Sign the body; newest first.
    pub secrets: Result<Vec<HookSecret>, UnreadableSecret>,
    /// The exact bytes to send.
    pub body: Personal<Bytes>,
}

/// An attempt, the delivery it belongs to, and what follows.
#[derive(Debug, Clone)]
pub struct AttemptRecord {
    /// As it was claimed.
    pub delivery: ClaimedDelivery,
    /// What was sent and received.
    pub attempt: Attempt,
    /// What follows.
    pub decision: AttemptDecision,
    /// When that was decided.
    pub decided_at: Moment,
}
