//! A lead form sent as JSON is kept whole.

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Context, Requirement, Verdict, demand};
use crate::steps::forms::sent;
use crate::steps::lead_form::{captured, never, request};

const SOURCE: &str = "openapi.yaml, capture_lead";

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

/// What a lead tells of what was sent.
const TOLD: [&str; 12] = [
    "/email",
    "/name",
    "/company",
    "/phone",
    "/message",
    "/fields/size",
    "/fields/when",
    "/source/page_url",
    "/source/referrer",
    "/source/utm/source",
    "/source/utm/campaign",
    "/consent/text",
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.json.whole",
            "A lead holds everything that the form sent: company, phone, fields, source, campaign and consent.",
            SOURCE,
            whole,
        )
        .needs(FORM),
        Requirement::must(
            "capture.json.malformed",
            "A lead form sent as JSON that is not one object is answered 400 invalid_json, and no lead is stored.",
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
    for place in TOLD {
        let told = lead.pointer(place).unwrap_or(&Value::Null);
        demand::same(place, body.pointer(place).unwrap_or(&Value::Null), told)?;
    }
    demand::same("/consent/given", &json!(true), &lead["consent"]["given"])
}

async fn malformed(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("broken");
    let email = format!("\"email\": \"{marker}@example.com\"");
    for body in [format!("{{{email}"), format!("[{{{email}}}]"), format!("{{{email}}} x"), String::new()] {
        let form = request(&context, "POST", &context.facts().website_id)?;
        let answer = context.send(form.bytes("application/json", body.into_bytes())).await?;
        demand::problem(&answer, 400, &["invalid_json"]).about(&answer)?;
    }
    never(&context, &marker).await
}
