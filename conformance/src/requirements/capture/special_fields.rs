//! Fields with special rules: the trap `_hp`, further fields in `fields`, and a `captured_at` that only the server sets.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Requirement, Source, Verdict, demand, ensure};
use crate::steps::forms::{sent, with_unknown};
use crate::steps::lead_form::{awaited, captured, is_marked, is_trapped, mentioning, request, settle, taken};
use crate::steps::times::{date_of, near};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

const TRAP: Source = Sentence(
    "If it is filled, the response is the same and the lead is kept with `spam.suspected` and the reason `trap_filled`.",
);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.trap.marked",
            "A lead form with a text in `_hp` gets the usual response, and its lead is suspected of being spam, with the reason trap_filled.",
            &[
                TRAP,
                Sentence("Such leads are marked, never dropped."),
                Sentence("`trap_filled`: a field that people do not see was filled."),
            ],
            trap,
        )
        .needs(FORM),
        Requirement::new(
            "capture.trap.in-forms",
            "A form-encoded lead form with a text in `_hp` gets the usual response, and its lead is suspected of being spam, with the reason trap_filled.",
            &[TRAP, Sentence("The trap for robots; see `LeadCapture`.")],
            in_forms,
        )
        .needs(FORM),
        Requirement::new(
            "capture.trap.not-held-against",
            "A lead form with a text in `_hp` does not block its email: the next form with that email and an empty `_hp` makes a lead without the reason trap_filled.",
            &[Sentence("A form that looks like spam and one that does not never make one lead."), TRAP],
            not_held_against,
        )
        .needs(FORM),
        Requirement::new(
            "capture.fields.apart",
            "The further fields in `fields` do not change the lead's own fields, even with the same names, such as name and phone.",
            &[
                Sentence("Other fields of the form by name."),
                Sentence("Its texts are as the form sent them, untrimmed; only `phone` may have another form."),
                Part("/components/schemas/LeadCapture/properties/fields"),
                Part("/components/schemas/Lead/properties/fields"),
            ],
            apart,
        )
        .needs(FORM),
        Requirement::new(
            "capture.time.own",
            "captured_at is set by the server: a field captured_at in the lead form does not change it.",
            &[Sentence("When the lead was captured."), Sentence("The service ignores unknown fields.")],
            own_time,
        )
        .needs(FORM),
    ]
}

async fn trap(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("robot");
    let mut body = sent(&marker);
    body["_hp"] = json!("https://example.com/cheap");
    taken(&context, &body).await?;
    ensure_kept_and_marked(&context, &marker).await
}

/// Demands that exactly one lead mentions `marker`, and that it is suspected because of the trap.
async fn ensure_kept_and_marked(context: &Context, marker: &str) -> Verdict {
    let lead = awaited(context, marker, 1).await?.remove(0);
    let is_explained = is_marked(&lead) && is_trapped(&lead);
    ensure(is_explained, "a lead whose spam.suspected is true, with the reason trap_filled", || demand::brief(&lead))?;
    settle(context).await?;
    let leads = mentioning(context, marker).await?;
    ensure(leads.len() == 1, "one lead", || leads.len().to_string())
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
    ensure_kept_and_marked(&context, &marker).await
}

async fn not_held_against(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("both");
    let email = format!("{marker}@example.com");
    taken(&context, &json!({ "email": email, "message": "robot", "_hp": "x" })).await?;
    taken(&context, &json!({ "email": email, "message": "person", "_hp": "" })).await?;
    settle(&context).await?;
    let leads = mentioning(&context, &marker).await?;
    let messages: Value = leads.iter().filter(|lead| !is_trapped(lead)).map(|lead| lead["message"].clone()).collect();
    demand::same("the messages of the leads without the reason trap_filled", &json!(["person"]), &messages)
}

async fn apart(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("apart");
    let body = json!({
        "email": format!("{marker}@example.com"),
        "name": "Ann",
        "phone": "+442079460000",
        "fields": { "name": "Bob", "phone": "black" },
    });
    let lead = captured(&context, &marker, &body).await?;
    for name in ["name", "phone", "fields"] {
        demand::same(name, &body[name], &lead[name])?;
    }
    Ok(())
}

async fn own_time(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("time");
    let (response, lead) = with_unknown(&context, &marker, "captured_at", &json!("2001-02-03T04:05:06.000Z")).await?;
    near(&lead, "captured_at", date_of(&response)?)
}
