//! Websites of lead forms: only active websites accept them.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Credential, Request, Requirement, Verdict, demand, ensure};
use crate::steps::control;
use crate::steps::forms::{person, with_unknown};
use crate::steps::lead_form::{request, settle};
use crate::steps::lists::List;
use crate::steps::{self, lists};

const SOURCE: &str = "openapi.yaml, capture_lead";

const FORM: &[Capability] = &[Capability::LEAD_FORM];

const TWO: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM, Capability::ISOLATION];

const PAUSED: &[Capability] = &[Capability::LEAD_FORM, Capability::INACTIVE_WEBSITE];

const PAUSED_AND_READ: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM, Capability::INACTIVE_WEBSITE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.website.of-address",
            "A lead belongs to the website in the URL of the form: a field website_id in the body does not change that.",
            "openapi.yaml, capture_lead",
            of_address,
        )
        .needs(TWO),
        Requirement::must("capture.website.unknown", "A lead form for an unknown website gets 404.", SOURCE, unknown)
            .needs(FORM),
        Requirement::must("capture.website.paused", "A lead form for a paused website gets 403.", SOURCE, paused)
            .needs(PAUSED),
        Requirement::must(
            "capture.website.paused-keeps-nothing",
            "A lead form for a paused website gets 403, and no lead is stored.",
            "openapi.yaml, capture_lead",
            paused_keeps_nothing,
        )
        .needs(PAUSED_AND_READ),
    ]
}

async fn of_address(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("address");
    let other = json!(context.facts().other_website_id);
    let (_, lead) = with_unknown(&context, &marker, "website_id", &other).await?;
    demand::same("website_id", &json!(context.facts().website_id), &lead["website_id"])?;
    let theirs = Request::new("list_leads", "GET", "/leads?limit=100").by(Credential::Other);
    let theirs = context.send(theirs).await?;
    let found = theirs.json().map(lists::rows).unwrap_or_default().iter().find(|row| row["id"] == lead["id"]);
    ensure(found.is_none(), "no lead in the account of the other website", || demand::seen(&theirs))
}

async fn unknown(context: Context, _: Value) -> Verdict {
    let form = request(&context, "POST", &context.fresh("web_unknown"))?;
    demand::problem(&*context.send(form.json(&person(&context))).await?, 404, &["route_not_found"])?;
    control::captured(&context).await
}

async fn paused(context: Context, _: Value) -> Verdict {
    let website_id = context.facts().inactive_website_id.clone().unwrap_or_default();
    let form = request(&context, "POST", &website_id)?;
    demand::problem(&*context.send(form.json(&person(&context))).await?, 403, &["website_inactive"])?;
    control::captured(&context).await
}

async fn paused_keeps_nothing(context: Context, _: Value) -> Verdict {
    let website_id = context.facts().inactive_website_id.clone().unwrap_or_default();
    let marker = context.fresh("paused");
    let form = request(&context, "POST", &website_id)?.json(&json!({ "email": format!("{marker}@example.com") }));
    demand::status(&*context.send(form).await?, 403)?;
    settle(&context).await?;
    let query = format!("limit=100&website_id={}", steps::segment(&website_id));
    let kept = lists::found(&context, List::named("/leads"), &query, |row| row.to_string().contains(&marker));
    let kept = kept.await?;
    ensure(kept.is_empty(), "no lead of a paused website", || demand::brief(&kept[0]))
}
