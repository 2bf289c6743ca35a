//! A lead's own members and its further fields stay apart, whatever their names.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::lead_form::captured;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.fields.apart",
            "The members of fields do not change the lead's own members: fields may hold a name and a phone of their own.",
            "openapi.yaml, LeadCapture: fields; LeadFields",
            apart,
        )
        .needs(FORM),
    ]
}

async fn apart(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("apart");
    let body = json!({
        "email": format!("{marker}@example.com"),
        "name": "Ann",
        "phone": "+442079460000",
        "fields": { "name": "Bob", "phone": "black" },
    });
    let lead = captured(&context, &marker, &body).await?;
    for member in ["name", "phone", "fields"] {
        demand::same(member, &body[member], &lead[member])?;
    }
    Ok(())
}
