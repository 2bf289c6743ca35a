//! Double opt-in: the link that the hook about a lead carries, on the website that the set-up lends for it.

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};
use url::Url;

use crate::check::{
    Capability, Context, Credential, Exchange, Halt, Look, Request, Requirement, Verdict, demand, ensure,
};
use crate::requirements::capture::answer::ensure_media_type;
use crate::requirements::leads::{confirmation, updated_at};
use crate::steps::hooks::first_mention;
use crate::steps::lists::{List, shows};
use crate::steps::moments::in_utc;
use crate::steps::times::{date_of, moment, near, server_now};
use crate::steps::{self, lead_form, lists};

const SOURCE: &str = "openapi.yaml, confirm_lead: confirm-lead-once";

const NEEDED: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM, Capability::LEADS, Capability::DOUBLE_OPT_IN];

const ERASED: &[Capability] =
    &[Capability::HOOKS, Capability::LEAD_FORM, Capability::LEADS, Capability::DOUBLE_OPT_IN, Capability::ERASING];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.double-opt-in.confirms",
            "The hook about a lead that waits to be confirmed carries a link, and POST to it confirms the lead, once and again alike.",
            SOURCE,
            confirms,
        )
        .needs(NEEDED)
        .background(),
        Requirement::must(
            "hooks.double-opt-in.looking",
            "GET of the link that confirms a lead is answered 200 and confirms nothing: scanners of mail open links, too.",
            "openapi.yaml, show_confirmation: show-confirmation-changes-nothing",
            looking,
        )
        .needs(NEEDED)
        .background(),
        Requirement::must(
            "hooks.double-opt-in.changed-link",
            "A link of which a character was changed is answered 404 and confirms nothing.",
            SOURCE,
            changed_link,
        )
        .needs(NEEDED)
        .background(),
        Requirement::must(
            "hooks.double-opt-in.updated",
            "A confirmation changes updated_at of the lead, updated_since finds it, and the lead keeps its place in the list.",
            "openapi.yaml, Lead: lead-updated; info.description, Keeping a copy in sync",
            updated,
        )
        .needs(NEEDED)
        .background(),
        Requirement::must(
            "hooks.double-opt-in.page",
            "GET and POST of the link that confirms a lead are answered with a page, whatever Accept asks for.",
            "openapi.yaml, show_confirmation and confirm_lead",
            page,
        )
        .needs(NEEDED)
        .background(),
        Requirement::must(
            "hooks.double-opt-in.erased",
            "The link of a lead that was erased is answered 410 confirmation_expired: a problem, or a page with text/html in Accept.",
            "openapi.yaml, x-problem-codes: confirmation_expired",
            erased,
        )
        .needs(ERASED)
        .background(),
        Requirement::must(
            "hooks.double-opt-in.secret",
            "The API tells the link that confirms a lead nowhere: whoever has it could confirm for the person.",
            "openapi.yaml, LeadCapturedData, confirmation_url",
            secret,
        )
        .needs(NEEDED)
        .background(),
    ]
}

/// A lead that waits to be confirmed.
struct Pending {
    lead_id: String,
    /// Where the link leads, at the address under which the suite reaches the server.
    link: String,
    /// As the hook has it.
    told: String,
}

async fn pending(context: &Context) -> Result<Pending, Halt> {
    let marker = context.fresh("opt-in");
    let website_id = context.facts().double_opt_in_website_id.clone().unwrap_or_default();
    let form = lead_form::request(context, "POST", &website_id)?;
    let form = form.json(&json!({ "email": format!("{marker}@example.com"), "name": "Robin Opt-in" }));
    demand::status(&*context.send(form).await?, 202)?;
    let hook = first_mention(context, &marker).await?.json().unwrap_or_default();
    let data = &hook["data"];
    demand::same("confirmation.status in the hook", &json!("pending"), &data["lead"]["confirmation"]["status"])?;
    let told = demand::text(data, "confirmation_url")?.to_owned();
    let lead_id = demand::text(&data["lead"], "id")?.to_owned();
    Ok(Pending { link: reached(context, &told)?, lead_id, told })
}

/// The link at the origin of the lead form: a hook must not send the suite to anybody else, and the server may know itself by
/// another address.
fn reached(context: &Context, told: &str) -> Result<String, Halt> {
    let link = Url::parse(told).map_err(|_| Halt::fail("a URL as confirmation_url", told))?;
    let form = context.facts().capture.as_ref().and_then(|capture| Url::parse(&capture.url).ok());
    let mut form = form.ok_or_else(|| Halt::Error("the lead form has no address".to_owned()))?;
    form.set_path(link.path());
    form.set_query(link.query());
    Ok(form.to_string())
}

async fn asked(context: &Context, method: &str, link: &str) -> Result<std::sync::Arc<Exchange>, Halt> {
    context.send(request(method, link)).await
}

/// A call of the link.
fn request(method: &str, link: &str) -> Request {
    let operation = if method == "GET" { "show_confirmation" } else { "confirm_lead" };
    let request = Request { path: link.to_owned(), ..Request::outside(method, "").by(Credential::None) };
    Request { operation: Some(operation), ..request }
}

/// The lead, which must be in this state.
async fn must_be(context: &Context, pending: &Pending, status: &str) -> Result<Value, Halt> {
    let exchange = context.send(steps::get_lead(&pending.lead_id)).await?;
    demand::status(&exchange, 200)?;
    let lead = demand::json(&exchange)?.clone();
    demand::same("confirmation.status", &json!(status), &lead["confirmation"]["status"])?;
    confirmation::agrees(&lead)?;
    Ok(lead)
}

async fn confirms(context: Context, _: Value) -> Verdict {
    let pending = pending(&context).await?;
    must_be(&context, &pending, "pending").await?;
    demand::status(&*asked(&context, "POST", &pending.link).await?, 200)?;
    let lead = must_be(&context, &pending, "confirmed").await?;
    demand::status(&*asked(&context, "POST", &pending.link).await?, 200)?;
    demand::same("the lead after a second POST", &lead, &must_be(&context, &pending, "confirmed").await?)
}

async fn updated(context: Context, _: Value) -> Verdict {
    let first = pending(&context).await?;
    let before = must_be(&context, &first, "pending").await?;
    demand::same("updated_at of a lead that waits", &before["captured_at"], &before["updated_at"])?;
    // The second lead and the confirmation come later than the first lead, also where times have whole seconds.
    until_later(&context, moment(&before, "captured_at")?).await?;
    let second = pending(&context).await?;
    demand::status(&*asked(&context, "POST", &first.link).await?, 200)?;
    let read = context.send(steps::get_lead(&first.lead_id)).await?;
    let lead = must_be(&context, &first, "confirmed").await?;
    ensure(moment(&lead, "updated_at")? > moment(&lead, "captured_at")?, "updated_at later than captured_at", || {
        demand::brief(&lead)
    })?;
    updated_at::ensure_consistent(&lead)?;
    near(&lead, "updated_at", date_of(&read)?)?;
    let list = List::named("/leads");
    let website_id = context.facts().double_opt_in_website_id.clone().unwrap_or_default();
    let of_website = format!("limit=100&website_id={}", steps::segment(&website_id));
    let at = moment(&lead, "updated_at")?;
    for (since, expected) in [(at, true), (at + Duration::milliseconds(1), false)] {
        shows(&context, list, &format!("{of_website}&updated_since={}", in_utc(since)), &first.lead_id, expected)
            .await?;
    }
    let both = |row: &Value| [&first, &second].iter().any(|pending| row["id"] == pending.lead_id.as_str());
    let rows = lists::found(&context, list, &of_website, both).await?;
    let ids: Vec<&Value> = rows.iter().map(|row| &row["id"]).collect();
    demand::same("the leads, newest first", &json!([second.lead_id, first.lead_id]), &json!(ids))
}

/// Waits until the target's clock is in a later second.
async fn until_later(context: &Context, moment: DateTime<Utc>) -> Verdict {
    let look = || async move {
        let now = server_now(context).await?;
        Ok(Look::at(now > moment, || Halt::inconclusive("the target's clock does not advance")))
    };
    context.eventually(context.grace(), look).await
}

async fn looking(context: Context, _: Value) -> Verdict {
    let pending = pending(&context).await?;
    demand::status(&*asked(&context, "GET", &pending.link).await?, 200)?;
    must_be(&context, &pending, "pending").await?;
    // It was the link that would have confirmed.
    demand::status(&*asked(&context, "POST", &pending.link).await?, 200)?;
    must_be(&context, &pending, "confirmed").await.map(drop)
}

async fn changed_link(context: Context, _: Value) -> Verdict {
    let pending = pending(&context).await?;
    // In the middle of what nobody can guess, whatever its form.
    let begin = pending.link.rfind(['/', '=']).map_or(0, |place| place + 1);
    let place = begin + (pending.link.len() - begin) / 2;
    let other = if pending.link[place..].starts_with('A') { "B" } else { "A" };
    let rest = pending.link.get(place + 1..).unwrap_or_default();
    let changed = format!("{}{other}{rest}", &pending.link[..place]);
    demand::problem(&*asked(&context, "POST", &changed).await?, 404, &["route_not_found"])?;
    must_be(&context, &pending, "pending").await?;
    demand::status(&*asked(&context, "POST", &pending.link).await?, 200)?;
    must_be(&context, &pending, "confirmed").await.map(drop)
}

async fn page(context: Context, _: Value) -> Verdict {
    let pending = pending(&context).await?;
    for method in ["GET", "POST", "GET"] {
        for accept in ["text/html", "application/json"] {
            let answer = context.send(request(method, &pending.link).header("accept", accept)).await?;
            demand::status(&answer, 200)?;
            ensure_media_type(&answer, "text/html")?;
        }
    }
    Ok(())
}

async fn erased(context: Context, _: Value) -> Verdict {
    let pending = pending(&context).await?;
    let eraser = context.facts().eraser.clone().ok_or_else(|| Halt::Error("nothing erases leads".to_owned()))?;
    demand::status(&*asked(&context, "GET", &pending.link).await?, 200)?;
    eraser
        .erase(pending.lead_id.clone())
        .await
        .map_err(|reason| Halt::inconclusive(format!("[leads] erase: {reason}")))?;
    if context.send(steps::get_lead(&pending.lead_id)).await?.status == 200 {
        return Err(Halt::inconclusive("[leads] erase succeeded, but the lead can be read"));
    }
    for method in ["GET", "POST"] {
        demand::problem(&*asked(&context, method, &pending.link).await?, 410, &["confirmation_expired"])?;
        let page = request(method, &pending.link).header("accept", "text/html").detached();
        let page = context.send(page).await?;
        demand::status(&page, 410)?;
        ensure_media_type(&page, "text/html")?;
    }
    Ok(())
}

async fn secret(context: Context, _: Value) -> Verdict {
    let pending = pending(&context).await?;
    let path = Url::parse(&pending.told).map(|link| link.path().to_owned()).unwrap_or_default();
    let website_id = context.facts().double_opt_in_website_id.clone().unwrap_or_default();
    let list = format!("/leads?limit=100&website_id={}", steps::segment(&website_id));
    for request in [steps::get_lead(&pending.lead_id), Request::new("list_leads", "GET", &list)] {
        let exchange = context.send(request).await?;
        demand::status(&exchange, 200)?;
        let body = demand::json(&exchange)?.to_string();
        ensure(body.contains(&pending.lead_id), "the lead", || demand::seen(&exchange))?;
        ensure(!body.contains(&path), "nothing of the link", || "the link's path stands in the answer".to_owned())?;
    }
    Ok(())
}
