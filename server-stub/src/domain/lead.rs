//! Captured leads, and when two captures count as one. Nothing here reads a form or stores a lead.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;

/// Within this time a second capture of the same identity is the same lead (CONTRACT 1.8).
pub const SAME_LEAD_WINDOW: Duration = Duration::from_mins(10);

/// Where a lead came from.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeadSource {
    /// The page with the form.
    pub page_url: Option<String>,
    /// What led to that page.
    pub referrer: Option<String>,
    /// Which form.
    pub form_id: Option<String>,
    /// `utm_*` parameters without their prefix.
    pub utm: BTreeMap<String, String>,
}

/// What the person agreed to.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeadConsent {
    /// Whether consent was given.
    pub given: bool,
    /// The words agreed to.
    pub text: Option<String>,
    /// When.
    pub at: Option<Timestamp>,
}

/// A lead, with the member names of the API. `account_id` never leaves the server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lead {
    /// `lead_…`.
    pub id: String,
    /// The owner.
    #[serde(skip)]
    pub account_id: String,
    /// The website it was captured on.
    pub website_id: String,
    /// The article it was captured on.
    pub article_id: Option<String>,
    /// At most 254 characters; this or `phone` is there.
    pub email: Option<String>,
    /// At most 200 characters.
    pub name: Option<String>,
    /// At most 200 characters.
    pub company: Option<String>,
    /// At most 32 characters.
    pub phone: Option<String>,
    /// At most 5000 characters.
    pub message: Option<String>,
    /// At most 32 further fields.
    pub fields: BTreeMap<String, String>,
    /// Where it came from.
    pub source: LeadSource,
    /// What was agreed to.
    pub consent: LeadConsent,
    /// When.
    pub captured_at: Timestamp,
}

impl Lead {
    /// What two captures must share to be one lead: website, form and e-mail without ASCII case. `None` without an
    /// e-mail: then every capture is new (CONTRACT 5, "Leads").
    pub fn identity(&self) -> Option<String> {
        let email = self.email.as_ref()?.to_ascii_lowercase();
        let form = self.source.form_id.as_deref().unwrap_or_default();
        Some(format!("{}\n{form}\n{email}", self.website_id))
    }
}

// Personal data stays out of logs: only ids are shown.
impl fmt::Debug for Lead {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Lead")
            .field("id", &self.id)
            .field("website_id", &self.website_id)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for LeadSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LeadSource").finish_non_exhaustive()
    }
}

impl fmt::Debug for LeadConsent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LeadConsent").field("given", &self.given).finish_non_exhaustive()
    }
}
