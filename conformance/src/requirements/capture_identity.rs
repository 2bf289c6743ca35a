//! Which captures are one lead and which are several.
//!
//! Repeats of the form that the set-up declares are in `leads`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::requirement::Requirement;
use super::steps_capture::{awaited, settle, taken};
use super::verdict::{Verdict, ensure};

const FORM: &[Capability] = &[Capability::Leads, Capability::LeadForm];
const SOURCE: &str = "openapi.yaml, Lead: lead-once";

/// Equal forms that are sent at the same moment.
const AT_ONCE: usize = 6;

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "capture.identity.without-email",
            "Without e-mail every capture is a new lead.",
            SOURCE,
            without_email,
        ),
        Requirement::must(
            "capture.identity.form",
            "One lead for each form: the same e-mail in another form_id is another lead.",
            SOURCE,
            other_form,
        ),
        Requirement::must(
            "capture.identity.racing",
            "Equal captures at the same moment make one lead.",
            SOURCE,
            racing,
        ),
    ];
    all.into_iter().map(|requirement| requirement.needs(FORM)).collect()
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
