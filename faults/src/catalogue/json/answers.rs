//! Ambiguous JSON in responses, which parsers read differently.

use super::super::fault::{Fault, fault};
use crate::message::Operation;

pub(super) const FAULTS: &[Fault] = &[
    fault("json.status-twice", "A job has two fields status, and the first is outdated.", &["answers.json.once"])
        .response(|response, request, _| {
            let text = String::from_utf8_lossy(&response.body).into_owned();
            if let Some(rest) =
                text.strip_prefix('{').filter(|_| request.is(Operation::GetJob) && response.is_success())
            {
                response.body = format!("{{\"status\":\"queued\",{rest}").into();
            }
        }),
    fault("json.labelled-latin", "Articles are labelled as Latin-1 but are UTF-8.", &["answers.json.charset"])
        .response(|response, request, _| {
            if request.is(Operation::GetArticle) && response.is_success() {
                response.set("content-type", "application/json; charset=ISO-8859-1");
            }
        }),
];
