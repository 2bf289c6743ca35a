//! Confirmation links that the service did not create. Real links are in `hooks::double_opt_in`.

use serde_json::Value;

use super::answer::ensure_media_type;
use crate::check::Source::{Sentence, Standard};
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure, header_fields};
use crate::steps::{control, lead_form};

const FORM: &[Capability] = &[Capability::LEAD_FORM];

/// Operations of a confirmation link.
const OPERATIONS: [&str; 2] = ["show_confirmation", "confirm_lead"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.confirmation.unknown",
            "A confirmation link that the service did not create gets 404 route_not_found: a page with text/html in Accept, otherwise a problem.",
            &[
                Sentence("There is no such link: it was changed, or is not of this website."),
                Sentence("There is no such path or, below `/capture/`, no such website or confirmation link."),
                Sentence("Errors are pages with `text/html` in `Accept`, otherwise problems."),
                Sentence("Errors are as for the lead form."),
            ],
            unknown,
        )
        .needs(FORM),
        Requirement::new(
            "capture.confirmation.method",
            "A method that a confirmation link does not support gets 405 method_not_allowed, and Allow lists GET and POST.",
            &[
                Sentence("A path supports only the methods of this document, and HEAD for GET."),
                Sentence("The path does not support this method."),
                Sentence("The path does not answer this method."),
                Sentence("`Allow` lists those that it supports."),
                Sentence("The order of checks is route, method, link."),
                Standard("RFC 9110", "15.5.6"),
            ],
            method,
        )
        .needs(FORM),
    ]
}

async fn unknown(context: Context, _: Value) -> Verdict {
    for operation in OPERATIONS {
        for token in [context.fresh("token"), "x".to_owned(), "a b%".to_owned()] {
            let request = lead_form::confirmation(&context, operation, &token)?;
            let answer = context.send(request.clone()).await?;
            demand::problem(&answer, 404, &["route_not_found"])?;
            ensure_media_type(&answer, "application/problem+json")?;
            let page = context.send(request.header("accept", "text/html").detached()).await?;
            demand::status(&page, 404)?;
            ensure_media_type(&page, "text/html")?;
        }
    }
    control::captured(&context).await
}

async fn method(context: Context, _: Value) -> Verdict {
    for method in ["PUT", "DELETE"] {
        let mut request = lead_form::confirmation(&context, OPERATIONS[0], "x")?;
        request.method = method.to_owned();
        let answer = context.send(request).await?;
        demand::problem(&answer, 405, &["method_not_allowed"])?;
        let allow = header_fields::joined(&answer.headers, "allow");
        let listed = header_fields::elements(&allow);
        ensure(["GET", "POST"].iter().all(|method| listed.contains(method)), "GET and POST in Allow", || {
            allow.clone()
        })?;
    }
    control::captured(&context).await
}
