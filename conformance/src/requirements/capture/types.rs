//! The lead form takes values of the document's types, and does not turn others into them.

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Context, Requirement, Verdict, demand};
use crate::steps::lead_form::{never, send};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.types.refused",
            "In a form that is sent as JSON a value of another type is refused with 422 and leaves no lead: numbers and null for texts, texts and numbers for consent, consent that does not say whether it is given.",
            "openapi.yaml, LeadCapture and LeadCaptureConsent",
            refused,
        )
        .needs(FORM),
    ]
}

/// One value of another type in each.
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
    for (number, (member, value)) in wrong().into_iter().enumerate() {
        let mut body = json!({ "email": format!("{number}-{marker}@example.com") });
        body[member] = value;
        let exchange = send(&context, &body).await?;
        demand::problem(&exchange, 422, &["validation_failed"]).about(&exchange)?;
    }
    never(&context, &marker).await
}
