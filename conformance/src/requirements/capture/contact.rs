//! A lead needs a way to answer it.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::capture;
use crate::steps::capture::never;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.contact.required",
            "At least one of email and phone is needed.",
            "openapi.yaml, x-capture, LeadCapture",
            contact,
        )
        .needs(FORM),
    ]
}

async fn contact(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("nobody");
    let answer = capture::send(&context, &json!({ "name": marker, "message": "call me" })).await?;
    demand::problem(&answer, 422, &["validation_failed"])?;
    never(&context, &marker).await
}
