//! Identity of leads: captures that make one lead, and captures that make several.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::lead_form::{awaited, captured, send, settle, taken};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

const SOURCE: &str = "openapi.yaml, Lead: lead-once";

/// Number of equal forms that are sent at the same moment.
const AT_ONCE: usize = 6;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.identity.without-email",
            "Lead forms without email are never repeats: each one makes a lead.",
            SOURCE,
            without_email,
        )
        .needs(FORM),
        Requirement::must(
            "capture.identity.form",
            "The same email with different form_id makes one lead for each form_id.",
            SOURCE,
            other_form,
        )
        .needs(FORM),
        Requirement::must(
            "capture.identity.racing",
            "Equal lead forms that are sent at the same moment make one lead.",
            SOURCE,
            racing,
        )
        .needs(FORM),
        Requirement::must(
            "capture.identity.plus",
            "Email addresses that differ in the part after a plus sign are different: each makes a lead.",
            SOURCE,
            plus,
        )
        .needs(FORM),
        Requirement::must(
            "capture.identity.other-letters",
            "Email addresses are equal if they differ only in the case of ASCII letters: \u{c9} and \u{e9} make two leads.",
            SOURCE,
            other_letters,
        )
        .needs(FORM),
        Requirement::must(
            "capture.identity.consent",
            "A repeated lead form does not change the lead: consent stays as the first form gave it.",
            SOURCE,
            consent,
        )
        .needs(FORM),
    ]
}

/// Demands that `count` leads mention `marker`, after a later lead can be read.
async fn ensure_count(context: &Context, marker: &str, count: usize) -> Verdict {
    settle(context).await?;
    let leads = awaited(context, marker, count).await?;
    ensure(leads.len() == count, format!("{count} leads"), || format!("{} leads", leads.len()))
}

async fn without_email(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("caller");
    for _ in 0..2 {
        taken(&context, &json!({ "phone": "+442079460001", "name": marker })).await?;
    }
    ensure_count(&context, &marker, 2).await
}

async fn other_form(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("forms");
    let email = format!("{marker}@example.com");
    for form in ["footer", "sidebar", "footer"] {
        taken(&context, &json!({ "email": email, "source": { "form_id": form } })).await?;
    }
    taken(&context, &json!({ "email": email })).await?;
    ensure_count(&context, &marker, 3).await
}

async fn racing(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("racing");
    let body = json!({ "email": format!("{marker}@example.com"), "source": { "form_id": "footer" } });
    let calls = (0..AT_ONCE).map(|_| taken(&context, &body));
    futures::future::try_join_all(calls).await?;
    ensure_count(&context, &marker, 1).await
}

async fn plus(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("plus");
    for tag in ["one", "two"] {
        taken(&context, &json!({ "email": format!("{marker}+{tag}@example.com") })).await?;
    }
    ensure_count(&context, &marker, 2).await
}

async fn other_letters(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("letters");
    for letter in ["\u{c9}", "\u{e9}"] {
        let response = send(&context, &json!({ "email": format!("{letter}{marker}@example.com") })).await?;
        if response.status == 422 {
            return Err(Halt::inconclusive("an e-mail with letters beyond ASCII is refused"));
        }
        demand::status(&response, 202)?;
    }
    ensure_count(&context, &marker, 2).await
}

async fn consent(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("consent");
    let email = format!("{marker}@example.com");
    let first = json!({ "email": email, "consent": { "given": false, "text": "First words." } });
    captured(&context, &marker, &first).await?;
    taken(&context, &json!({ "email": email, "consent": { "given": true, "text": "Second words." } })).await?;
    settle(&context).await?;
    for lead in awaited(&context, &marker, 1).await? {
        for field in ["given", "text"] {
            demand::same(&format!("consent/{field}"), &first["consent"][field], &lead["consent"][field])?;
        }
    }
    Ok(())
}
