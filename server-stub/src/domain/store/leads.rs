//! Filters and outcomes for captured leads.

use crate::domain::clock::Timestamp;
use crate::domain::delivery::LoggedDelivery;
use crate::domain::event::EventType;

/// Filters of the lead list; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeadFilter {
    /// Of this website.
    pub website_id: Option<String>,
    /// Captured on this article.
    pub article_id: Option<String>,
    /// Captured at or after.
    pub captured_since: Option<Timestamp>,
    /// Captured before.
    pub captured_until: Option<Timestamp>,
    /// Changed at or after.
    pub updated_since: Option<Timestamp>,
}

/// An event that told of a lead, and what was sent of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadEvent {
    /// `evt_…`.
    pub id: String,
    /// What it told.
    pub event_type: EventType,
    /// When it happened.
    pub created_at: Timestamp,
    /// To each endpoint that wanted it, oldest first.
    pub deliveries: Vec<LoggedDelivery>,
    /// How many attempts of them are in the log.
    pub attempts: u64,
}

/// The result of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captured {
    /// A new lead, stored with its event.
    New,
    /// The same person, form and website within ten minutes. The lead of the first capture stays as it is.
    Duplicate,
}
