//! Changes jobs, articles, scheduled posts and problems in responses.

use serde_json::{Value, json};

use crate::message::{Operation, Request, Response};

/// Changes a job in every response that contains one.
pub(in crate::catalogue) fn edit_job(response: &mut Response, request: &Request, edit: impl FnOnce(&mut Value)) {
    let is_job = matches!(request.operation(), Some(Operation::GetJob | Operation::CancelJob));
    if is_job && response.is_success() {
        edit_object(response, edit);
    }
}

/// Changes a job that is read.
pub(in crate::catalogue) fn edit_read_job(response: &mut Response, request: &Request, edit: impl FnOnce(&mut Value)) {
    if is_read(response, request, Operation::GetJob) {
        edit_object(response, edit);
    }
}

/// Changes an article that is read.
pub(in crate::catalogue) fn edit_article(response: &mut Response, request: &Request, edit: impl FnOnce(&mut Value)) {
    if is_read(response, request, Operation::GetArticle) {
        edit_object(response, edit);
    }
}

/// Changes articles, read or listed.
pub(in crate::catalogue) fn edit_articles(
    response: &mut Response,
    request: &Request,
    mut edit: impl FnMut(&mut Value),
) {
    if is_read(response, request, Operation::ListArticles) {
        response.edit_rows(edit);
    } else {
        edit_article(response, request, |article| edit(article));
    }
}

/// Changes scheduled posts, read or listed.
pub(in crate::catalogue) fn edit_entries(response: &mut Response, request: &Request, mut edit: impl FnMut(&mut Value)) {
    if is_read(response, request, Operation::ListScheduledPosts) {
        response.edit_rows(edit);
    } else if is_read(response, request, Operation::GetScheduledPost) {
        edit_object(response, |entry| edit(entry));
    }
}

/// Returns true for a response of the read `operation`.
pub(in crate::catalogue) fn is_read(response: &Response, request: &Request, operation: Operation) -> bool {
    request.is(operation) && response.is_success()
}

fn edit_object(response: &mut Response, edit: impl FnOnce(&mut Value)) {
    response.edit(|body| {
        if body.is_object() {
            edit(body);
        }
    });
}

/// Replaces a response with a problem. If it already is a problem, keeps its form.
pub(in crate::catalogue) fn refuse(response: &mut Response, status: u16, code: &str, title: &str) {
    let Some(former) = response.code() else {
        *response = Response::problem(response, status, code, title);
        return;
    };
    response.status = status;
    response.remove("retry-after");
    response.edit(|problem| {
        problem["status"] = json!(status);
        problem["code"] = json!(code);
        problem["title"] = json!(title);
        problem["detail"] = json!(format!("{title}."));
        if let Some(kind) = problem["type"].as_str().map(|kind| kind.replace(&former, code)) {
            problem["type"] = json!(kind);
        }
    });
}
