//! Records of the delivery log, and the outcomes of sending again.

use bytes::Bytes;

use crate::domain::clock::Timestamp;
use crate::domain::delivery::{DeliveryState, DeliverySummary};
use crate::domain::event::EventType;
use crate::domain::personal::Personal;

use super::PageKey;

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
