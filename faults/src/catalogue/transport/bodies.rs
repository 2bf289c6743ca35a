//! Bodies that contradict their headers.

use super::super::fault::{Fault, fault};
use crate::message::{BodyForm, Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "transport.body-cut",
        "The connection closes in the middle of every article.",
        &["answers.get-article.schema", "articles.by-job-id.same"],
    )
    .response(|response, request, _| {
        if is_answer(request, response, Operation::GetArticle) {
            response.form = BodyForm::CutAfter(response.body.len() / 2);
        }
    }),
    fault("transport.body-stalls", "The server sends half of a lead and then stalls.", &["answers.get-lead.schema"])
        .response(|response, request, _| {
            if is_answer(request, response, Operation::GetLead) {
                response.form = BodyForm::StallAfter(response.body.len() / 2);
            }
        }),
    fault(
        "transport.length-in-characters",
        "Content-Length counts the characters of a body instead of its bytes.",
        &["articles.echo.what-was-sent"],
    )
    .response(length_in_characters),
];

fn is_answer(request: &Request, response: &Response, operation: Operation) -> bool {
    request.is(operation) && response.is_success()
}

/// Clients read the announced number of bytes. Close the connection, because the rest would corrupt the next response.
fn length_in_characters(response: &mut Response, _: &Request, _: &crate::memory::Memory) {
    let characters = std::str::from_utf8(&response.body).map_or(response.body.len(), |text| text.chars().count());
    if characters < response.body.len() {
        response.body.truncate(characters);
        response.closes = true;
    }
}
