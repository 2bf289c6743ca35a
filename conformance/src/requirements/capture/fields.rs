//! Further fields of a lead: they stay separate from the lead's own fields, whatever their names.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::lead_form::captured;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.fields.apart",
            "The further fields in `fields` do not change the lead's own fields, even with the same names, such as name and phone.",
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
    for name in ["name", "phone", "fields"] {
        demand::same(name, &body[name], &lead[name])?;
    }
    Ok(())
}
