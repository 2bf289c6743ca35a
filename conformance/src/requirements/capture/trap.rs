//! The trap field: whoever fills it leaves a lead that is marked, or none.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::forms::sent;
use crate::steps::lead_form::{is_marked, mentioning, request, settle, taken};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

const TRAP: &str = "openapi.yaml, x-capture, LeadCapture: _hp";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.trap.marked",
            "A lead form with a text in `_hp` is answered like any other, and makes no lead that is not suspected of being spam.",
            TRAP,
            trap,
        )
        .needs(FORM),
        Requirement::must(
            "capture.trap.in-forms",
            "A form-encoded lead form with a text in `_hp` is answered like any other, and makes no lead that is not suspected of being spam.",
            TRAP,
            in_forms,
        )
        .needs(FORM),
        Requirement::must(
            "capture.trap.not-held-against",
            "A lead form with a text in `_hp` does not block its email: the next form with that email makes a lead that is not suspected.",
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
    none_unmarked(&context, &marker).await
}

/// Every lead that mentions `marker` is suspected, also once a later lead can be read.
async fn none_unmarked(context: &Context, marker: &str) -> Verdict {
    settle(context).await?;
    let leads = mentioning(context, marker).await?;
    let unmarked = leads.iter().find(|lead| !is_marked(lead));
    ensure(unmarked.is_none(), "no lead, or one whose spam.suspected is true", || {
        unmarked.map(demand::brief).unwrap_or_default()
    })
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
    none_unmarked(&context, &marker).await
}

async fn not_held_against(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("both");
    let email = format!("{marker}@example.com");
    taken(&context, &json!({ "email": email, "message": "robot", "_hp": "x" })).await?;
    taken(&context, &json!({ "email": email, "message": "person" })).await?;
    settle(&context).await?;
    let leads = mentioning(&context, &marker).await?;
    let messages: Value = leads.iter().filter(|lead| !is_marked(lead)).map(|lead| lead["message"].clone()).collect();
    demand::same("the messages of the leads that are not suspected", &json!(["person"]), &messages)
}
