//! Captured leads: storing, reading and erasing them.

use std::fmt;

use async_trait::async_trait;

use crate::domain::account::Scope;
use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::lead::Lead;

use super::{PageRequest, Result};

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
    /// The lead, whoever owns it.
    async fn find_lead(&self, lead_id: &str) -> Result<Option<Lead>>;
    /// A page of leads.
    async fn list_leads(&self, scope: &Scope, filter: &LeadFilter, page: &PageRequest) -> Result<Vec<Lead>>;
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
}

/// The result of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captured {
    /// A new lead, stored with its event.
    New,
    /// The same person, form and website within ten minutes. The lead of the first capture stays as it is.
    Duplicate,
}
