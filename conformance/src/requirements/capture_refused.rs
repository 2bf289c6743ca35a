//! What the lead form leaves behind when no lead comes of it: nothing, neither a lead nor a memory of the person.
//!
//! What is a trap in JSON is in `capture`, which websites are refused in `capture_origin`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::Requirement;
use super::steps;
use super::steps_capture::{awaited, never, request, settle, taken};
use super::steps_lists::{self, List};
use super::verdict::{Verdict, ensure};

const FORM: &[Capability] = &[Capability::Leads, Capability::LeadForm];
const PAUSED: &[Capability] = &[Capability::Leads, Capability::LeadForm, Capability::InactiveWebsite];
const TRAP: &str = "openapi.yaml, x-capture, LeadCapture: _hp";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
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
        Requirement::must(
            "capture.website.paused-keeps-nothing",
            "The form of a paused website is 403, and no lead is kept.",
            "openapi.yaml, x-capture",
            paused,
        )
        .needs(PAUSED),
    ]
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

async fn paused(context: Context, _: Value) -> Verdict {
    let website_id = context.facts().inactive_website_id.clone().unwrap_or_default();
    let marker = context.fresh("paused");
    let form = request(&context, "POST", &website_id)?.json(&json!({ "email": format!("{marker}@example.com") }));
    demand::status(&*context.send(form).await?, 403)?;
    settle(&context).await?;
    let query = format!("limit=100&website_id={}", steps::segment(&website_id));
    let kept = steps_lists::found(&context, List::named("/leads"), &query, |row| row.to_string().contains(&marker));
    let kept = kept.await?;
    ensure(kept.is_empty(), "no lead of a paused website", || demand::brief(&kept[0]))
}
