//! Which captures are one lead and which are several.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::capture::{awaited, captured, send, settle, taken};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

const SOURCE: &str = "openapi.yaml, Lead: lead-once";

/// Equal forms that are sent at the same moment.
const AT_ONCE: usize = 6;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.identity.without-email",
            "Without e-mail every capture is a new lead.",
            SOURCE,
            without_email,
        )
        .needs(FORM),
        Requirement::must(
            "capture.identity.form",
            "One lead for each form: the same e-mail in another form_id is another lead.",
            SOURCE,
            other_form,
        )
        .needs(FORM),
        Requirement::must(
            "capture.identity.racing",
            "Equal captures at the same moment make one lead.",
            SOURCE,
            racing,
        )
        .needs(FORM),
        Requirement::must(
            "capture.identity.plus",
            "One lead for each e-mail: addresses that differ in what follows a plus sign are several.",
            SOURCE,
            plus,
        )
        .needs(FORM),
        Requirement::must(
            "capture.identity.other-letters",
            "E-mails are the same without ASCII case only: other letters keep theirs.",
            SOURCE,
            other_letters,
        )
        .needs(FORM),
        Requirement::must(
            "capture.identity.consent",
            "The first one wins: a repeat does not change what was consented to.",
            SOURCE,
            consent,
        )
        .needs(FORM),
    ]
}

/// The leads that mention `marker` once later ones can be read are `count`.
async fn come_to(context: &Context, marker: &str, count: usize) -> Verdict {
    settle(context).await?;
    let leads = awaited(context, marker, count).await?;
    ensure(leads.len() == count, format!("{count} captured"), || format!("{} leads", leads.len()))
}

async fn without_email(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("caller");
    for _ in 0..2 {
        taken(&context, &json!({ "phone": "+442079460001", "name": marker })).await?;
    }
    come_to(&context, &marker, 2).await
}

async fn other_form(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("forms");
    let email = format!("{marker}@example.com");
    for form in ["footer", "sidebar", "footer"] {
        taken(&context, &json!({ "email": email, "source": { "form_id": form } })).await?;
    }
    taken(&context, &json!({ "email": email })).await?;
    come_to(&context, &marker, 3).await
}

async fn racing(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("racing");
    let body = json!({ "email": format!("{marker}@example.com"), "source": { "form_id": "footer" } });
    let calls = (0..AT_ONCE).map(|_| taken(&context, &body));
    futures::future::try_join_all(calls).await?;
    come_to(&context, &marker, 1).await
}

async fn plus(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("plus");
    for tag in ["one", "two"] {
        taken(&context, &json!({ "email": format!("{marker}+{tag}@example.com") })).await?;
    }
    come_to(&context, &marker, 2).await
}

async fn other_letters(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("letters");
    for letter in ["\u{c9}", "\u{e9}"] {
        let answer = send(&context, &json!({ "email": format!("{letter}{marker}@example.com") })).await?;
        if answer.status == 422 {
            return Err(Halt::inconclusive("an e-mail with letters beyond ASCII is refused"));
        }
        demand::status(&answer, 202)?;
    }
    come_to(&context, &marker, 2).await
}

async fn consent(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("consent");
    let email = format!("{marker}@example.com");
    let first = json!({ "email": email, "consent": { "given": false, "text": "First words." } });
    captured(&context, &marker, &first).await?;
    taken(&context, &json!({ "email": email, "consent": { "given": true, "text": "Second words." } })).await?;
    settle(&context).await?;
    for lead in awaited(&context, &marker, 1).await? {
        for member in ["given", "text"] {
            demand::same(&format!("consent/{member}"), &first["consent"][member], &lead["consent"][member])?;
        }
    }
    Ok(())
}
