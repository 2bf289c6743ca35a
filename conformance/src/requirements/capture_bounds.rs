//! How much the lead form takes: lengths, counts, bytes.
//!
//! What it does with what it takes is in `capture`.

use serde_json::{Map, Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::Requirement;
use super::steps_capture::{captured, never, send};
use super::verdict::{Halt, Verdict, ensure};

const FORM: &[Capability] = &[Capability::Leads, Capability::LeadForm];

/// Bytes of the largest form.
const LARGEST: usize = 16 * 1024;
/// Fields of the longest form.
const FIELDS: usize = 32;

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "capture.bounds.refused",
            "Texts that are too long and too many fields are refused with 422, and no lead is kept.",
            "openapi.yaml, x-capture, LeadCapture and LeadFields",
            refused,
        ),
        Requirement::must(
            "capture.bounds.maxima",
            "Texts of the greatest length, counted in code points, are taken and read back whole.",
            "openapi.yaml, x-capture, LeadCapture and LeadFields",
            maxima,
        ),
        Requirement::must(
            "capture.size.limit",
            "A body over 16 KiB is 413, and no lead is kept; one of 16 KiB is taken.",
            "openapi.yaml, x-capture and x-limits",
            size,
        ),
    ];
    all.into_iter().map(|requirement| requirement.needs(FORM)).collect()
}

fn fields(count: usize, text: &str) -> Value {
    (0..count).map(|number| (format!("field_{number}"), json!(text))).collect::<Map<_, _>>().into()
}

/// One bound broken in each.
fn broken(marker: &str) -> Vec<Value> {
    let with = |name: &str, value: Value| {
        let mut body = json!({ "email": format!("{name}-{marker}@example.com") });
        body[name] = value;
        body
    };
    let local = format!("{marker}-{}", "e".repeat(254 - marker.len() - "-@example.com".len()));
    vec![
        json!({ "email": format!("{local}e@example.com") }),
        with("name", json!("n".repeat(201))),
        with("company", json!("c".repeat(201))),
        with("phone", json!("1".repeat(33))),
        with("message", json!("m".repeat(5_001))),
        with("article_id", json!("a".repeat(129))),
        with("fields", fields(FIELDS + 1, "x")),
        with("fields", fields(1, &"f".repeat(1_001))),
        with("source", json!({ "form_id": "s".repeat(129) })),
        with("source", json!({ "page_url": format!("https://example.com/{}", "p".repeat(2_029)) })),
        with("consent", json!({ "given": true, "text": "t".repeat(1_001) })),
    ]
}

async fn refused(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("bound");
    for body in broken(&marker) {
        let answer = send(&context, &body).await?;
        demand::problem(&answer, 422, &["validation_failed"])?;
    }
    never(&context, &marker).await
}

async fn maxima(context: Context, _: Value) -> Verdict {
    let person = context.fresh("longest");
    let first = json!({
        "email": format!("{person}@example.com"),
        "name": "\u{1f956}".repeat(200),
        "company": "\u{1f33e}".repeat(200),
        "message": format!("{}{}", "\u{1f35e}".repeat(1_000), "m".repeat(4_000)),
        "source": { "form_id": "\u{1f4dd}".repeat(128) },
        "consent": { "given": true, "text": format!("{}{}", "\u{1f4ee}".repeat(200), "t".repeat(800)) },
    });
    let lead = captured(&context, &person, &first).await?;
    for place in ["/name", "/company", "/message", "/source/form_id", "/consent/text"] {
        whole(&first, &lead, place)?;
    }
    let person = context.fresh("fullest");
    let mut second = json!({ "email": format!("{person}@example.com"), "fields": fields(FIELDS, "x") });
    second["fields"]["field_0"] = json!("\u{1f33b}".repeat(1_000));
    let lead = captured(&context, &person, &second).await?;
    demand::same("fields", &second["fields"], &lead["fields"])
}

fn whole(sent: &Value, lead: &Value, place: &str) -> Verdict {
    let [sent, kept] = [sent, lead].map(|value| value.pointer(place).unwrap_or(&Value::Null));
    ensure(sent == kept, format!("{place} as it was sent"), || demand::instead(sent, kept))
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
