//! What is wrong with the fields of a form, by the field's name.

use super::error::sentence;

/// A field and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldMessage {
    pub(super) field: String,
    pub(super) text: String,
}

/// All that is wrong with a form; empty when it can be carried out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FieldErrors(Vec<FieldMessage>);

impl FieldErrors {
    /// One error.
    pub(super) fn one(field: &str, text: &str) -> Self {
        let mut errors = Self::default();
        errors.add(field, text);
        errors
    }

    /// Adds one, as a sentence.
    pub(super) fn add(&mut self, field: &str, text: &str) {
        self.0.push(FieldMessage { field: field.to_owned(), text: sentence(text) });
    }

    /// What is wrong with the field; empty when nothing is.
    pub(super) fn of(&self, field: &str) -> &str {
        self.0.iter().find(|error| error.field == field).map_or("", |error| &error.text)
    }

    /// Whether nothing is wrong.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub(super) fn all(&self) -> &[FieldMessage] {
        &self.0
    }
}
