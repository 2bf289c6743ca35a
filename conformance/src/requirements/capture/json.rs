//! Lead forms sent as JSON: stored completely, or refused if malformed.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::flat_forms::ensure_kept;
use crate::steps::forms::sent;
use crate::steps::lead_form::{captured, never, request};

const SOURCE: &str = "openapi.yaml, capture_lead";

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.json.whole",
            "A lead contains everything that the form sent: company, phone, fields, source, campaign and consent.",
            SOURCE,
            whole,
        )
        .needs(FORM),
        Requirement::must(
            "capture.json.malformed",
            "A lead form sent as JSON that is not one object gets 400 invalid_json, and no lead is stored.",
            SOURCE,
            malformed,
        )
        .needs(FORM),
    ]
}

async fn whole(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("whole");
    let body = sent(&marker);
    let lead = captured(&context, &marker, &body).await?;
    ensure_kept(&lead, &body)
}

async fn malformed(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("broken");
    let email = format!("\"email\": \"{marker}@example.com\"");
    for body in [format!("{{{email}"), format!("[{{{email}}}]"), format!("{{{email}}} x"), String::new()] {
        let form = request(&context, "POST", &context.facts().website_id)?;
        let answer = context.send(form.bytes("application/json", body.into_bytes())).await?;
        demand::problem(&answer, 400, &["invalid_json"])?;
    }
    never(&context, &marker).await
}
