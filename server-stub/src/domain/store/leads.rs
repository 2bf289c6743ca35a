//! Captured leads: storing, reading and erasing them.

use std::fmt;

use async_trait::async_trait;

use crate::domain::account::Scope;
use crate::domain::clock::Timestamp;
use crate::domain::delivery::LoggedDelivery;
use crate::domain::event::{Event, EventType};
use crate::domain::lead::Lead;
use crate::domain::search::Search;

use super::{PageRequest, Result, SearchPage};

/// Captured leads.
#[async_trait]
pub trait Leads: Send + Sync + fmt::Debug {
    /// Stores a lead with its event, unless it is the same as one captured since `same_since`.
    async fn capture_lead(
        &self,
        lead: &Lead,
        event: &Event,
        same_since: Timestamp,
        due_at: Timestamp,
    ) -> Result<Captured>;
    /// Stores a lead that was confirmed with its event, if it waited for that. Returns whether it did.
    async fn confirm_lead(&self, confirmed: &Lead, event: &Event, due_at: Timestamp) -> Result<bool>;
    /// The lead, whoever owns it.
    async fn find_lead(&self, lead_id: &str) -> Result<Option<Lead>>;
    /// A page of leads.
    async fn list_leads(&self, scope: &Scope, filter: &LeadFilter, page: &PageRequest) -> Result<Vec<Lead>>;
    /// A page of the leads that have this in the e-mail address, the name or the company.
    async fn search_leads(
        &self,
        scope: &Scope,
        filter: &LeadFilter,
        search: &Search,
        page: &PageRequest,
    ) -> Result<SearchPage<Lead>>;
    /// How many leads there are, or how many of them have this in their texts.
    async fn count_leads(&self, scope: &Scope, filter: &LeadFilter, search: Option<&Search>) -> Result<u64>;
    /// The events that told of the lead, as long as they are kept, oldest first.
    async fn find_lead_events(&self, lead_id: &str) -> Result<Vec<LeadEvent>>;
    /// Erases a lead and all that was made of it: events, deliveries, attempts. Returns whether there was one.
    async fn erase_lead(&self, lead_id: &str) -> Result<bool>;
}

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
