//! Changes articles in responses.

use serde_json::Value;

use crate::message::{Operation, Request, Response};

/// Changes a single article that is read.
pub(super) fn edit_article(response: &mut Response, request: &Request, edit: impl FnOnce(&mut Value)) {
    if request.is(Operation::GetArticle) && response.is_success() {
        response.edit(edit);
    }
}

/// Changes articles in every response, whole or as rows of their list. Rows lack most fields.
pub(super) fn edit_articles(response: &mut Response, request: &Request, mut edit: impl FnMut(&mut Value)) {
    match request.operation().filter(|_| response.is_success()) {
        Some(Operation::GetArticle) => response.edit(edit),
        Some(Operation::ListArticles) => response.edit_rows(&mut edit),
        _ => {}
    }
}

/// Changes a text field if it exists.
pub(super) fn edit_text(record: &mut Value, name: &str, edit: impl FnOnce(&str) -> String) {
    if let Some(text) = record.get(name).and_then(Value::as_str).map(edit) {
        record[name] = text.into();
    }
}

/// Returns the items of an array field; none if it is missing.
pub(super) fn entries_mut<'record>(record: &'record mut Value, name: &str) -> impl Iterator<Item = &'record mut Value> {
    record.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}
