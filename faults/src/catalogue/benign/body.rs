//! Changes bodies and texts, also in responses to `HEAD`.

use serde_json::Value;

use super::super::state::records::is_read;
use crate::message::{Operation, Request, Response};

/// Changes a JSON body. Removes the length of a response to `HEAD`, because it would be wrong.
pub(super) fn edit(response: &mut Response, change: impl FnOnce(&mut Value)) {
    let before = response.body.clone();
    response.edit(change);
    if before.is_empty() || response.body != before {
        response.remove("content-length");
    }
}

/// Changes the problem of a refusal.
pub(super) fn edit_problem(response: &mut Response, change: impl FnOnce(&mut Value)) {
    if response.status >= 400 {
        edit(response, |problem| {
            if problem.get("code").is_some() {
                change(problem);
            }
        });
    }
}

/// Changes every row of a page.
pub(super) fn edit_rows(response: &mut Response, change: impl FnMut(&mut Value)) {
    edit(response, |page| {
        if let Some(rows) = page.get_mut("items").and_then(Value::as_array_mut) {
            rows.iter_mut().for_each(change);
        }
    });
}

/// Changes a single article that is read.
pub(super) fn edit_article(response: &mut Response, request: &Request, change: impl FnOnce(&mut Value)) {
    if is_read(response, request, Operation::GetArticle) {
        edit(response, change);
    }
}

/// Changes articles in every response, whole or as rows of their list.
pub(super) fn edit_articles(response: &mut Response, request: &Request, change: impl FnMut(&mut Value)) {
    if is_read(response, request, Operation::GetArticle) {
        edit(response, change);
    } else if is_read(response, request, Operation::ListArticles) {
        edit_rows(response, change);
    }
}

/// Changes the article of an event.
pub(super) fn edit_article_of_event(hook: &mut Request, change: impl FnOnce(&mut Value)) {
    hook.edit(|event| {
        if let Some(article) = event.pointer_mut("/data/article") {
            change(article);
        }
    });
}

/// Changes the object of an event.
pub(super) fn edit_data(hook: &mut Request, change: impl FnOnce(&mut Value)) {
    hook.edit(|event| {
        if let Some(data) = event.get_mut("data") {
            change(data);
        }
    });
}

/// Changes a text field if it exists.
pub(super) fn edit_text(record: &mut Value, name: &str, change: impl FnOnce(&str) -> String) {
    if let Some(Value::String(text)) = record.get_mut(name) {
        *text = change(text);
    }
}

/// Returns a text field; an empty text if it is missing.
pub(super) fn text<'record>(record: &'record Value, name: &str) -> &'record str {
    record.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Removes null fields and adds missing ones as null: both mean the same.
pub(super) fn swap_nulls(record: &mut Value, names: &[&str]) {
    let Some(fields) = record.as_object_mut() else { return };
    for name in names {
        match fields.get(*name) {
            None => {
                fields.insert((*name).to_owned(), Value::Null);
            }
            Some(Value::Null) => {
                fields.remove(*name);
            }
            Some(_) => {}
        }
    }
}

/// Returns the items of an array field; none if it is missing.
pub(super) fn entries_mut<'record>(record: &'record mut Value, name: &str) -> impl Iterator<Item = &'record mut Value> {
    record.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}
