//! Double opt-in: the link that the hook about a lead carries, on the website that the set-up lends for it.

use serde_json::{Value, json};
use url::Url;

use crate::check::{Capability, Context, Credential, Exchange, Halt, Request, Requirement, Verdict, demand, ensure};
use crate::requirements::leads::confirmation::agrees;
use crate::steps::hooks::first_mention;
use crate::steps::{self, lead_form};

const SOURCE: &str = "openapi.yaml, LeadCapturedData: confirmation-url-link";

const NEEDED: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM, Capability::LEADS, Capability::DOUBLE_OPT_IN];

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
            SOURCE,
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
    let request = Request { path: link.to_owned(), ..Request::outside(method, "").by(Credential::None) };
    context.send(request).await
}

/// The lead, which must be in this state.
async fn must_be(context: &Context, pending: &Pending, status: &str) -> Result<Value, Halt> {
    let exchange = context.send(steps::get_lead(&pending.lead_id)).await?;
    demand::status(&exchange, 200)?;
    let lead = demand::json(&exchange)?.clone();
    demand::same("confirmation.status", &json!(status), &lead["confirmation"]["status"])?;
    agrees(&lead)?;
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
    demand::status(&*asked(&context, "POST", &changed).await?, 404)?;
    must_be(&context, &pending, "pending").await?;
    demand::status(&*asked(&context, "POST", &pending.link).await?, 200)?;
    must_be(&context, &pending, "confirmed").await.map(drop)
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
