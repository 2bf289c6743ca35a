//! How many bytes a lead form may have.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand};
use crate::steps::capture::{captured, never, send};
use crate::steps::forms::fields;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

/// Bytes of the largest form.
const LARGEST: usize = 16 * 1024;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.size.limit",
            "A body over 16 KiB is 413, and no lead is kept; one of 16 KiB is taken.",
            "openapi.yaml, x-capture and x-limits",
            size,
        )
        .needs(FORM),
    ]
}

/// A form of exactly that many bytes, each part of which keeps its bounds.
fn of_size(marker: &str, bytes: usize) -> Result<Value, Halt> {
    let mut body = json!({
        "email": format!("{marker}@example.com"),
        "message": "\u{416}".repeat(5_000),
        "fields": fields(8, ""),
    });
    let mut left = bytes - body.to_string().len();
    for number in 0..8 {
        let length = left.min(1_000);
        body["fields"][format!("field_{number}")] = json!("f".repeat(length));
        left -= length;
    }
    let is_exact = body.to_string().len() == bytes;
    is_exact.then_some(body).ok_or_else(|| Halt::Error(format!("no form of {bytes} bytes")))
}

async fn size(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("heavy");
    let answer = send(&context, &of_size(&marker, LARGEST + 1)?).await?;
    demand::status(&answer, 413)?;
    never(&context, &marker).await?;
    let marker = context.fresh("just");
    captured(&context, &marker, &of_size(&marker, LARGEST)?).await.map(|_| ())
}
