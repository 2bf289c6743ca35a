//! A form as it was sent. Which fields mean something is decided by each page.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use zeroize::Zeroizing;

use super::paging::PAGE_FIELD;

/// Most fields of a form: a key for each of an account's websites fits.
const MAX_FIELDS: usize = 2000;

/// The fields of a form by name. Nothing of a form shows in `Debug` output: it may hold passwords.
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
    /// Reads `application/x-www-form-urlencoded`, of a body. `None` when it has too many fields.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let fields: Vec<_> = url::form_urlencoded::parse(bytes).into_owned().take(MAX_FIELDS + 1).collect();
        (fields.len() <= MAX_FIELDS).then_some(Self { fields })
    }

    /// Reads the query of an address. What is too much is left out.
    pub(super) fn of_query(parts: &Parts) -> Self {
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        Self { fields: url::form_urlencoded::parse(query).into_owned().take(MAX_FIELDS).collect() }
    }

    /// A field without white space around it; empty when it is absent.
    pub(super) fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// A field as it was typed; empty when it is absent.
    pub(super) fn raw(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// The token of the page of a list that is asked for; `None` for the first one.
    pub(super) fn page_token(&self) -> Option<&str> {
        Some(self.text(PAGE_FIELD)).filter(|token| !token.is_empty())
    }

    /// A field that nobody else may see.
    pub(super) fn secret(&self, name: &str) -> Zeroizing<String> {
        Zeroizing::new(self.raw(name).to_owned())
    }

    /// All fields of that name, in their order.
    pub(super) fn all<'f>(&'f self, name: &str) -> impl Iterator<Item = &'f str> {
        self.fields.iter().filter(move |(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// Whether a box was ticked or a button pressed.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// The lines of a text field that are not blank.
    pub(super) fn lines(&self, name: &str) -> Vec<String> {
        self.raw(name).lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }
}

impl<S: Sync> FromRequestParts<S> for Form {
    type Rejection = Infallible;

    /// The form that `guard` accepted; for a page without one, its query.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let form = parts.extensions.get::<Self>().cloned();
        Ok(form.unwrap_or_else(|| Self::of_query(parts)))
    }
}
