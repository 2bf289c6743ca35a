//! How many bytes a lead form may have.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand};
use crate::steps::draws::index_of;
use crate::steps::forms::fields;
use crate::steps::lead_form::{captured, never, send};
use crate::strategies::Space;

/// Further fields over which a form's bytes are spread.
const FIELDS: usize = 14;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

/// What the largest form is made of.
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
        Requirement::must(
            "capture.size.limit",
            "A lead form over 16 KiB is answered 413, and no lead is stored; one of exactly 16 KiB is accepted.",
            "openapi.yaml, capture_lead and x-limits",
            size,
        )
        .drawn("the limits", Cases::Exactly(1), |space, _| parts(space))
        .needs(FORM),
    ]
}

/// A form of exactly that many bytes, each part of which keeps its bounds.
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
    is_exact.then_some(body).ok_or_else(|| Halt::Error(format!("no form of {bytes} bytes")))
}

async fn size(context: Context, parts: Value) -> Verdict {
    let largest = index_of(&parts["bytes"]);
    let marker = context.fresh("heavy");
    let answer = send(&context, &of_size(&marker, &parts, largest + 1)?).await?;
    demand::problem(&answer, 413, &["payload_too_large"])?;
    never(&context, &marker).await?;
    let marker = context.fresh("just");
    captured(&context, &marker, &of_size(&marker, &parts, largest)?).await.map(|_| ())
}
