//! Contact data of a lead form: email or phone is required.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::lead_form;
use crate::steps::lead_form::never;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.contact.required",
            "A lead form without email and without phone gets 422, and no lead is stored.",
            &[
                Sentence("At least one of `email` and `phone` is given."),
                Sentence("The lead is not valid."),
                Sentence("The request breaks the schema."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
            ],
            contact,
        )
        .needs(FORM),
        Requirement::new(
            "capture.contact.empty",
            "In JSON an empty email or phone gets 422, even if the other one is given, and no lead is stored.",
            &[
                Part("/components/schemas/LeadCapture/properties/email/minLength"),
                Part("/components/schemas/LeadCapture/properties/phone/minLength"),
                Sentence("The request breaks the schema."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
            ],
            empty,
        )
        .needs(FORM),
    ]
}

async fn contact(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("nobody");
    let response = lead_form::send(&context, &json!({ "name": marker, "message": "call me" })).await?;
    demand::problem(&response, 422, &["validation_failed"])?;
    never(&context, &marker).await
}

async fn empty(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("empty");
    let bodies = [
        json!({ "email": "", "name": marker }),
        json!({ "phone": "", "name": marker }),
        json!({ "email": "", "phone": "+442079460000", "name": marker }),
        json!({ "email": format!("{marker}@example.com"), "phone": "" }),
    ];
    for body in bodies {
        let response = lead_form::send(&context, &body).await?;
        demand::problem(&response, 422, &["validation_failed"])?;
    }
    never(&context, &marker).await
}
