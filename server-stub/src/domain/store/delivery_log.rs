//! What was sent to an endpoint, and having it sent again.

use std::fmt;

use async_trait::async_trait;

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::delivery::{LoggedAttempt, LoggedDelivery};

use super::{PageRequest, Result};

/// Deliveries with their attempts, as the owner of their endpoint sees them.
#[async_trait]
pub trait DeliveryLog: Send + Sync + fmt::Debug {
    /// The delivery, whoever owns its endpoint.
    async fn find_delivery(&self, delivery_id: &str) -> Result<Option<LoggedDelivery>>;
    /// The endpoint's delivery of that event.
    async fn find_delivery_of(&self, endpoint_id: &str, event_id: &str) -> Result<Option<LoggedDelivery>>;
    /// A page of an endpoint's deliveries, newest first.
    async fn list_deliveries(&self, endpoint_id: &str, page: &PageRequest) -> Result<Vec<LoggedDelivery>>;
    /// The attempts of a delivery, oldest first.
    async fn list_attempts(&self, delivery_id: &str) -> Result<Vec<LoggedAttempt>>;
    /// Makes a delivery due at once for one attempt beside the schedule.
    async fn redeliver(&self, delivery_id: &str, due_at: Timestamp) -> Result<Redelivery>;
    /// Makes due what the endpoint missed since then: what was given up, for one attempt each, and what happened
    /// while it was not active; at most 10,000 of each. Returns how many.
    async fn recover_deliveries(&self, endpoint_id: &str, since: Timestamp, now: Moment) -> Result<u64>;
}

/// The result of asking to send a delivery again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redelivery {
    /// It is due now.
    Queued,
    /// It is being sent, or will be at once.
    InFlight,
    /// Its endpoint is paused or disabled.
    EndpointNotActive,
    /// There is no such delivery.
    NotFound,
}
