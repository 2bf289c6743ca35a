//! Responses of the lead form: a page for a browser that sends the form without a script, JSON for other callers.

use axum::response::{IntoResponse as _, Response};
use http::HeaderMap;
use http::header::ACCEPT;

use super::generate::sentence;
use super::message_page::page;
use super::problem::Problem;
use super::route::Api;
use crate::app::{FieldError, Place};

/// Media type of pages.
const PAGE: &[u8] = b"text/html";

/// Returns true if the caller asks for a page. Scripts and programs ask for JSON or for anything.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    headers
        .get_all(ACCEPT)
        .iter()
        .any(|value| value.as_bytes().windows(PAGE.len()).any(|window| window.eq_ignore_ascii_case(PAGE)))
}

/// Returns the problem as a page or as JSON, as the caller asks, with its headers, such as `Retry-After`.
pub(super) fn refusal(api: &Api, headers: &HeaderMap, problem: Problem) -> Response {
    if !wants_page(headers) {
        return problem.into_response();
    }
    let (_, status, title) = problem.code().row();
    let mut lines = vec!["Your message was not sent. Go back, check what you entered, and try again.".to_owned()];
    match problem.errors() {
        [] => lines.push(problem.detail().to_owned()),
        errors => lines.extend(errors.iter().map(described)),
    }
    let mut response = page(api, status, title, &lines, &[]);
    problem.add_headers(response.headers_mut());
    response
}

/// Describes an error as a sentence with the name of the field in a form.
fn described(error: &FieldError) -> String {
    match &error.place {
        Place::Pointer(pointer) => {
            let name = form_name(pointer.trim_start_matches(['#', '/']));
            if name.is_empty() { sentence(&error.detail) } else { format!("{name}: {}.", error.detail) }
        }
        Place::Parameter(_) | Place::Header(_) => sentence(&error.detail),
    }
}

/// Returns the name in a form of the JSON field at `path`: `fields/size` is `size`, `source/utm/term` is `utm_term`.
fn form_name(path: &str) -> String {
    match path.split_once('/') {
        Some(("consent", "text")) => "consent_text".to_owned(),
        Some(("fields", name)) => name.to_owned(),
        Some(("source", name)) => name.replacen("utm/", "utm_", 1),
        _ => path.split('/').next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_a_field_as_the_form_does() {
        let names = [
            ("email", "email"),
            ("consent/given", "consent"),
            ("consent/text", "consent_text"),
            ("fields/size", "size"),
            ("source/page_url", "page_url"),
            ("source/utm/term", "utm_term"),
            ("", ""),
        ];
        for (path, name) in names {
            assert_eq!(form_name(path), name, "{path}");
        }
    }
}
