//! Names in a captured form that mean something elsewhere: they do not change what the server alone says.
//!
//! What a form tells of itself is in `capture`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::{Credential, Exchange, Request};
use super::requirement::Requirement;
use super::steps_capture::{awaited, captured, send};
use super::steps_lists;
use super::steps_times::{date_of, near};
use super::verdict::{Halt, Verdict, ensure};

const FORM: &[Capability] = &[Capability::Leads, Capability::LeadForm];
const TWO: &[Capability] = &[Capability::Leads, Capability::LeadForm, Capability::Isolation];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.website.of-address",
            "The website is the one in the address of the form: a website_id in its body puts the lead nowhere else.",
            "openapi.yaml, x-capture, POST /capture/{website_id}",
            of_address,
        )
        .needs(TWO),
        Requirement::must(
            "capture.time.own",
            "captured_at is when the lead was captured: a time of that name in the form is not taken for it.",
            "openapi.yaml, Lead: captured_at",
            own_time,
        )
        .needs(FORM),
        Requirement::must(
            "capture.fields.apart",
            "Further fields stand beside the lead's own members: one that is called name or phone changes neither.",
            "openapi.yaml, x-capture, LeadCapture: fields; LeadFields",
            apart,
        )
        .needs(FORM),
    ]
}

/// Sends a form with a member that the document does not know and waits for its lead; the answer and the lead.
async fn with_unknown(
    context: &Context,
    marker: &str,
    member: &str,
    value: &Value,
) -> Result<(Arc<Exchange>, Value), Halt> {
    let mut body = json!({ "email": format!("{marker}@example.com") });
    body[member] = value.clone();
    let exchange = send(context, &body).await?;
    if exchange.status == 422 {
        return Err(Halt::inconclusive(format!("a form with a further member {member} is refused")));
    }
    demand::status(&exchange, 202)?;
    let lead = awaited(context, marker, 1).await?.remove(0);
    Ok((exchange, lead))
}

async fn of_address(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("address");
    let other = json!(context.facts().other_website_id);
    let (_, lead) = with_unknown(&context, &marker, "website_id", &other).await?;
    demand::same("website_id", &json!(context.facts().website_id), &lead["website_id"])?;
    let theirs = Request::new("list_leads", "GET", "/leads?limit=100").by(Credential::Other);
    let theirs = context.send(theirs).await?;
    let found = theirs.json().map(steps_lists::rows).unwrap_or_default().iter().find(|row| row["id"] == lead["id"]);
    ensure(found.is_none(), "no lead in the account of the other website", || demand::seen(&theirs))
}

async fn own_time(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("time");
    let (answer, lead) = with_unknown(&context, &marker, "captured_at", &json!("2001-02-03T04:05:06.000Z")).await?;
    near(&lead, "captured_at", date_of(&answer)?)
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
    for member in ["name", "phone", "fields"] {
        demand::same(member, &body[member], &lead[member])?;
    }
    Ok(())
}
