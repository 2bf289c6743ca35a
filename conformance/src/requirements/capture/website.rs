//! Websites of lead forms: only active websites accept them.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Credential, Request, Requirement, Verdict, demand, ensure};
use crate::steps::control;
use crate::steps::forms::{person, with_unknown};
use crate::steps::lead_form::{request, settle};
use crate::steps::lists::List;
use crate::steps::{self, lists};

const FORM: &[Capability] = &[Capability::LEAD_FORM];

const TWO: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM, Capability::ISOLATION];

const PAUSED: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM, Capability::INACTIVE_WEBSITE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.website.of-address",
            "A lead belongs to the website in the URL of the form: a field website_id in the body does not change that.",
            &[
                Sentence("Website of the form."),
                Sentence("The website whose page the form is on."),
                Sentence("The service ignores unknown fields."),
            ],
            of_address,
        )
        .needs(TWO),
        Requirement::new(
            "capture.website.unknown",
            "A lead form for an unknown website gets 404 route_not_found.",
            &[
                Sentence("An unknown website is 404, an inactive one 403."),
                Sentence("There is no such path or, below `/capture/`, no such website or confirmation link."),
                Sentence("There is no such website."),
            ],
            unknown,
        )
        .needs(FORM),
        Requirement::new(
            "capture.website.paused-keeps-nothing",
            "A lead form for a website that is paused or archived gets 403 website_inactive, and no lead is stored.",
            &[
                Sentence("An unknown website is 404, an inactive one 403."),
                Sentence("The website is paused or archived."),
                Sentence("The website is not active."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
                Sentence("Articles are written and published and leads are taken only for an `active` one."),
            ],
            paused_keeps_nothing,
        )
        .needs(PAUSED),
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

async fn paused_keeps_nothing(context: Context, _: Value) -> Verdict {
    let website_id = context.facts().inactive_website_id.clone().unwrap_or_default();
    let marker = context.fresh("paused");
    let form = request(&context, "POST", &website_id)?.json(&json!({ "email": format!("{marker}@example.com") }));
    demand::problem(&*context.send(form).await?, 403, &["website_inactive"])?;
    settle(&context).await?;
    let query = format!("limit=100&website_id={}", steps::segment(&website_id));
    let kept = lists::found(&context, List::named("/leads"), &query, |row| row.to_string().contains(&marker));
    let kept = kept.await?;
    ensure(kept.is_empty(), "no lead of a paused website", || demand::brief(&kept[0]))
}
