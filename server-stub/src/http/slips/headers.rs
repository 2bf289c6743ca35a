//! Slips that any answer may have.

use http::{Method, StatusCode};

use super::answer::{Answer, Asked};
use crate::domain::fault::table::{auth, http as edge};

pub(super) fn spoil(asked: &Asked, answer: &mut Answer) {
    if edge::NO_REQUEST_ID.is_on() {
        answer.remove_header("x-request-id");
    }
    if edge::HEAD_IS_405.is_on() && asked.method == Method::HEAD {
        answer.set_status(StatusCode::METHOD_NOT_ALLOWED);
    }
    if edge::HEAD_WITHOUT_TAG.is_on() && asked.method == Method::HEAD {
        answer.remove_header("etag");
    }
    if asked.method == Method::HEAD {
        head(asked, answer);
    }
    let key = asked.headers.get("authorization").and_then(|value| value.to_str().ok());
    if let (true, Some(key)) = (auth::KEY_IN_HEADER.is_on(), key) {
        answer.set_header("x-debug-authorization", key);
    }
}

fn head(asked: &Asked, answer: &mut Answer) {
    if edge::HEAD_WITHOUT_DATE.is_on() {
        answer.remove_header("last-modified");
    }
    if edge::HEAD_WITHOUT_LINK.is_on() {
        answer.remove_header("link");
    }
    if edge::HEAD_UNCONDITIONAL.is_on() && asked.headers.contains_key("if-none-match") {
        answer.set_status(StatusCode::OK);
    }
    if edge::HEAD_OF_POST.is_on() && answer.status() == 405 {
        answer.set_status(StatusCode::OK);
    }
}
