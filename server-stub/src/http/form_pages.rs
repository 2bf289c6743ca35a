//! Answers of the lead form: a page for a browser that sends the form without a script, JSON for other callers.

use axum::response::{IntoResponse as _, Response};
use http::HeaderMap;
use http::header::ACCEPT;

use super::generate::sentence;
use super::message_page::page;
use super::problem::Problem;
use super::route::Api;
use crate::app::{FieldError, Place};

/// The media type of pages.
const PAGE: &[u8] = b"text/html";

/// Returns true if the caller asks for a page. Scripts and programs ask for JSON or for anything.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    headers
        .get_all(ACCEPT)
        .iter()
        .any(|value| value.as_bytes().windows(PAGE.len()).any(|window| window.eq_ignore_ascii_case(PAGE)))
}

/// The problem in the form that the caller asks for, with its headers, such as `Retry-After`.
pub(super) fn refusal(api: &Api, headers: &HeaderMap, problem: Problem) -> Response {
    if !wants_page(headers) {
        return problem.into_response();
    }
    let (_, status, title) = problem.code().row();
    let mut lines = vec!["Your message was not taken. Go back, check what you filled in, and try again.".to_owned()];
    match problem.errors() {
        [] => lines.push(problem.detail().to_owned()),
        errors => lines.extend(errors.iter().map(told)),
    }
    let mut response = page(api, status, title, &lines, &[]);
    problem.add_headers(response.headers_mut());
    response
}

/// Describes an error as a sentence with the name of the field. Forms have flat names.
fn told(error: &FieldError) -> String {
    match &error.place {
        Place::Pointer(pointer) => {
            let name = pointer.trim_start_matches(['#', '/']).split('/').next().unwrap_or_default();
            if name.is_empty() { sentence(&error.detail) } else { format!("{name}: {}.", error.detail) }
        }
        Place::Parameter(_) | Place::Header(_) => sentence(&error.detail),
    }
}
