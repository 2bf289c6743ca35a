//! Maximum size of a lead form in bytes.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand};
use crate::steps::draws::index_of;
use crate::steps::forms::fields;
use crate::steps::large_bodies;
use crate::steps::lead_form::{captured, never, request};
use crate::strategies::Space;

/// Number of further fields over which a form's bytes are spread.
const FIELDS: usize = 14;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

/// Returns the limits from which the largest form is built.
fn parts(space: &Space) -> Value {
    let document = space.document();
    let longest = |schema: &str, place: &str| document.schema(schema).pointer(place).cloned();
    json!({
        "bytes": document.limit_number("capture_body", "maximum"),
        "message": longest("LeadCapture", "/properties/message/maxLength"),
        "field": longest("LeadFields", "/additionalProperties/maxLength"),
    })
}

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.size.limit",
            "A lead form over 16 KiB gets 413, and no lead is stored; one of exactly 16 KiB is accepted.",
            &[
                Sentence("The body is larger than 64 KiB, or 16 KiB for a lead form."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
                Part("/x-limits/capture_body/maximum"),
            ],
            size,
        )
        .drawn("the limits", Cases::Exactly(1), |space, _| parts(space))
        .needs(FORM),
    ]
}

/// Returns a form of exactly that many bytes, with each part within its bounds.
fn of_size(marker: &str, parts: &Value, bytes: usize) -> Result<Value, Halt> {
    let mut body = json!({
        "email": format!("{marker}@example.com"),
        "message": "\u{416}".repeat(index_of(&parts["message"]).min(bytes / 4)),
        "fields": fields(FIELDS, ""),
    });
    let mut left = bytes.saturating_sub(body.to_string().len());
    for number in 0..FIELDS {
        let length = left.min(index_of(&parts["field"]));
        body["fields"][format!("field_{number}")] = json!("f".repeat(length));
        left -= length;
    }
    let is_exact = body.to_string().len() == bytes;
    is_exact.then_some(body).ok_or_else(|| Halt::Error(format!("cannot build a form of {bytes} bytes")))
}

async fn size(context: Context, parts: Value) -> Verdict {
    let largest = index_of(&parts["bytes"]);
    let marker = context.fresh("heavy");
    let form = request(&context, "POST", &context.facts().website_id)?.json(&of_size(&marker, &parts, largest + 1)?);
    let response = large_bodies::send(&context, form).await?;
    demand::problem(&response, 413, &["payload_too_large"])?;
    never(&context, &marker).await?;
    let marker = context.fresh("just");
    captured(&context, &marker, &of_size(&marker, &parts, largest)?).await.map(|_| ())
}
