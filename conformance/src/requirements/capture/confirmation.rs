//! Confirmation links that the service did not make. Following a real one is in `hooks::double_opt_in`.

use serde_json::Value;

use super::answer::is_of_type;
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::{control, lead_form};

const FORM: &[Capability] = &[Capability::LEAD_FORM];

/// The operations of the link.
const OPERATIONS: [&str; 2] = ["show_confirmation", "confirm_lead"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.confirmation.unknown",
            "A confirmation link that the service did not make is answered 404 route_not_found: a problem, or a page with text/html in Accept.",
            "openapi.yaml, show_confirmation and confirm_lead",
            unknown,
        )
        .needs(FORM),
        Requirement::must(
            "capture.confirmation.method",
            "A method that a confirmation link does not have is answered 405 method_not_allowed with Allow.",
            "openapi.yaml, show_confirmation and confirm_lead",
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
            is_of_type(&answer, "application/problem+json")?;
            let page = context.send(request.header("accept", "text/html").detached()).await?;
            demand::status(&page, 404)?;
            is_of_type(&page, "text/html")?;
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
        demand::header(&answer, "allow")?;
    }
    control::captured(&context).await
}
