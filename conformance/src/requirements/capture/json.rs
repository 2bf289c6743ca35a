//! Lead forms sent as JSON: stored completely, or refused if malformed.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::flat_forms::ensure_kept;
use crate::steps::forms::sent;
use crate::steps::lead_form::{captured, never, request};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

/// Number of short campaign parameters: more than `fields` may have entries.
const PARAMETERS: usize = 40;

/// Length of one more campaign parameter: longer than a text in `fields` may be.
const LONG: usize = 3_000;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.json.whole",
            "A lead contains everything that the form sent: company, phone, fields, source, consent, and a campaign with many parameters, of which one is long.",
            &[
                Sentence("Takes the form of a published page and stores a lead."),
                Sentence("Its texts are as the form sent them, untrimmed; only `phone` may have another form."),
                Sentence("Telephone number, in E.164 if the service could parse it."),
                Sentence("It needs no key."),
                Sentence("No key is needed."),
                Sentence("Only the size of the form limits them."),
                Part("/components/schemas/Lead/properties"),
            ],
            whole,
        )
        .needs(FORM),
        Requirement::new(
            "capture.json.malformed",
            "A lead form sent as JSON that is not one object gets 400 invalid_json, and no lead is stored.",
            &[
                Sentence("The body is not one JSON object."),
                Sentence("A JSON body is not exactly one object, a form is malformed, or a header is malformed."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
            ],
            malformed,
        )
        .needs(FORM),
    ]
}

async fn whole(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("whole");
    let mut body = sent(&marker);
    body["source"]["utm"]["content"] = json!("c".repeat(LONG));
    for number in 0..PARAMETERS {
        body["source"]["utm"][format!("parameter_{number}")] = json!("p");
    }
    let lead = captured(&context, &marker, &body).await?;
    ensure_kept(&lead, &body)?;
    demand::same("source.utm", &body["source"]["utm"], &lead["source"]["utm"])
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
