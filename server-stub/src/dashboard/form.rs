//! Fields of a submitted or displayed form, their errors, and the links between the pages of a list. Each page decides which
//! fields it reads.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::request::Parts;
use sha2::{Digest as _, Sha256};
use url::form_urlencoded;
use zeroize::Zeroizing;

use super::error::{Failure, sentence};
use crate::app::{AdminError, Setting};
use crate::domain::store;

/// Maximum number of fields of a form: enough for one field per website of an account.
const MAX_FIELDS: usize = 2000;
/// Name of the query parameter with the page token.
const PAGE_FIELD: &str = "page";
/// Name of the hidden field with the fingerprint of the settings that the user opened.
const OPENED_FIELD: &str = "opened";

/// Fields of a form by name. `Debug` output omits them, because they may contain passwords.
#[derive(Clone, Default)]
pub(super) struct Form {
    fields: Vec<(String, String)>,
}

impl std::fmt::Debug for Form {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Form({} fields)", self.fields.len())
    }
}

impl Form {
    /// Returns a form with these fields. Leaves out empty ones.
    pub(super) fn of(fields: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let filled = fields.into_iter().filter(|(_, value)| !value.is_empty());
        Self { fields: filled.map(|(name, value)| (name.to_owned(), value)).collect() }
    }

    /// Replaces a field.
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.retain(|(found, _)| found != name);
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds the fingerprint of these settings, for [`Form::require_unchanged`].
    pub(super) fn opened(self) -> Self {
        let fingerprint = self.fingerprint();
        self.with(OPENED_FIELD, &fingerprint)
    }

    /// Returns an error at `field` if `saved` differs from the settings that the user opened. Sets the fingerprint to that of
    /// `saved`, so that the user can save the form again.
    pub(super) fn require_unchanged(&mut self, saved: &Self, field: &str) -> Result<(), FieldErrors> {
        let fingerprint = saved.fingerprint();
        let is_unchanged = self.raw(OPENED_FIELD) == fingerprint;
        *self = std::mem::take(self).with(OPENED_FIELD, &fingerprint);
        if is_unchanged { Ok(()) } else { Err(FieldErrors::one(field, &AdminError::SettingsChanged.to_string())) }
    }

    /// Returns a text that differs from that of every form with other fields.
    fn fingerprint(&self) -> String {
        let fields = form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.fields).finish();
        URL_SAFE_NO_PAD.encode(Sha256::digest(fields))
    }

    /// Parses a body of type `application/x-www-form-urlencoded`. Returns `None` if it has too many fields.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let fields: Vec<_> = form_urlencoded::parse(bytes).into_owned().take(MAX_FIELDS + 1).collect();
        (fields.len() <= MAX_FIELDS).then_some(Self { fields })
    }

    /// Parses the query of an address. Ignores fields beyond the limit.
    pub(super) fn of_query(parts: &Parts) -> Self {
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        Self { fields: form_urlencoded::parse(query).into_owned().take(MAX_FIELDS).collect() }
    }

    /// Returns a field without surrounding white space; empty if it is absent.
    pub(super) fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// Returns a field without surrounding white space; `None` if it is absent or empty.
    pub(super) fn filled(&self, name: &str) -> Option<String> {
        Some(self.text(name).to_owned()).filter(|text| !text.is_empty())
    }

    /// Returns a field unchanged; empty if it is absent.
    pub(super) fn raw(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// Returns the page token of the requested page; `None` for the first page.
    pub(super) fn page_token(&self) -> Option<&str> {
        Some(self.text(PAGE_FIELD)).filter(|token| !token.is_empty())
    }

    /// Returns a secret field, zeroed in memory when dropped.
    pub(super) fn secret(&self, name: &str) -> Zeroizing<String> {
        Zeroizing::new(self.raw(name).to_owned())
    }

    /// Returns all fields except those with these names, in order.
    pub(super) fn without(&self, names: &[&str]) -> Vec<(String, String)> {
        self.fields.iter().filter(|(name, _)| !names.contains(&name.as_str())).cloned().collect()
    }

    /// Returns all values of the field, in order.
    pub(super) fn all<'f>(&'f self, name: &str) -> impl Iterator<Item = &'f str> {
        self.fields.iter().filter(move |(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// Returns true if a box was ticked or a button pressed.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Returns true if the field has this value, maybe beside others.
    pub(super) fn contains(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|found| found == value)
    }

    /// Returns the lines of a text field that are not blank.
    pub(super) fn lines(&self, name: &str) -> Vec<String> {
        self.raw(name).lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    /// Returns the fields with these names that are not empty, as the query of an address.
    pub(super) fn query(&self, names: &[&str]) -> String {
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        for name in names {
            pairs.extend_pairs(self.all(name).filter(|value| !value.is_empty()).map(|value| (name, value)));
        }
        pairs.finish()
    }
}

impl<S: Sync> FromRequestParts<S> for Form {
    type Rejection = Infallible;

    /// Returns the form that `guard` accepted, or the query if the request has no form.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let form = parts.extensions.get::<Self>().cloned();
        Ok(form.unwrap_or_else(|| Self::of_query(parts)))
    }
}

/// Returns the value of a box in a form that is shown.
pub(super) fn ticked(is_ticked: bool) -> String {
    if is_ticked { "on".to_owned() } else { String::new() }
}

/// Field and its error message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldMessage {
    pub(super) field: String,
    pub(super) text: String,
}

/// All errors of a form; empty if the form is valid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FieldErrors(Vec<FieldMessage>);

impl FieldErrors {
    /// Creates a list with one error.
    pub(super) fn one(field: &str, text: &str) -> Self {
        let mut errors = Self::default();
        errors.add(field, text);
        errors
    }

    /// Returns the error at the field of its setting, or a failure if it belongs to no field. Errors of the whole form are shown
    /// at `main_field`.
    pub(super) fn of_change(error: AdminError, main_field: &str) -> Result<Self, Failure> {
        let field = match &error {
            AdminError::Invalid { setting, .. } => field_of(*setting),
            AdminError::NameTaken => "name",
            AdminError::EmailTaken => "email",
            AdminError::FolderTaken => "folder",
            AdminError::HookAddress(_) => "url",
            AdminError::PushAddress(_) => "push_url",
            AdminError::Store(store::Error::LimitReached { .. }) | AdminError::SettingsChanged => main_field,
            _ => return Err(error.into()),
        };
        Ok(Self::one(field, &error.to_string()))
    }

    /// Adds an error; its text becomes a sentence.
    pub(super) fn add(&mut self, field: &str, text: &str) {
        self.0.push(FieldMessage { field: field.to_owned(), text: sentence(text) });
    }

    /// Parses a field; `None` if it is empty. Adds the error `text` if it cannot be parsed.
    pub(super) fn parsed<T>(
        &mut self,
        form: &Form,
        field: &str,
        parse: impl FnOnce(&str) -> Option<T>,
        text: &str,
    ) -> Option<T> {
        let parsed = form.filled(field).map(|typed| parse(&typed))?;
        if parsed.is_none() {
            self.add(field, text);
        }
        parsed
    }

    /// Returns the error message of the field; empty if it has no error.
    pub(super) fn of(&self, field: &str) -> &str {
        self.0.iter().find(|error| error.field == field).map_or("", |error| &error.text)
    }

    /// Returns true if there are no errors.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns all errors.
    pub(super) fn all(&self) -> &[FieldMessage] {
        &self.0
    }
}

/// For handlers that have no form to show the errors in.
impl From<FieldErrors> for Failure {
    fn from(errors: FieldErrors) -> Self {
        let texts: Vec<_> = errors.all().iter().map(|error| error.text.as_str()).collect();
        Self::Refused(texts.join(" "))
    }
}

/// Returns the name of the form field for a setting.
const fn field_of(setting: Setting) -> &'static str {
    match setting {
        Setting::Name => "name",
        Setting::WebsiteUrl => "url",
        Setting::Language => "language",
        Setting::TimeZone => "time_zone",
        Setting::BrandDna => "brand_voice_id",
        Setting::ArticleLength => "word_count",
        Setting::LeadRetention => "lead_retention",
        Setting::ConsentText => "consent_text",
        Setting::PrivacyUrl => "privacy_url",
        Setting::Folder => "folder",
        Setting::HookEvents => "events",
        Setting::HookDescription => "description",
        Setting::Email => "email",
        Setting::Domain => "domain",
        Setting::CurrentPassword => "current",
        Setting::NewPassword => "new",
        Setting::SampleText => "trial_text",
    }
}

/// Links to other pages of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paging {
    /// Link to the first page; `None` on the first page.
    pub(super) first: Option<String>,
    /// Link to the next page.
    pub(super) next: Option<String>,
}

impl Paging {
    /// Creates the links of a list at `path` (with the link prefix). They keep the parameters of `query` that are named in
    /// `filters`.
    pub(super) fn new(path: &str, query: &Form, filters: &[&str], next_page: Option<&str>) -> Self {
        let kept = query.query(filters);
        let link = |token: Option<&str>| {
            let mut pairs = form_urlencoded::Serializer::new(kept.clone());
            let pairs = pairs.extend_pairs(token.map(|token| (PAGE_FIELD, token))).finish();
            if pairs.is_empty() { path.to_owned() } else { format!("{path}?{pairs}") }
        };
        Self { first: query.page_token().map(|_| link(None)), next: next_page.map(|token| link(Some(token))) }
    }
}
