//! Captured leads, and the rule that detects duplicate captures. `app` reads forms; `storage` stores leads.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::names::names;
use super::personal::Personal;
use super::search::searchable;
use super::spam::SpamReport;
use super::unicode_form::composed;

/// Time within which a second capture of the same identity is the same lead.
pub const SAME_LEAD_WINDOW: Duration = Duration::from_mins(10);

/// Time within which a recipient gets at most one confirmation link of a website (`confirmation_links` under `x-limits`).
pub const ONE_LINK_WINDOW: Duration = SAME_LEAD_WINDOW;

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

    /// Returns the website and the recipient of the lead's confirmation link: its e-mail address or, without one, its telephone number.
    /// `None` if the lead gets no link, because it needs no confirmation or looks like spam.
    pub fn link_recipient(&self) -> Option<Personal<String>> {
        let is_due = self.confirmation.status == ConfirmationStatus::Pending && !self.spam.suspected;
        let recipient = match (&self.email, &self.phone) {
            (Some(email), _) => mailbox(email),
            (None, Some(phone)) => phone.chars().filter(|letter| letter.is_alphanumeric()).collect(),
            (None, None) => return None,
        };
        is_due.then(|| format!("{}\n{recipient}", self.website_id).into())
    }

    /// Returns the text that a search in the list of leads covers: e-mail address, name and company.
    pub fn search_text(&self) -> Personal<String> {
        let texts = [&self.email, &self.name, &self.company];
        searchable(texts.into_iter().flatten().map(|text| text.as_str())).into()
    }
}

/// Returns the address in NFC, in lower case and without a tag, the part from `+` to `@`: many mail systems deliver all tags of an
/// address to one mailbox (RFC 5233). A name that is only a tag stays.
fn mailbox(email: &str) -> String {
    let (local, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    let untagged = local.split('+').next().filter(|untagged| !untagged.is_empty()).unwrap_or(local);
    composed(&format!("{untagged}@{domain}").to_lowercase()).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::spam::{Signs, judge};

    const PENDING: &str = r#"{"id":"lead_1","website_id":"web_1","fields":{},"source":{"utm":{}},"consent":{"given":true},
        "spam":{"suspected":false,"score":0,"reasons":[]},"confirmation":{"status":"pending","confirmed_at":null},
        "captured_at":"2026-11-02T08:00:00.000Z","updated_at":"2026-11-02T08:00:00.000Z"}"#;

    fn pending(email: Option<&str>, phone: Option<&str>) -> Lead {
        let text = |text: Option<&str>| text.map(|text| text.to_owned().into());
        Lead { email: text(email), phone: text(phone), ..serde_json::from_str(PENDING).unwrap() }
    }

    fn recipient(email: Option<&str>, phone: Option<&str>) -> Option<String> {
        pending(email, phone).link_recipient().map(Personal::into_inner)
    }

    #[test]
    fn a_link_has_one_recipient_however_the_address_is_written() {
        assert_eq!(recipient(Some("zoe\u{308}@example.com"), None), recipient(Some("Zo\u{eb}@example.com"), None));
        for same in ["robin@example.com", "Robin@Example.com", "robin+1@example.com", "ROBIN+a+b@example.com"] {
            assert_eq!(recipient(Some(same), None), recipient(Some("robin@example.com"), Some("1")), "{same}");
        }
        for other in ["robi@example.com", "robin@example.org", "+robin@example.com", "robin.@example.com"] {
            assert_ne!(recipient(Some(other), None), recipient(Some("robin@example.com"), None), "{other}");
        }
        assert_eq!(recipient(None, Some("020 7946-0000")), recipient(None, Some("02079460000")));
        assert_ne!(recipient(None, Some("+442079460000")), recipient(None, Some("+442079460001")));
        assert_eq!(recipient(None, None), None);
        let elsewhere = Lead { website_id: "web_2".to_owned(), ..pending(Some("robin@example.com"), None) };
        assert_ne!(elsewhere.link_recipient(), pending(Some("robin@example.com"), None).link_recipient());
    }

    #[test]
    fn spam_and_a_lead_that_needs_no_confirmation_get_no_link() {
        let lead = pending(Some("robin@example.com"), None);
        let spam = judge(&Signs { is_trap_filled: true, ..Signs::default() });
        assert_eq!(Lead { spam, ..lead.clone() }.link_recipient(), None);
        for confirmation in [LeadConfirmation::of_new_lead(false), LeadConfirmation::confirmed(lead.captured_at)] {
            assert_eq!(Lead { confirmation, ..lead.clone() }.link_recipient(), None);
        }
    }

    proptest! {
        #[test]
        fn forms_that_are_one_lead_have_one_recipient(email in "[A-Za-z+.]{1,12}@[A-Za-z.]{1,12}", form in "[a-z]{0,3}") {
            let mut lead = pending(Some(&email), None);
            let mut other = pending(Some(&email.to_ascii_uppercase()), None);
            (lead.source.form_id, other.source.form_id) = (Some(form.clone().into()), Some(form.into()));
            prop_assert_eq!(lead.identity(), other.identity());
            prop_assert_eq!(lead.link_recipient(), other.link_recipient());
        }
    }

    #[test]
    fn a_confirmation_is_the_last_change_and_never_before_the_capture() {
        let lead = pending(None, None);
        for (millis, expected) in [(5000, 5000), (-5000, 0)] {
            let confirmed = lead.clone().confirmed(lead.captured_at.plus_millis(millis));
            assert_eq!(confirmed.updated_at, lead.captured_at.plus_millis(expected));
            assert_eq!(confirmed.confirmation, LeadConfirmation::confirmed(confirmed.updated_at));
        }
    }
}
