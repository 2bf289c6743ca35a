//! Types of the lead form's values: other types are refused, not converted.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::lead_form::{never, send};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.types.refused",
            "In JSON a value of the wrong type gets 422, and no lead is stored: numbers and null for texts, texts and numbers for consent, consent without given.",
            &[
                Sentence("`invalid_format`: any other broken rule, such as a wrong type, null, a malformed e-mail address or time, or a value outside a vocabulary."),
                Sentence("It refuses `null` in a known field: leave the field out."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
                Part("/components/schemas/LeadCapture/properties"),
                Part("/components/schemas/LeadFields/additionalProperties"),
                Part("/components/schemas/LeadCaptureConsent"),
            ],
            refused,
        )
        .needs(FORM),
    ]
}

/// Fields with a value of the wrong type.
fn wrong() -> [(&'static str, Value); 9] {
    [
        ("name", json!(7)),
        ("phone", json!(442_079_460_000_i64)),
        ("message", Value::Null),
        ("fields", json!({ "loaves": 6 })),
        ("fields", json!([])),
        ("consent", json!({ "given": "true" })),
        ("consent", json!({ "given": 1 })),
        ("consent", json!({ "text": "You may write to me." })),
        ("source", json!("newsletter")),
    ]
}

async fn refused(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("typed");
    for (number, (name, value)) in wrong().into_iter().enumerate() {
        let mut body = json!({ "email": format!("{number}-{marker}@example.com") });
        body[name] = value;
        let exchange = send(&context, &body).await?;
        demand::problem(&exchange, 422, &["validation_failed"])?;
    }
    never(&context, &marker).await
}
