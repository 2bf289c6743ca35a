//! The trap field: whoever fills it leaves no lead.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::capture::{awaited, never, request, settle, taken};
use crate::steps::forms::sent;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

const TRAP: &str = "openapi.yaml, x-capture, LeadCapture: _hp";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("capture.trap.no-lead", "Whoever fills `_hp` gets the same answer and no lead.", TRAP, trap)
            .needs(FORM),
        Requirement::must(
            "capture.trap.in-forms",
            "Whoever fills `_hp` gets the same answer and no lead, also form-encoded.",
            TRAP,
            in_forms,
        )
        .needs(FORM),
        Requirement::must(
            "capture.trap.not-held-against",
            "What a robot sent is no lead: the person of the same e-mail who writes next is the first, and is one.",
            "openapi.yaml, x-capture, LeadCapture: _hp, and Lead: lead-once",
            not_held_against,
        )
        .needs(FORM),
    ]
}

async fn trap(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("robot");
    let mut body = sent(&marker);
    body["_hp"] = json!("https://example.com/cheap");
    taken(&context, &body).await?;
    never(&context, &marker).await
}

async fn in_forms(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("robot");
    let email = format!("{marker}@example.com");
    let form = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("email", email.as_str()), ("message", "cheap"), ("_hp", "https://example.com/cheap")])
        .finish();
    let form = request(&context, "POST", &context.facts().website_id)?
        .bytes("application/x-www-form-urlencoded", form.into_bytes());
    demand::status(&*context.send(form).await?, 202)?;
    never(&context, &marker).await
}

async fn not_held_against(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("both");
    let email = format!("{marker}@example.com");
    taken(&context, &json!({ "email": email, "message": "robot", "_hp": "x" })).await?;
    taken(&context, &json!({ "email": email, "message": "person" })).await?;
    settle(&context).await?;
    let leads = awaited(&context, &marker, 1).await?;
    let messages: Value = leads.iter().map(|lead| lead["message"].clone()).collect();
    demand::same("the messages of the leads", &json!(["person"]), &messages)
}
