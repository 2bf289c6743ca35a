//! Captured leads, and the rule that detects duplicate captures. `app` reads forms; `storage` stores leads.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::names::names;
use super::personal::Personal;
use super::search::searchable;
use super::spam::SpamReport;

/// Time within which a second capture of the same identity is the same lead.
pub const SAME_LEAD_WINDOW: Duration = Duration::from_mins(10);

/// Source of a lead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeadSource {
    /// Page with the form.
    pub page_url: Option<Personal<String>>,
    /// Page that linked to it.
    pub referrer: Option<Personal<String>>,
    /// Name of the form.
    pub form_id: Option<Personal<String>>,
    /// `utm_*` parameters without their prefix.
    pub utm: Personal<BTreeMap<String, String>>,
}

/// Consent of the person behind a lead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeadConsent {
    /// True if consent was given.
    pub given: bool,
    /// Consent text of the form.
    pub text: Option<Personal<String>>,
    /// Time of the consent.
    pub at: Option<Timestamp>,
}

names! {
    /// State of a lead's confirmation.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ConfirmationStatus {
        /// The website did not require it.
        #[default]
        NotRequired = "not_required",
        /// The person has not confirmed the lead yet.
        Pending = "pending",
        /// The recipient of the link has confirmed the lead.
        Confirmed = "confirmed",
    }
}

/// Confirmation of a lead by the person behind it (double opt-in).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeadConfirmation {
    /// State of the confirmation.
    pub status: ConfirmationStatus,
    /// Time of the confirmation; `None` without one.
    pub confirmed_at: Option<Timestamp>,
}

impl LeadConfirmation {
    /// Returns the confirmation of a new lead, which is pending if it `is_required`.
    pub fn of_new_lead(is_required: bool) -> Self {
        let status = if is_required { ConfirmationStatus::Pending } else { ConfirmationStatus::NotRequired };
        Self { status, confirmed_at: None }
    }

    /// Returns the confirmation of a lead that was confirmed at `now`.
    pub fn confirmed(now: Timestamp) -> Self {
        Self { status: ConfirmationStatus::Confirmed, confirmed_at: Some(now) }
    }
}

/// A lead, with the field names of the API. `account_id` never leaves the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lead {
    /// `lead_…`.
    pub id: String,
    /// The owner.
    #[serde(skip)]
    pub account_id: String,
    /// Website of the capture.
    pub website_id: String,
    /// Article of the capture.
    pub article_id: Option<String>,
    /// At most 254 characters; this or `phone` is present.
    pub email: Option<Personal<String>>,
    /// At most 200 characters.
    pub name: Option<Personal<String>>,
    /// At most 200 characters.
    pub company: Option<Personal<String>>,
    /// In E.164 if `phone::to_e164` understood it, otherwise as typed.
    pub phone: Option<Personal<String>>,
    /// As the form sent it; at most 32 characters.
    pub phone_typed: Option<Personal<String>>,
    /// At most 5000 characters.
    pub message: Option<Personal<String>>,
    /// At most 32 further fields.
    pub fields: Personal<BTreeMap<String, String>>,
    /// Source of the lead.
    pub source: LeadSource,
    /// Consent of the person.
    pub consent: LeadConsent,
    /// Spam report.
    pub spam: SpamReport,
    /// Confirmation by the person.
    pub confirmation: LeadConfirmation,
    /// Time of the capture.
    pub captured_at: Timestamp,
    /// Time of the last change, which is the capture or the confirmation.
    pub updated_at: Timestamp,
}

impl Lead {
    /// Returns the lead, confirmed at `now`, or at its last change if the clock is behind it.
    #[must_use]
    pub fn confirmed(self, now: Timestamp) -> Self {
        let now = now.max(self.updated_at);
        Self { confirmation: LeadConfirmation::confirmed(now), updated_at: now, ..self }
    }

    /// Returns the values that two captures must share to be one lead: website, form, e-mail without ASCII case, and whether they
    /// look like spam. The spam class keeps a robot that uses a person's address from suppressing that person's lead. `None`
    /// without an e-mail: then every capture is a new lead.
    pub fn identity(&self) -> Option<Personal<String>> {
        let email = self.email.as_ref()?.to_ascii_lowercase();
        let form = self.source.form_id.as_ref().map_or("", |form_id| form_id);
        let class = if self.spam.suspected { "\nsuspected" } else { "" };
        Some(format!("{}\n{form}\n{email}{class}", self.website_id).into())
    }

    /// Returns the text that a search in the list of leads covers: e-mail address, name and company.
    pub fn search_text(&self) -> Personal<String> {
        let texts = [&self.email, &self.name, &self.company];
        searchable(texts.into_iter().flatten().map(|text| text.as_str())).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confirmation_is_the_last_change_and_never_before_the_capture() {
        let text = r#"{"id":"lead_1","website_id":"web_1","fields":{},"source":{"utm":{}},"consent":{"given":true},
            "spam":{"suspected":false,"score":0,"reasons":[]},"confirmation":{"status":"pending","confirmed_at":null},
            "captured_at":"2026-11-02T08:00:00.000Z","updated_at":"2026-11-02T08:00:00.000Z"}"#;
        let lead: Lead = serde_json::from_str(text).unwrap();
        for (millis, expected) in [(5000, 5000), (-5000, 0)] {
            let confirmed = lead.clone().confirmed(lead.captured_at.plus_millis(millis));
            assert_eq!(confirmed.updated_at, lead.captured_at.plus_millis(expected));
            assert_eq!(confirmed.confirmation, LeadConfirmation::confirmed(confirmed.updated_at));
        }
    }
}
