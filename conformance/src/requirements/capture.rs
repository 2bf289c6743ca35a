//! The lead form: what it takes, what it answers, whom it traps.
//!
//! Bounds are in `capture_bounds`, who is who in `capture_identity`, websites and origins in `capture_origin`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::Requirement;
use super::steps_capture::{self, captured, never};
use super::verdict::{Verdict, ensure};

const FORM: &[Capability] = &[Capability::Leads, Capability::LeadForm];
const SOURCE: &str = "openapi.yaml, x-capture";
const TRAP: &str = "openapi.yaml, x-capture, LeadCapture: _hp";

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

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.json.whole",
            "A lead holds what the form sent: company, telephone number, fields, source, campaign and consent.",
            SOURCE,
            whole,
        )
        .needs(FORM),
        Requirement::must(
            "capture.form.like-json",
            "The lead form is taken as JSON or form-encoded: `utm_` names for the campaign, any other name goes into fields.",
            SOURCE,
            like_json,
        )
        .needs(FORM),
        Requirement::must("capture.answer.no-id", "The form is answered 202 without an id.", SOURCE, no_id).needs(FORM),
        Requirement::must(
            "capture.contact.required",
            "At least one of email and phone is needed.",
            "openapi.yaml, x-capture, LeadCapture",
            contact,
        )
        .needs(FORM),
        Requirement::must("capture.trap.no-lead", "Whoever fills `_hp` gets the same answer and no lead.", TRAP, trap)
            .needs(FORM),
    ]
}

fn sent(marker: &str) -> Value {
    json!({
        "email": format!("{marker}@example.com"),
        "name": "Zo\u{eb} O'Neill & Co. + 1",
        "company": "100 % \u{1f956} = Bakery",
        "phone": "+442079460000",
        "message": "One; two\nthree <b>four</b> \u{416}",
        "fields": { "size": "six", "when": "to-morrow?" },
        "source": {
            "page_url": "https://example.com/page?a=1&b=2",
            "referrer": "https://example.com/",
            "utm": { "source": "news letter", "campaign": "winter+2026" },
        },
        "consent": { "given": true, "text": "You may write to me \u{1f4ee}." },
    })
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

/// How a form calls what JSON nests; names that the document does not spell out are left alone.
const FLAT: [(&str, &str); 9] = [
    ("email", "/email"),
    ("name", "/name"),
    ("company", "/company"),
    ("phone", "/phone"),
    ("message", "/message"),
    ("size", "/fields/size"),
    ("when", "/fields/when"),
    ("utm_source", "/source/utm/source"),
    ("utm_campaign", "/source/utm/campaign"),
];

fn flattened(body: &Value) -> Vec<u8> {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    for (name, place) in FLAT {
        form.append_pair(name, body.pointer(place).and_then(Value::as_str).unwrap_or_default());
    }
    form.finish().into_bytes()
}

async fn like_json(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("flat");
    let body = sent(&marker);
    let request = steps_capture::request(&context, "POST", &context.facts().website_id)?;
    let request = request.bytes("application/x-www-form-urlencoded", flattened(&body));
    demand::status(&*context.send(request).await?, 202)?;
    let lead = steps_capture::awaited(&context, &marker, 1).await?.remove(0);
    for (name, place) in FLAT {
        let told = lead.pointer(place).unwrap_or(&Value::Null);
        demand::same(name, body.pointer(place).unwrap_or(&Value::Null), told)?;
    }
    Ok(())
}

async fn no_id(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("silent");
    let answer = steps_capture::taken(&context, &json!({ "email": format!("{marker}@example.com") })).await?;
    let lead = steps_capture::awaited(&context, &marker, 1).await?.remove(0);
    let id = demand::text(&lead, "id")?;
    let told = String::from_utf8_lossy(&answer.body).contains(id)
        || answer.headers.values().any(|value| String::from_utf8_lossy(value.as_bytes()).contains(id));
    ensure(!told, "an answer without the lead's id", || demand::seen(&answer))
}

async fn contact(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("nobody");
    let answer = steps_capture::send(&context, &json!({ "name": marker, "message": "call me" })).await?;
    demand::problem(&answer, 422, &["validation_failed"])?;
    never(&context, &marker).await
}

async fn trap(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("robot");
    let mut body = sent(&marker);
    body["_hp"] = json!("https://example.com/cheap");
    steps_capture::taken(&context, &body).await?;
    never(&context, &marker).await
}
