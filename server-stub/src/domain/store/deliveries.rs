//! Records of the delivery log, the results of a redelivery, and webhook endpoints with their health.

use bytes::Bytes;

use super::{PageKey, Result};
use crate::domain::clock::Timestamp;
use crate::domain::delivery::{DeliveryState, DeliverySummary};
use crate::domain::endpoint_health::EndpointHealth;
use crate::domain::event::EventType;
use crate::domain::hook::{HookEndpoint, HookSecret, UnreadableSecret};
use crate::domain::personal::Personal;

/// Filters of an account's deliveries, combined with AND.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Only deliveries to this endpoint.
    pub endpoint_id: Option<String>,
    /// Only events of this type.
    pub event_type: Option<EventType>,
    /// Only deliveries in this state.
    pub state: Option<DeliveryState>,
    /// Only deliveries created at or after this time.
    pub since: Option<Timestamp>,
    /// Only deliveries created before this time.
    pub until: Option<Timestamp>,
}

/// A delivery with its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentDelivery {
    /// The delivery.
    pub summary: DeliverySummary,
    /// The body.
    pub body: Personal<Bytes>,
}

/// Result of one batch of a redelivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedeliveredBatch {
    /// Number of deliveries that are due now.
    pub count: u64,
    /// Start of the next batch; `None` after the last one.
    pub next: Option<PageKey>,
}

/// Result of a request to redeliver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redelivery {
    /// The delivery is due now.
    Queued,
    /// The delivery is in flight, or will be at once.
    InFlight,
    /// The endpoint is paused or disabled.
    EndpointNotActive,
    /// The delivery does not exist.
    NotFound,
}

/// An endpoint with its health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointState<S = Result<HookSecret, UnreadableSecret>> {
    /// The endpoint.
    pub endpoint: HookEndpoint<S>,
    /// `gone` or `failing`, while the endpoint is disabled.
    pub disabled_reason: Option<String>,
    /// Time of the last successful delivery.
    pub last_success_at: Option<Timestamp>,
    /// Time of the last failed attempt.
    pub last_failure_at: Option<Timestamp>,
    /// Failures since its last success.
    pub health: EndpointHealth,
}

impl<S> EndpointState<S> {
    /// Returns the same state with another secret.
    pub fn with_secret<T>(self, secret: T) -> EndpointState<T> {
        let Self { endpoint, disabled_reason, last_success_at, last_failure_at, health } = self;
        let endpoint = endpoint.with_secret(secret);
        EndpointState { endpoint, disabled_reason, last_success_at, last_failure_at, health }
    }
}
