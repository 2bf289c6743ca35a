//! Further fields of a lead: they stay separate from the lead's own fields, whatever their names.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::lead_form::captured;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.fields.apart",
            "The further fields in `fields` do not change the lead's own fields, even with the same names, such as name and phone.",
            &[
                Sentence("Other fields of the form by name."),
                Sentence("Its texts are as the form sent them, untrimmed; only `phone` may have another form."),
                Part("/components/schemas/LeadCapture/properties/fields"),
                Part("/components/schemas/Lead/properties/fields"),
            ],
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
