//! Filters and results for captured leads.

use crate::domain::clock::Timestamp;
use crate::domain::delivery::LoggedDelivery;
use crate::domain::event::EventType;

/// Filters of the lead list, combined with AND.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeadFilter {
    /// Only leads of this website.
    pub website_id: Option<String>,
    /// Only leads of this article.
    pub article_id: Option<String>,
    /// Only leads captured at or after this time.
    pub captured_since: Option<Timestamp>,
    /// Only leads captured before this time.
    pub captured_until: Option<Timestamp>,
    /// Only leads changed at or after this time.
    pub updated_since: Option<Timestamp>,
}

/// An event about a lead, with its deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadEvent {
    /// `evt_…`.
    pub id: String,
    /// Type of the event.
    pub event_type: EventType,
    /// Time of the event.
    pub created_at: Timestamp,
    /// Deliveries to each subscribed endpoint, oldest first.
    pub deliveries: Vec<LoggedDelivery>,
    /// Number of attempts in the log for these deliveries.
    pub attempts: u64,
}

/// Result of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captured {
    /// A new lead, stored with its event.
    New,
    /// The same person, form and website within ten minutes. The first lead stays unchanged.
    Duplicate,
}
