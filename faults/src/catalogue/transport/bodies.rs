//! Bodies that are not what their headers announce.

use super::super::fault::{Fault, fault};
use crate::message::{BodyForm, Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "transport.body-cut",
        "The connection breaks in the middle of every article.",
        &["answers.get-article.schema", "articles.by-job-id.same"],
    )
    .response(|response, request, _| {
        if is_answer(request, response, Operation::GetArticle) {
            response.form = BodyForm::CutAfter(response.body.len() / 2);
        }
    }),
    fault(
        "transport.body-stalls",
        "A lead is sent by half, and then nothing more comes.",
        &["answers.get-lead.schema"],
    )
    .response(|response, request, _| {
        if is_answer(request, response, Operation::GetLead) {
            response.form = BodyForm::StallAfter(response.body.len() / 2);
        }
    }),
    fault(
        "transport.length-in-characters",
        "Content-Length tells the characters of a body and not its bytes.",
        &["articles.echo.what-was-sent"],
    )
    .response(length_in_characters),
];

fn is_answer(request: &Request, response: &Response, operation: Operation) -> bool {
    request.is(operation) && response.is_success()
}

/// A reader takes as many bytes as are announced. What is left would spoil the next response, so the connection ends.
fn length_in_characters(response: &mut Response, _: &Request, _: &crate::memory::Memory) {
    let characters = std::str::from_utf8(&response.body).map_or(response.body.len(), |text| text.chars().count());
    if characters < response.body.len() {
        response.body.truncate(characters);
        response.closes = true;
    }
}
