//! Error messages of a form, by field name.

use super::error::sentence;

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

    /// Adds an error; its text becomes a sentence.
    pub(super) fn add(&mut self, field: &str, text: &str) {
        self.0.push(FieldMessage { field: field.to_owned(), text: sentence(text) });
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
