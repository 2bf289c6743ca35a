//! What the lead form answers.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::lead_form;

const SOURCE: &str = "openapi.yaml, x-capture";

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.answer.no-id",
            "A lead form is answered 202, and the answer does not tell the id of the lead.",
            SOURCE,
            no_id,
        )
        .needs(FORM),
    ]
}

async fn no_id(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("silent");
    let answer = lead_form::taken(&context, &json!({ "email": format!("{marker}@example.com") })).await?;
    let lead = lead_form::awaited(&context, &marker, 1).await?.remove(0);
    let id = demand::text(&lead, "id")?;
    let told = String::from_utf8_lossy(&answer.body).contains(id)
        || answer.headers.values().any(|value| String::from_utf8_lossy(value.as_bytes()).contains(id));
    ensure(!told, "an answer without the lead's id", || demand::seen(&answer))
}
