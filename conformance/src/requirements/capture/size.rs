//! Maximum size of a lead form in bytes.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand};
use crate::steps::draws::index_of;
use crate::steps::forms::fields;
use crate::steps::lead_form::{captured, never, send};
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
        Requirement::must(
            "capture.size.limit",
            "A lead form over 16 KiB gets 413, and no lead is stored; one of exactly 16 KiB is accepted.",
            "openapi.yaml, capture_lead and x-limits",
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
    let response = send(&context, &of_size(&marker, &parts, largest + 1)?).await?;
    demand::problem(&response, 413, &["payload_too_large"])?;
    never(&context, &marker).await?;
    let marker = context.fresh("just");
    captured(&context, &marker, &of_size(&marker, &parts, largest)?).await.map(|_| ())
}
