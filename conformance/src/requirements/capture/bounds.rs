//! How much the lead form takes: lengths and counts.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::capture::{captured, never, send};
use crate::steps::forms::fields;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

/// Fields of the longest form.
const FIELDS: usize = 32;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.bounds.refused",
            "Texts that are too long and too many fields are refused with 422, and no lead is kept.",
            "openapi.yaml, x-capture, LeadCapture and LeadFields",
            refused,
        )
        .needs(FORM),
        Requirement::must(
            "capture.bounds.maxima",
            "Texts of the greatest length, counted in code points, are taken and read back whole.",
            "openapi.yaml, x-capture, LeadCapture and LeadFields",
            maxima,
        )
        .needs(FORM),
    ]
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
