//! Double opt-in: the confirmation link in the webhook about a lead, on the website that the set-up names for it; no confirmation
//! elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use chrono::Duration;
use serde_json::{Value, json};
use url::Url;

use crate::check::Source::{Part, Sentence};
use crate::check::{
    Capability, Cases, Context, Credential, Exchange, Halt, Request, Requirement, Source, Verdict, demand, ensure,
    ensure_met, html,
};
use crate::inbox::HookRequest;
use crate::requirements::capture::response::ensure_media_type;
use crate::requirements::leads::times::{ensure_confirmation_agrees, ensure_updated_last};
use crate::steps::draws::index_of;
use crate::steps::hooks::{LEAD_CAPTURED, first_mention, lead_hook};
use crate::steps::lists::{List, shows};
use crate::steps::payloads::{event_of, has_type};
use crate::steps::times::{date_of, in_utc, moment, near};
use crate::steps::{self, lead_form, lists};

const CONFIRMED_AT: Source =
    Sentence("`confirmation.confirmed_at` is not null exactly if `confirmation.status` is `confirmed`.");

pub(super) const LINK: Source = Sentence(
    "`confirmation_url` is not null exactly if `lead.confirmation.status` is `pending`, the lead is not suspected spam, and its \
    recipient got no other link of this website in the last ten minutes.",
);

const NEEDED: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM, Capability::LEADS, Capability::DOUBLE_OPT_IN];

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const ERASED: &[Capability] =
    &[Capability::HOOKS, Capability::LEAD_FORM, Capability::LEADS, Capability::DOUBLE_OPT_IN, Capability::ERASING];

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.double-opt-in.confirms",
            "The webhook about a lead that waits for confirmation contains a link. POST to the link confirms the \
            lead. A second POST, with a body, gets the same page and changes nothing. At most one event reports the \
            confirmation.",
            &[
                Sentence("Whether a person has to confirm a lead by the signed link in the event `lead.captured`."),
                LINK,
                Sentence("POST without a body answers 200 and confirms the lead."),
                Sentence("A second POST gets the same response and changes nothing."),
                Sentence("It needs no key and ignores a body."),
                Sentence("Confirming again changes nothing, and the response is the same until the link expires."),
                Sentence("Using the link again does not change the lead."),
                Sentence(
                    "`x-repeatable` on an operation that changes something: calling it twice has the effect of calling \
                    it once.",
                ),
                Sentence("Each lead has at most one such event."),
                Sentence("`pending`: the person has not used a link yet."),
                CONFIRMED_AT,
            ],
            confirms,
        )
        .needs(NEEDED)
        .background(),
        Requirement::new(
            "hooks.double-opt-in.one-link",
            "Forms with the same email get at most one confirmation link together within ten minutes, even if form_id, \
            the letter case of email or its part after a plus sign differ. A form that looks like spam gets no link. \
            All leads stay pending.",
            &[
                LINK,
                Sentence("The recipient is the `email` of the lead or, without one, its `phone`."),
                Sentence(
                    "Two addresses are one recipient if they differ only in letter case, in their Unicode form, or in a part from `+` to `@` that is not the whole name.",
                ),
                Sentence(
                    "Confirmation links of one website for one e-mail address or, without one, one telephone number.",
                ),
                Sentence("`pending`: the person has not used a link yet."),
            ],
            one_link,
        )
        .drawn("the number of links", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("confirmation_links", "maximum"))
        })
        .needs(NEEDED)
        .background(),
        Requirement::new(
            "hooks.double-opt-in.looking",
            "GET and HEAD of the confirmation link are answered 200 and do not change the lead.",
            &[
                Sentence("GET of the link answers 200 with a page and changes nothing."),
                Sentence("It needs no key and changes nothing, because mail scanners open links."),
                Sentence(
                    "Every GET resource also answers HEAD, with the same status, `Content-Type`, `ETag` and `Cache-Control`.",
                ),
                Sentence("The lead does not change."),
                Sentence("`pending`: the person has not used a link yet."),
                CONFIRMED_AT,
            ],
            looking,
        )
        .needs(NEEDED)
        .background(),
        Requirement::new(
            "hooks.double-opt-in.changed-link",
            "A confirmation link with a changed character, or with another website, is answered 404 route_not_found and does not \
            confirm the lead.",
            &[
                Sentence("A link with a changed character answers 404."),
                Sentence("There is no such link: it was changed, or is not of this website."),
                Sentence("There is no such path or, below `/capture/`, no such website or confirmation link."),
                Sentence("A refused call does not change it either."),
                CONFIRMED_AT,
            ],
            changed_link,
        )
        .needs(NEEDED)
        .background(),
        Requirement::new(
            "hooks.double-opt-in.updated",
            "A confirmation changes updated_at of the lead, updated_since finds the lead, and the lead keeps its \
            place in the list.",
            &[
                Sentence("When it last changed: equal to `captured_at` until it is confirmed."),
                Sentence("`captured_at` ≤ `updated_at`, and `confirmation.confirmed_at` ≤ `updated_at`."),
                Sentence("Only leads changed at this time or later (RFC 3339 with a zone)."),
                Sentence("A change does not move a lead."),
                CONFIRMED_AT,
            ],
            updated,
        )
        .needs(NEEDED)
        .background(),
        Requirement::new(
            "hooks.double-opt-in.page",
            "GET and POST of the confirmation link return an HTML page, whatever the Accept header contains.",
            &[
                Sentence(
                    "Returns the page at the `confirmation_url` of `lead.captured`, with a button that confirms the \
                    lead.",
                ),
                Part("/paths/~1capture~1{website_id}~1confirmations~1{token}/get/responses/200/content"),
                Part("/paths/~1capture~1{website_id}~1confirmations~1{token}/post/responses/200/content"),
            ],
            page,
        )
        .needs(NEEDED)
        .background(),
        Requirement::new(
            "hooks.double-opt-in.erased",
            "An erased lead is 404 lead_not_found. Its confirmation link is answered 410 confirmation_expired: with a \
            problem, or with a page if Accept contains text/html.",
            &[
                Sentence("A link that is older than 7 days, or whose lead was erased, answers 410."),
                Sentence("An erased lead is not reported: reading it by its id answers 404 `lead_not_found`."),
                Part("/x-problem-codes/confirmation_expired"),
                Sentence("Errors are pages with `text/html` in `Accept`, otherwise problems."),
                Sentence("Errors are as for the lead form."),
            ],
            erased,
        )
        .needs(ERASED)
        .background(),
        Requirement::new(
            "hooks.double-opt-in.secret",
            "The API never shows the confirmation link: anyone who has it could confirm for the person.",
            &[
                Sentence("Anyone who has the link can confirm, so neither show nor log it."),
                Sentence("The API shows it nowhere else."),
            ],
            secret,
        )
        .needs(NEEDED)
        .background(),
        Requirement::new(
            "hooks.double-opt-in.not-required",
            "A lead that needs no confirmation causes no event lead.confirmed, and its webhook has no confirmation link.",
            &[
                Sentence("Only for websites with double opt-in."),
                LINK,
            ],
            not_required,
        )
        .needs(LEAD)
        .background(),
    ]
}

/// Type of the event about a confirmation.
const LEAD_CONFIRMED: &str = "lead.confirmed";

/// Time between two leads.
const APART: std::time::Duration = std::time::Duration::from_secs(2);

/// A lead that waits for confirmation.
pub(super) struct Pending {
    pub(super) lead_id: String,
    /// The confirmation link, with the origin at which the suite reaches the server.
    pub(super) link: String,
    /// The confirmation link in the webhook.
    told: String,
}

pub(super) async fn pending(context: &Context) -> Result<Pending, Halt> {
    pending_of(context, &format!("{}@example.com", context.fresh("opt-in"))).await
}

/// Sends a form with this email, and waits for the webhook about its lead, which must have a link.
pub(super) async fn pending_of(context: &Context, email: &str) -> Result<Pending, Halt> {
    let marker = context.fresh("waiting");
    let website_id = context.facts().double_opt_in_website_id.clone().unwrap_or_default();
    let form = lead_form::request(context, "POST", &website_id)?;
    let form = form.json(&json!({ "email": email, "name": marker }));
    let sent = context.send(form).await?;
    if asks_for_consent(&sent) {
        return Err(Halt::inconclusive(
            "the website with double opt-in has a consent text, which the suite does not know",
        ));
    }
    demand::status(&sent, 202)?;
    let hook = first_mention(context, &marker, LEAD_CAPTURED).await?.json().unwrap_or_default();
    let data = &hook["data"];
    demand::same("confirmation.status in the webhook", &json!("pending"), &data["lead"]["confirmation"]["status"])?;
    if lead_form::is_marked(&data["lead"]) {
        return Err(Halt::inconclusive("the lead looks like spam, so it has no link"));
    }
    let told = demand::text(data, "confirmation_url")?.to_owned();
    let lead_id = demand::text(&data["lead"], "id")?.to_owned();
    Ok(Pending { link: reached(context, &told)?, lead_id, told })
}

/// Returns true if the form was refused because a field is required: the form lacks only the consent.
fn asks_for_consent(response: &Exchange) -> bool {
    let body = response.json().cloned().unwrap_or_default();
    let mut errors = body["errors"].as_array().into_iter().flatten();
    response.status == 422 && (body["code"] == "consent_required" || errors.any(|error| error["code"] == "required"))
}

/// Returns the link with the origin of the lead form. A webhook must not direct the suite to another host, and the server may know
/// itself by another address.
fn reached(context: &Context, told: &str) -> Result<String, Halt> {
    let link = Url::parse(told).map_err(|_| Halt::fail("a URL as confirmation_url", told))?;
    let form = context.facts().capture.as_ref().and_then(|capture| Url::parse(&capture.url).ok());
    let mut form = form.ok_or_else(|| Halt::Error("the lead form has no address".to_owned()))?;
    form.set_path(link.path());
    form.set_query(link.query());
    Ok(form.to_string())
}

pub(super) async fn asked(context: &Context, method: &str, link: &str) -> Result<std::sync::Arc<Exchange>, Halt> {
    context.send(request(method, link)).await
}

/// Returns a request to the link.
fn request(method: &str, link: &str) -> Request {
    let operation = match method {
        "GET" => Some("show_confirmation"),
        "POST" => Some("confirm_lead"),
        _ => None,
    };
    Request { operation, path: link.to_owned(), ..Request::outside(method, "").by(Credential::None) }
}

/// Reads the lead and demands that its confirmation has this status.
pub(super) async fn must_be(context: &Context, pending: &Pending, status: &str) -> Result<Value, Halt> {
    let exchange = context.send(steps::get_lead(&pending.lead_id)).await?;
    demand::status(&exchange, 200)?;
    let lead = demand::json(&exchange)?.clone();
    demand::same("confirmation.status", &json!(status), &lead["confirmation"]["status"])?;
    ensure_confirmation_agrees(&lead)?;
    Ok(lead)
}

async fn confirms(context: Context, _: Value) -> Verdict {
    let pending = pending(&context).await?;
    must_be(&context, &pending, "pending").await?;
    let first = asked(&context, "POST", &pending.link).await?;
    demand::status(&first, 200)?;
    let lead = must_be(&context, &pending, "confirmed").await?;
    let second = context.send(request("POST", &pending.link).bytes("text/plain", b"please".to_vec())).await?;
    demand::status(&second, 200)?;
    let [shown, again] = [&first, &second].map(|page| json!(html::text(&String::from_utf8_lossy(&page.body))));
    demand::same("the text of the page", &shown, &again)?;
    demand::same("the lead after a second POST", &lead, &must_be(&context, &pending, "confirmed").await?)?;
    let is_confirmation = |hook: &&HookRequest| {
        hook.json().is_some_and(|body| body["type"] == LEAD_CONFIRMED && body["data"]["lead"]["id"] == *pending.lead_id)
    };
    let events = |seen: &[HookRequest]| seen.iter().filter(is_confirmation).map(event_of).collect::<BTreeSet<_>>();
    let seen = context.hooks()?.wait_for(&pending.lead_id, context.quiet(), |seen| events(seen).len() > 1).await;
    ensure(events(&seen).len() <= 1, "at most one event of type lead.confirmed", || {
        format!("{} events", events(&seen).len())
    })
}

async fn one_link(context: Context, case: Value) -> Verdict {
    let (marker, most) = (context.fresh("one-link"), index_of(&case));
    let robot = json!({ "email": format!("robot-{marker}@example.com"), "name": marker, "_hp": "x" });
    let written = [marker.clone(), marker.to_uppercase(), format!("{marker}+news")];
    let people = (0..most + written.len()).map(|number| {
        let email = format!("{}@example.com", written[number % written.len()]);
        json!({ "email": email, "name": marker, "source": { "form_id": format!("form {number}") } })
    });
    let forms: Vec<Value> = people.chain([robot]).collect();
    let website_id = context.facts().double_opt_in_website_id.clone().unwrap_or_default();
    for form in &forms {
        let sent = context.send(lead_form::request(&context, "POST", &website_id)?.json(form)).await?;
        if asks_for_consent(&sent) {
            return Err(Halt::inconclusive("the website with double opt-in has a consent text"));
        }
        demand::status(&sent, 202)?;
    }
    let leads = |seen: &[HookRequest]| -> BTreeMap<String, Value> {
        let captured = seen.iter().filter(|hook| has_type(hook, LEAD_CAPTURED)).filter_map(HookRequest::json);
        captured.map(|event| (event["data"]["lead"]["id"].to_string(), event["data"].clone())).collect()
    };
    let wait = context.facts().ready_within;
    let seen = context.hooks()?.wait_for(&marker, wait, |seen| leads(seen).len() >= forms.len()).await;
    let told = leads(&seen);
    if told.len() < forms.len() {
        return Err(Halt::inconclusive(format!("{} of {} webhooks about leads arrived", told.len(), forms.len())));
    }
    let (marked, ordinary): (Vec<_>, Vec<_>) = told.values().partition(|data| lead_form::is_marked(&data["lead"]));
    let links = |leads: &[&Value]| leads.iter().filter(|data| !data["confirmation_url"].is_null()).count();
    ensure(links(&marked) == 0, "no link for a lead that looks like spam", || format!("{} links", links(&marked)))?;
    ensure_met(!ordinary.is_empty(), "all leads look like spam")?;
    ensure((1..=most).contains(&links(&ordinary)), format!("1 to {most} links"), || {
        format!("{} links", links(&ordinary))
    })?;
    for data in told.values() {
        demand::same("confirmation.status", &json!("pending"), &data["lead"]["confirmation"]["status"])?;
    }
    Ok(())
}

async fn updated(context: Context, _: Value) -> Verdict {
    let first = pending(&context).await?;
    let before = must_be(&context, &first, "pending").await?;
    demand::same("updated_at of a lead that waits for confirmation", &before["captured_at"], &before["updated_at"])?;
    // The second lead and the confirmation must be later than the first lead, even if times have whole seconds.
    context.waiting(tokio::time::sleep(APART)).await;
    let second = pending(&context).await?;
    demand::status(&*asked(&context, "POST", &first.link).await?, 200)?;
    let read = context.send(steps::get_lead(&first.lead_id)).await?;
    let lead = must_be(&context, &first, "confirmed").await?;
    ensure(moment(&lead, "updated_at")? > moment(&lead, "captured_at")?, "updated_at later than captured_at", || {
        demand::brief(&lead)
    })?;
    ensure_updated_last(&lead)?;
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

async fn looking(context: Context, _: Value) -> Verdict {
    let pending = pending(&context).await?;
    let before = must_be(&context, &pending, "pending").await?;
    for method in ["GET", "HEAD"] {
        demand::status(&*asked(&context, method, &pending.link).await?, 200)?;
    }
    demand::same("the lead after GET and HEAD", &before, &must_be(&context, &pending, "pending").await?)?;
    // Make sure that this link can confirm the lead.
    demand::status(&*asked(&context, "POST", &pending.link).await?, 200)?;
    must_be(&context, &pending, "confirmed").await.map(drop)
}

async fn changed_link(context: Context, _: Value) -> Verdict {
    let pending = pending(&context).await?;
    // Change a character in the middle of the token, to one that is another letter in any case. A token may end in `=`.
    let link = pending.link.trim_end_matches('=');
    let begin = link.rfind(['/', '=']).map_or(0, |place| place + 1);
    let place = begin + (link.len() - begin) / 2;
    let other = if link[place..].starts_with(['A', 'a']) { "B" } else { "A" };
    let rest = pending.link.get(place + 1..).unwrap_or_default();
    let changed = format!("{}{other}{rest}", &pending.link[..place]);
    let website_id = context.facts().double_opt_in_website_id.clone().unwrap_or_default();
    let [own, other] = [&website_id, &context.facts().website_id].map(|id| format!("/{}/", steps::segment(id)));
    let of_other = pending.link.replacen(&own, &other, 1);
    for wrong in [changed, of_other].into_iter().filter(|link| *link != pending.link) {
        demand::problem(&*asked(&context, "POST", &wrong).await?, 404, &["route_not_found"])?;
        must_be(&context, &pending, "pending").await?;
    }
    demand::status(&*asked(&context, "POST", &pending.link).await?, 200)?;
    must_be(&context, &pending, "confirmed").await.map(drop)
}

async fn page(context: Context, _: Value) -> Verdict {
    let pending = pending(&context).await?;
    for method in ["GET", "POST", "GET"] {
        for accept in ["text/html", "application/json"] {
            let response = context.send(request(method, &pending.link).header("accept", accept)).await?;
            demand::status(&response, 200)?;
            ensure_media_type(&response, "text/html")?;
        }
    }
    Ok(())
}

async fn erased(context: Context, _: Value) -> Verdict {
    let pending = pending(&context).await?;
    demand::status(&*asked(&context, "GET", &pending.link).await?, 200)?;
    steps::leads::erase(&context, &pending.lead_id).await?;
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
        ensure(!body.contains(&path), "a response without the confirmation link", || {
            "the response contains the path of the link".to_owned()
        })?;
    }
    Ok(())
}

async fn not_required(context: Context, _: Value) -> Verdict {
    let (marker, hook) = lead_hook(&context, "nothing to confirm").await?;
    let data = hook.json().unwrap_or_default()["data"].take();
    let status = &data["lead"]["confirmation"]["status"];
    ensure_met(status.is_null() || status == "not_required", "the website has double opt-in")?;
    demand::same("confirmation_url", &Value::Null, &data["confirmation_url"])?;
    let is_confirmation = |hook: &HookRequest| has_type(hook, LEAD_CONFIRMED);
    let seen = context.hooks()?.wait_for(&marker, context.quiet(), |seen| seen.iter().any(is_confirmation)).await;
    ensure(!seen.iter().any(is_confirmation), "no event of type lead.confirmed", || "one".to_owned())
}
