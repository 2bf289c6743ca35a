//! Websites of lead forms: only active ones accept forms. The website is the first of the checks, whose order is here, too.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{
    Capability, Cases, Context, Credential, Halt, Request, Requirement, Source, Verdict, demand, ensure,
};
use crate::steps::draws::index_of;
use crate::steps::forms::{person, with_unknown};
use crate::steps::lead_form::{request, settle};
use crate::steps::lists::List;
use crate::steps::{self, control, lists};

const FORM: &[Capability] = &[Capability::LEAD_FORM];

const TWO: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM, Capability::ISOLATION];

const PAUSED: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM, Capability::INACTIVE_WEBSITE];

const ORDER: &[Source] = &[
    Sentence("**Order of checks.** Route, method, rate, website, media type, size, JSON, validation."),
    Sentence("An unknown website is 404, an inactive one 403."),
];

const INACTIVE: &[Capability] = &[Capability::LEAD_FORM, Capability::INACTIVE_WEBSITE];

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
            unknown_website,
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
        Requirement::new(
            "capture.order.checks",
            "If a lead form has several faults, the first one in this order decides: website, media type, size, JSON.",
            ORDER,
            order_of_checks,
        )
        .drawn("the size", Cases::Exactly(1), |space, _| json!(space.document().limit_number("capture_body", "maximum")))
        .needs(FORM),
        Requirement::new(
            "capture.order.inactive-website",
            "A lead form of a website that is not active gets 403 website_inactive, whatever its media type and its body.",
            ORDER,
            inactive_website,
        )
        .needs(INACTIVE),
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

async fn unknown_website(context: Context, _: Value) -> Verdict {
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

/// Sends `body` to the form of a website, and demands a problem with `status` and `code`.
async fn ensure_refused(
    context: &Context,
    website_id: &str,
    (media_type, body): (&str, &str),
    (status, code): (u16, &str),
) -> Result<(), Halt> {
    let form = request(context, "POST", website_id)?.bytes(media_type, body.as_bytes().to_vec());
    let response = steps::send_large(context, form).await?;
    demand::problem(&response, status, &[code])
}

async fn order_of_checks(context: Context, largest: Value) -> Verdict {
    let own = context.facts().website_id.clone();
    let unknown = context.fresh("web_unknown");
    let long = "[".repeat(index_of(&largest) + 1);
    ensure_refused(&context, &unknown, ("text/plain", &long), (404, "route_not_found")).await?;
    ensure_refused(&context, &own, ("text/plain", &long), (415, "unsupported_media_type")).await?;
    ensure_refused(&context, &own, ("application/json", &long), (413, "payload_too_large")).await?;
    ensure_refused(&context, &own, ("application/json", "[{}"), (400, "invalid_json")).await?;
    control::captured(&context).await
}

async fn inactive_website(context: Context, _: Value) -> Verdict {
    let website_id = context.facts().inactive_website_id.clone().unwrap_or_default();
    for body in [("text/plain", "x"), ("application/json", "[{}"), ("application/json", "{}")] {
        ensure_refused(&context, &website_id, body, (403, "website_inactive")).await?;
    }
    control::captured(&context).await
}
