//! Captured leads and when two captures are one. Nothing here reads a form or stores a lead.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::fault::table::{leads as slip, outside};

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

/// A lead, the member names being those of the wire. `account_id` never leaves the server.
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
        let phone = self.phone.as_ref().filter(|_| slip::PHONE_IS_IDENTITY.is_on());
        let email = self.email.as_ref().or(phone)?;
        let email = &*plus_folded(email);
        let email = if slip::EMAIL_WITH_CASE.is_on() { email.to_owned() } else { email.to_ascii_lowercase() };
        let email = if outside::UNICODE_CASE.is_on() { email.to_lowercase() } else { email };
        let form = self.source.form_id.as_deref().filter(|_| !slip::FORM_IGNORED.is_on()).unwrap_or_default();
        Some(format!("{}\n{form}\n{email}", self.website_id))
    }
}

/// As a slip: an e-mail without what the owner of the address may add to it.
fn plus_folded(email: &str) -> Cow<'_, str> {
    match (email.split_once('+'), email.split_once('@')) {
        (Some((name, _)), Some((_, host))) if outside::PLUS_FOLDED.is_on() => Cow::Owned(format!("{name}@{host}")),
        _ => Cow::Borrowed(email),
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
