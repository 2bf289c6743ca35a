//! What was sent to an endpoint, and having it sent again.

use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::delivery::{DeliveryState, DeliverySummary, LoggedAttempt, LoggedDelivery};
use crate::domain::event::EventType;
use crate::domain::personal::Personal;

use super::{PageKey, PageRequest, Result, SearchPage};

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
    /// A page of the account's deliveries.
    async fn find_deliveries(
        &self,
        account_id: &str,
        filter: &DeliveryFilter,
        page: &PageRequest,
    ) -> Result<SearchPage<DeliverySummary>>;
    /// The delivery as lists show it, with what is sent: the bytes, as long as its endpoint's settings stay.
    async fn find_sent(&self, delivery_id: &str) -> Result<Option<SentDelivery>>;
    /// How many deliveries to the account's active endpoints, or to one of its endpoints in any state, are due or in flight; counted up to
    /// 10,001.
    async fn count_due(&self, account_id: &str, endpoint_id: Option<&str>, now: Timestamp) -> Result<u64>;
    /// Makes those of the page due at once that failed, for one attempt each beside the schedule, where the endpoint is
    /// active. What is being sent, or was asked for already, is left alone.
    async fn redeliver_matching(
        &self,
        account_id: &str,
        filter: &DeliveryFilter,
        page: &PageRequest,
        due_at: Timestamp,
    ) -> Result<RedeliveredBatch>;
    /// Makes a delivery due at once for one attempt beside the schedule.
    async fn redeliver(&self, delivery_id: &str, due_at: Timestamp) -> Result<Redelivery>;
    /// Makes due what the endpoint missed since then: what was given up, for one attempt each, and what happened
    /// while it was not active; at most 10,000 of each. Returns how many.
    async fn recover_deliveries(&self, endpoint_id: &str, since: Timestamp, now: Moment) -> Result<u64>;
}

/// Which deliveries of an account; `None` does not restrict.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// To this endpoint.
    pub endpoint_id: Option<String>,
    /// Of events of this type.
    pub event_type: Option<EventType>,
    /// Where they stand.
    pub state: Option<DeliveryState>,
    /// Made at this moment or after it.
    pub since: Option<Timestamp>,
    /// Made before this moment.
    pub until: Option<Timestamp>,
}

/// A delivery with its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentDelivery {
    /// The delivery.
    pub summary: DeliverySummary,
    /// The body.
    pub body: Personal<Bytes>,
}

/// What one batch of a redelivery did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedeliveredBatch {
    /// How many deliveries are due now.
    pub count: u64,
    /// Where the next batch begins.
    pub next: Option<PageKey>,
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
