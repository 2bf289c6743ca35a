//! Lead intake: a form on a published page creates a lead and its event. `http` reads the request.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::super::schema_violation::{escaped, fragment};
use super::super::{App, Error, FieldCode, FieldError, Place, Violations};
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::id::{self, Kind};
use crate::domain::lead::{Lead, LeadConfirmation, LeadConsent, LeadSource, ONE_LINK_WINDOW, SAME_LEAD_WINDOW};
use crate::domain::lead_form::FORMER_CONSENT_TEXT_VALID_FOR;
use crate::domain::personal::Personal;
use crate::domain::phone;
use crate::domain::public_url::PublicUrl;
use crate::domain::spam::{self, Signs, SpamReport};
use crate::domain::store::NewLink;

/// Field that people leave empty because they do not see it.
const TRAP: &str = "_hp";
/// Field with the milliseconds from showing the form to sending it.
const ELAPSED: &str = "_elapsed";
/// Texts of a check box or a hidden field that mean yes.
const TRUE_TEXTS: [&str; 4] = ["true", "on", "1", "yes"];

/// Separator of the values of a repeated name.
const SEPARATOR: &str = ", ";

/// A lead form that was sent.
#[derive(Debug, Clone)]
pub struct LeadSubmission {
    /// Body in the form of `LeadCapture`.
    body: Personal<Value>,
    /// Violations of the form itself.
    violations: Violations,
}

/// Fields that the schema defines. Other fields may contain anything and are not read.
#[derive(Deserialize)]
struct LeadBody {
    email: Option<Personal<String>>,
    name: Option<Personal<String>>,
    company: Option<Personal<String>>,
    phone: Option<Personal<String>>,
    message: Option<Personal<String>>,
    article_id: Option<String>,
    #[serde(default)]
    fields: Personal<BTreeMap<String, String>>,
    #[serde(default)]
    source: SourceBody,
    #[serde(default)]
    consent: ConsentBody,
    #[serde(rename = "_hp")]
    trap: Option<Value>,
    #[serde(rename = "_elapsed")]
    elapsed: Option<u64>,
}

#[derive(Default, Deserialize)]
struct SourceBody {
    page_url: Option<Personal<String>>,
    referrer: Option<Personal<String>>,
    form_id: Option<Personal<String>>,
    #[serde(default)]
    utm: Personal<BTreeMap<String, String>>,
}

#[derive(Default, Deserialize)]
struct ConsentBody {
    given: bool,
    text: Option<Personal<String>>,
}

impl LeadBody {
    fn spam(&self) -> SpamReport {
        spam::judge(&Signs {
            is_trap_filled: self.trap.as_ref().is_some_and(|trap| !trap.is_null() && trap != ""),
            elapsed: self.elapsed.map(Duration::from_millis),
            message: text_or_empty(self.message.as_ref()),
            name: text_or_empty(self.name.as_ref()),
            company: text_or_empty(self.company.as_ref()),
        })
    }
}

/// Returns the text, or an empty one for `None`.
fn text_or_empty(text: Option<&Personal<String>>) -> Personal<&str> {
    text.map_or("", |text| text.as_str()).into()
}

impl LeadSubmission {
    /// Returns the submission of a JSON body.
    pub fn from_json(body: Value) -> Self {
        Self { body: body.into(), violations: Violations::default() }
    }

    /// Returns the submission of a form with flat names: `utm_*` are campaign parameters, and other names become further fields.
    /// Ignores empty values, because the input was not filled in. Joins several values of a name; for `consent`, one that agrees is
    /// enough.
    pub fn from_form(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut filled: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, text) in pairs.into_iter().filter(|(_, text)| !text.is_empty()) {
            filled.entry(name).or_default().push(text);
        }
        let mut body = json!({ "fields": {}, "source": { "utm": {} } });
        for (name, texts) in filled {
            let text = texts.join(SEPARATOR);
            match name.as_str() {
                "email" | "name" | "company" | "phone" | "message" | "article_id" | TRAP => {
                    body[&name] = text.into();
                }
                // The schema refuses a text that is not a number.
                ELAPSED => body[ELAPSED] = text.parse::<u64>().map_or_else(|_| text.into(), Value::from),
                "page_url" | "referrer" | "form_id" => body["source"][&name] = text.into(),
                "consent" => {
                    body["consent"]["given"] = texts.iter().any(|text| TRUE_TEXTS.contains(&text.as_str())).into();
                }
                "consent_text" => body["consent"]["text"] = text.into(),
                _ => match name.strip_prefix("utm_").filter(|parameter| !parameter.is_empty()) {
                    Some(parameter) => body["source"]["utm"][parameter] = text.into(),
                    None => body["fields"][&name] = text.into(),
                },
            }
        }
        // The form sends the consent text even if the box is not ticked.
        if let Some(consent) = body.get_mut("consent").and_then(Value::as_object_mut) {
            consent.entry("given").or_insert(false.into());
        }
        Self::from_json(body)
    }

    /// Adds a violation for each of these fields, which have a file.
    #[must_use]
    pub fn with_files(mut self, names: impl IntoIterator<Item = String>) -> Self {
        let files = names.into_iter().map(|name| violation(FieldCode::InvalidFormat, &name, "must not be a file"));
        self.violations.extend(files);
        self
    }

    /// Adds the violation that the form has more than `limit` parts.
    #[must_use]
    pub fn with_too_many_parts(mut self, limit: usize) -> Self {
        self.violations.push(violation(FieldCode::TooMany, "", &format!("must have at most {limit} parts")));
        self
    }
}

/// Returns a violation in the field of that name, or in the whole form if the name is empty.
fn violation(code: FieldCode, name: &str, detail: &str) -> FieldError {
    let pointer = if name.is_empty() { String::new() } else { format!("/{}", escaped(name)) };
    FieldError { code, place: Place::Pointer(fragment(&pointer).into()), detail: detail.to_owned() }
}

impl App {
    /// Returns the website of a capture URL; `None` if it does not exist.
    pub async fn capture_website(&self, website_id: &str) -> Result<Option<Website>, Error> {
        Ok(self.store.find_website(website_id).await?)
    }

    /// Refuses leads of a website that is not active.
    pub fn check_takes_leads(website: &Website) -> Result<(), Error> {
        if website.status == WebsiteStatus::Active { Ok(()) } else { Err(Error::WebsiteInactive) }
    }

    /// Stores a lead and its event; marks a lead that looks like spam. Call [`App::check_takes_leads`] first. A repeat within ten
    /// minutes stores nothing and gets the same response. If the website requires confirmation of leads, the event contains a link
    /// below `public_url`, but at most one for each recipient in ten minutes: a visitor can enter the addresses of others.
    pub async fn capture_lead(
        &self,
        website: &Website,
        submission: LeadSubmission,
        public_url: &PublicUrl,
    ) -> Result<(), Error> {
        let body = self.validate_capture(&submission)?;
        let now = self.clock.wall();
        self.check_consent(website, &body.consent, now).await?;
        let spam = body.spam();
        let ConsentBody { given, text } = body.consent;
        let lead = Lead {
            id: id::new(Kind::Lead, now, &*self.randomness),
            account_id: website.account_id.clone(),
            website_id: website.website_id.clone(),
            article_id: self.own_article(website, body.article_id).await?,
            email: body.email,
            name: body.name,
            company: body.company,
            phone: body.phone.as_ref().map(|typed| phone::to_e164(typed).unwrap_or_else(|| typed.clone())),
            phone_typed: body.phone,
            message: body.message,
            fields: body.fields,
            source: LeadSource {
                page_url: body.source.page_url,
                referrer: body.source.referrer,
                form_id: body.source.form_id,
                utm: body.source.utm,
            },
            consent: LeadConsent { given, text, at: given.then_some(now) },
            spam,
            confirmation: LeadConfirmation::of_new_lead(website.lead_form.double_opt_in),
            captured_at: now,
            updated_at: now,
        };
        let event_id = id::new(Kind::Event, now, &*self.randomness);
        let event = |link: Option<&Personal<String>>| Event::lead_captured(event_id.clone(), &lead, link);
        let link = lead.link_recipient().map(|recipient| NewLink {
            recipient,
            event: event(Some(&self.confirmation_url(&lead, public_url))),
            none_since: now.minus(ONE_LINK_WINDOW),
        });
        let since = now.minus(SAME_LEAD_WINDOW);
        self.store.capture_lead_with_link(&lead, &event(None), link, since, self.clock.steady()).await?;
        Ok(())
    }

    fn validate_capture(&self, submission: &LeadSubmission) -> Result<LeadBody, Error> {
        let body = &*submission.body;
        let mut violations = self.document.capture.check(body, false);
        violations.extend(submission.violations.listed().iter().cloned());
        let is_reachable = ["email", "phone"].iter().any(|name| body.get(name).is_some());
        if !is_reachable {
            violations.push(FieldError {
                code: FieldCode::Required,
                place: Place::Pointer("#/email".to_owned().into()),
                detail: "is required unless `phone` is given".to_owned(),
            });
        }
        violations.into_result().map_err(Error::Validation)?;
        Ok(LeadBody::deserialize(body).expect("a body that matches the schema has these fields"))
    }

    /// Demands consent if the website has a consent text. The text of the form must be the website's current one or a recent one, so
    /// that a browser cannot make up another.
    async fn check_consent(&self, website: &Website, consent: &ConsentBody, now: Timestamp) -> Result<(), Error> {
        let Some(current) = &website.lead_form.consent_text else { return Ok(()) };
        let refused = |field: &str, code, detail: &str| {
            let place = Place::Pointer(format!("#/consent/{field}").into());
            Err(Error::Validation(FieldError { code, place, detail: detail.to_owned() }.into()))
        };
        if !consent.given {
            let detail = "is required: agree to the consent text";
            return refused("given", FieldCode::Required, detail);
        }
        let Some(shown) = &consent.text else {
            return refused("text", FieldCode::Required, "is required: send the consent text that the form shows");
        };
        let since = now.minus(FORMER_CONSENT_TEXT_VALID_FOR);
        if shown.as_str() == current
            || self.store.is_former_consent_text(&website.website_id, shown.as_str(), since).await?
        {
            return Ok(());
        }
        let detail = "must be a consent text of the website; load the form again";
        refused("text", FieldCode::InvalidFormat, detail)
    }

    /// Returns the id of the form's article if it belongs to this website, so that a visitor cannot store ids of other websites.
    async fn own_article(&self, website: &Website, article_id: Option<String>) -> Result<Option<String>, Error> {
        let Some(article_id) = article_id else { return Ok(None) };
        let article = self.store.find_article(&article_id).await?;
        Ok(article.filter(|article| article.website_id == website.website_id).map(|article| article.id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission(pairs: &[(&str, &str)]) -> LeadSubmission {
        LeadSubmission::from_form(pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())))
    }

    #[test]
    fn a_form_becomes_the_same_as_its_json() {
        let pairs = [
            ("email", "a@example.com"),
            ("utm_source", "x"),
            ("size", "6"),
            ("form_id", "f"),
            ("consent", "on"),
            ("name", ""),
        ];
        let submission = submission(&pairs);
        let expected = json!({
            "email": "a@example.com",
            "fields": { "size": "6" },
            "source": { "form_id": "f", "utm": { "source": "x" } },
            "consent": { "given": true },
        });
        assert_eq!(*submission.body, expected);
        assert_eq!(submission.violations, Violations::default());
    }

    #[test]
    fn values_of_a_name_are_joined_in_their_order_and_one_that_agrees_is_enough() {
        let pairs = [
            ("size", "6"),
            ("consent", "no"),
            ("message", "b"),
            ("size", ""),
            ("consent", "yes"),
            ("size", "4"),
            ("utm_source", "x"),
            ("message", "a"),
            ("utm_source", "y"),
            ("utm_", "z"),
        ];
        let expected = json!({
            "message": "b, a",
            "fields": { "size": "6, 4", "utm_": "z" },
            "source": { "utm": { "source": "x, y" } },
            "consent": { "given": true },
        });
        assert_eq!(*submission(&pairs).body, expected);
    }

    #[test]
    fn files_and_parts_beyond_the_limit_are_violations_of_the_form() {
        let violations = submission(&[]).with_too_many_parts(100).with_files(["cv/a".to_owned()]).violations;
        let found: Vec<_> = violations.listed().iter().map(|error| (error.code, error.place.clone())).collect();
        let place = |pointer: &str| Place::Pointer(pointer.to_owned().into());
        assert_eq!(found, [(FieldCode::TooMany, place("#")), (FieldCode::InvalidFormat, place("#/cv~1a"))]);
    }
}
