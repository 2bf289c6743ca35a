//! Deliveries that the dispatcher has claimed, and the results of its attempts.

use std::collections::HashMap;

use bytes::Bytes;

use crate::domain::clock::Moment;
use crate::domain::delivery::{AttemptKind, DeliveryPlace};
use crate::domain::hook::{Attempt, AttemptDecision, HookSecret, UnreadableSecret};
use crate::domain::personal::Personal;

use super::Result;

/// Maximum number of deliveries in flight for each endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndpointCapacity {
    /// Maximum number of deliveries in flight to an endpoint.
    pub per_endpoint: u32,
    /// Endpoints that currently have a lower limit, with the number of deliveries that may be added. 0 claims no delivery.
    pub reduced: HashMap<String, u32>,
}

impl EndpointCapacity {
    /// Returns a capacity with the same limit for every endpoint.
    pub fn at_most(per_endpoint: u32) -> Self {
        Self { per_endpoint, reduced: HashMap::new() }
    }

    /// Returns the number of deliveries that may be added for the endpoint while `in_flight` are in flight.
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
    /// A new token for every claim. An older token can no longer record the attempt.
    pub lease_token: String,
    /// Number of this attempt in the schedule, 1-based.
    pub number: u32,
    /// Reason for the attempt.
    pub kind: AttemptKind,
    /// Place in the schedule before an attempt outside of it.
    pub resume: Option<DeliveryPlace>,
    /// The `webhook-id`.
    pub event_id: String,
    /// The endpoint.
    pub endpoint_id: String,
    /// Target URL.
    pub url: String,
    /// Secrets that sign the body, newest first.
    pub secrets: Result<Vec<HookSecret>, UnreadableSecret>,
    /// The exact bytes to send.
    pub body: Personal<Bytes>,
}

/// An attempt, its delivery, and the decision after it.
#[derive(Debug, Clone)]
pub struct AttemptRecord {
    /// The delivery as claimed.
    pub delivery: ClaimedDelivery,
    /// Request and response.
    pub attempt: Attempt,
    /// Decision after the attempt.
    pub decision: AttemptDecision,
    /// Time of the decision.
    pub decided_at: Moment,
}
