//! A lead needs a way to answer it.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::lead_form;
use crate::steps::lead_form::never;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.contact.required",
            "A lead form needs email or phone: without both it is answered 422, and no lead is stored.",
            "openapi.yaml, x-capture, LeadCapture",
            contact,
        )
        .needs(FORM),
    ]
}

async fn contact(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("nobody");
    let answer = lead_form::send(&context, &json!({ "name": marker, "message": "call me" })).await?;
    demand::problem(&answer, 422, &["validation_failed"])?;
    never(&context, &marker).await
}
