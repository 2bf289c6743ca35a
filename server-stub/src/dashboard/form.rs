//! Submitted form. Each page decides which fields it reads.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use zeroize::Zeroizing;

use super::paging::PAGE_FIELD;

/// Maximum number of fields of a form: enough for one field per website of an account.
const MAX_FIELDS: usize = 2000;

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
    /// Parses a body of type `application/x-www-form-urlencoded`. Returns `None` if it has too many fields.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let fields: Vec<_> = url::form_urlencoded::parse(bytes).into_owned().take(MAX_FIELDS + 1).collect();
        (fields.len() <= MAX_FIELDS).then_some(Self { fields })
    }

    /// Parses the query of an address. Ignores fields beyond the limit.
    pub(super) fn of_query(parts: &Parts) -> Self {
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        Self { fields: url::form_urlencoded::parse(query).into_owned().take(MAX_FIELDS).collect() }
    }

    /// Returns a field without surrounding white space; empty if it is absent.
    pub(super) fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
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

    /// Returns all values of the field, in order.
    pub(super) fn all<'f>(&'f self, name: &str) -> impl Iterator<Item = &'f str> {
        self.fields.iter().filter(move |(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// Returns true if a box was ticked or a button pressed.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Returns the lines of a text field that are not blank.
    pub(super) fn lines(&self, name: &str) -> Vec<String> {
        self.raw(name).lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
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
