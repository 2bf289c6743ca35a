//! A key that is restricted to some websites: to it, the others do not exist.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{
    Capability, Cases, Context, Credential, Exchange, Halt, Request, Requirement, Source, Verdict, demand, ensure,
};
use crate::steps::lists::{ARTICLES, LISTS, List, POSTS, next_of, rows, with_token};
use crate::steps::{self, leads, lists};

/// The rule for all records.
const RESTRICTED: Source = Sentence("To a key all other data looks as if it did not exist.");

/// The rule for single records, besides its problem code.
const UNUSABLE_ID: Source = Sentence("The id is unknown, or the key may not use it.");

const KEY: &[Capability] = &[Capability::RESTRICTED_KEY];

const WITH_JOBS: &[Capability] = &[Capability::RESTRICTED_KEY, Capability::JOBS, Capability::PIPELINE];

const WITH_LEADS: &[Capability] = &[Capability::RESTRICTED_KEY, Capability::LEADS, Capability::CAPTURE];

const WITH_ARTICLES: &[Capability] = &[Capability::RESTRICTED_KEY, Capability::JOBS, Capability::ARTICLES];

/// Refusals that come from the set-up: the key needs every scope and an active website.
const SET_UP: [&str; 2] = ["insufficient_scope", "website_inactive"];

/// Expectation for every list.
const HIDDEN: &str = "no item of a website that the key may not use";

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "auth.restricted-key.orders",
            "To a key that is restricted to some websites the others do not exist: generate for one gets 422 website_not_found, also with \
             the idempotency key of a request of another key.",
            &[
                RESTRICTED,
                Sentence(
                    "A valid body for a website that the key may not use is refused before its idempotency key is checked.",
                ),
                Part("/x-problem-codes/website_not_found/status"),
            ],
            orders,
        )
        .needs(KEY),
        Requirement::new(
            "auth.restricted-key.idempotency",
            "A key that is restricted to some websites learns nothing from an idempotency key that was used for another website: it is free \
             for its own websites, and a body for the other website is answered as if the key were new.",
            &[
                RESTRICTED,
                Sentence(
                    "Used with another website in the body it is another key, so no platform key learns of requests for websites that \
                     it may not use.",
                ),
            ],
            idempotency,
        )
        .needs(KEY),
        Requirement::new(
            "auth.restricted-key.shared-key",
            "An idempotency key belongs to the account: another key of the account that repeats a request of the restricted key gets its job, with \
             Idempotency-Replayed: true, also after it has used the idempotency key for another website.",
            &[
                Sentence("A key belongs to the account, whichever platform key sends it."),
                Sentence(
                    "Used with another website in the body it is another key, so no platform key learns of requests for websites that \
                     it may not use.",
                ),
            ],
            shared_key,
        )
        .needs(WITH_JOBS),
        Requirement::new(
            "auth.restricted-key.own",
            "A key that is restricted to some websites may use these: it queues an article, reads the job and finds its scheduled post.",
            &[
                Sentence("It has scopes and may be restricted to some websites."),
                Sentence(
                    "When the response arrives, `GET /api/v1/scheduled_posts` lists exactly one scheduled post with this `job_id`.",
                ),
            ],
            own,
        )
        .needs(WITH_JOBS),
        Requirement::new(
            "auth.restricted-key.records",
            "To a key that is restricted to some websites, jobs and articles of the others are 404, also when it cancels.",
            &[
                RESTRICTED,
                UNUSABLE_ID,
                Part("/x-problem-codes/job_not_found/status"),
                Part("/x-problem-codes/article_not_found/status"),
            ],
            records,
        )
        .needs(WITH_ARTICLES),
        Requirement::new(
            "auth.restricted-key.leads",
            "To a key that is restricted to some websites, leads of the others are 404 lead_not_found.",
            &[RESTRICTED, UNUSABLE_ID, Part("/x-problem-codes/lead_not_found/status")],
            hidden_lead,
        )
        .needs(WITH_LEADS),
        Requirement::new(
            "auth.restricted-key.posts",
            "To a key that is restricted to some websites, scheduled posts of the others are 404 scheduled_post_not_found.",
            &[RESTRICTED, UNUSABLE_ID, Part("/x-problem-codes/scheduled_post_not_found/status")],
            hidden_post,
        )
        .needs(WITH_JOBS),
        Requirement::new(
            "auth.restricted-key.lists",
            "To a key that is restricted to some websites, no list has an item of the others, and a filter by one gives an empty page.",
            &[
                RESTRICTED,
                Sentence("An unknown or foreign id gives an empty page."),
                Sentence("Lists the websites that the key may use, newest first by creation."),
            ],
            hidden_rows,
        )
        .needs(KEY)
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % LISTS.len()].path)),
        Requirement::new(
            "auth.restricted-key.tokens",
            "A key that is restricted to some websites gets nothing of the others, even with a page token of another key of the account.",
            &[RESTRICTED, Sentence("It is valid for at least 24 hours, for this list and account.")],
            tokens,
        )
        .needs(WITH_ARTICLES),
    ]
}

async fn orders(context: Context, _: Value) -> Verdict {
    is_live(&context).await?;
    let order = steps::generate(&steps::quiet_request(&context, "Writing next door"));
    let order = order.header("idempotency-key", context.fresh("next-door"));
    demand::problem(&*send(&context, order.clone()).await?, 422, &["website_not_found"])?;
    let allowed = context.send(order.clone()).await?;
    if !allowed.succeeded() {
        return Err(Halt::inconclusive(format!("the key under test is refused, too: {}", demand::seen(&allowed))));
    }
    let repeated = send(&context, order).await?;
    steps::discard_where_possible(&context, &allowed).await?;
    demand::problem(&repeated, 422, &["website_not_found"])
}

async fn idempotency(context: Context, _: Value) -> Verdict {
    is_live(&context).await?;
    let key = context.fresh("next-door");
    let keyed = |body: &Value| steps::generate(body).header("idempotency-key", key.clone());
    let body = steps::quiet_request(&context, "Sharing a fence");
    let first = context.send(keyed(&body)).await?;
    demand::success(&first)?;
    let mut invalid = body;
    invalid["target_word_count"] = json!(1);
    let refused = send(&context, keyed(&invalid)).await?;
    let own = send_own(&context, keyed(&own_order(&context, "Sharing a fence"))).await?;
    if own.succeeded() {
        send(&context, steps::cancel_job(demand::text(demand::json(&own)?, "job_id")?)).await?;
    }
    steps::discard_where_possible(&context, &first).await?;
    demand::problem(&refused, 422, &["validation_failed", "website_not_found"])?;
    demand::status(&own, 202)?;
    let jobs = [&first, &own].map(|exchange| exchange.json().map(|body| body["job_id"].clone()));
    ensure(jobs[0] != jobs[1], "another job for another website", || demand::seen(&own))
}

async fn shared_key(context: Context, _: Value) -> Verdict {
    is_live(&context).await?;
    let key = context.fresh("shared");
    let keyed = |body: &Value| steps::generate(body).header("idempotency-key", key.clone());
    let order = own_order(&context, "Painting a shared fence");
    let first = send_own(&context, keyed(&order)).await?;
    demand::success(&first)?;
    let elsewhere = context.send(keyed(&steps::quiet_request(&context, "Painting a shared fence"))).await?;
    let again = context.send(keyed(&order)).await?;
    for queued in [&first, &elsewhere, &again] {
        steps::discard(&context, queued).await?;
    }
    if again.code() == Some("website_not_found") {
        return Err(Halt::inconclusive("the key under test may not use the website of the restricted key"));
    }
    demand::success(&elsewhere)?;
    demand::success(&again)?;
    let [before, after] = [&first, &again].map(|exchange| exchange.json().map(|job| job["job_id"].clone()));
    demand::same("job_id", &json!(before), &json!(after))?;
    demand::same("Idempotency-Replayed", &json!("true"), &json!(again.header("idempotency-replayed")))
}

async fn own(context: Context, _: Value) -> Verdict {
    let queued = send_own(&context, steps::generate(&own_order(&context, "Minding the own shop"))).await?;
    demand::status(&queued, 202)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?;
    demand::status(&*send_own(&context, steps::get_job(job_id)).await?, 200)?;
    send_own(&context, POSTS.page("limit=1")).await?;
    let own = |entry: &Value| entry["job_id"] == job_id;
    let entry = lists::row(&context, POSTS, "limit=100", Credential::Restricted, own).await?;
    ensure(entry.is_some(), "a scheduled post with the job_id", || "none in the list for this key".to_owned())?;
    send(&context, steps::cancel_job(job_id)).await.map(|_| ())
}

async fn records(context: Context, _: Value) -> Verdict {
    is_live(&context).await?;
    let body = steps::quiet_request(&context, "Keeping the books closed");
    let (job, article) = steps::written(&context, &body).await?;
    let job_id = demand::text(&job, "job_id")?;
    let article_id = demand::text(demand::json(&article)?, "id")?;
    for request in [steps::get_job(job_id), steps::cancel_job(job_id)] {
        demand::problem(&*send(&context, request).await?, 404, &["job_not_found"])?;
    }
    for id in [article_id, job_id] {
        demand::problem(&*send(&context, steps::get_article(id)).await?, 404, &["article_not_found"])?;
    }
    Ok(())
}

async fn hidden_lead(context: Context, _: Value) -> Verdict {
    is_live(&context).await?;
    let email = format!("{}@example.com", context.fresh("neighbour"));
    let lead = leads::captured(&context, &email, "Robin Neighbour", "Is this yours?").await?;
    let request = steps::get_lead(demand::text(&lead, "id")?);
    demand::problem(&*send(&context, request).await?, 404, &["lead_not_found"])
}

async fn hidden_post(context: Context, _: Value) -> Verdict {
    is_live(&context).await?;
    for (is_own, body) in [
        (true, own_order(&context, "Reading the own plan")),
        (false, steps::quiet_request(&context, "Reading the neighbour's plan")),
    ] {
        let order = steps::generate(&body);
        let queued = if is_own { send_own(&context, order).await? } else { context.send(order).await? };
        demand::success(&queued)?;
        let job = demand::json(&queued)?;
        let read = steps::get_scheduled_post(demand::text(job, "scheduled_post_id")?);
        if is_own {
            demand::status(&*send_own(&context, read).await?, 200)?;
        } else {
            demand::problem(&*send(&context, read).await?, 404, &["scheduled_post_not_found"])?;
        }
        let cancel = steps::cancel_job(demand::text(job, "job_id")?);
        if is_own {
            send(&context, cancel).await?
        } else {
            context.send(cancel).await?
        };
    }
    Ok(())
}

async fn hidden_rows(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    lists::ensure_rows(&context, list, 1).await?;
    send_own(&context, list.page("limit=1")).await?;
    let find = async |website: &str| {
        let of_website = |row: &Value| row["website_id"] == website;
        lists::row(&context, list, "limit=100", Credential::Restricted, of_website).await
    };
    let hidden = find(&context.facts().website_id).await?;
    ensure(hidden.is_none(), HIDDEN, || hidden.as_ref().map_or_else(String::new, demand::brief))?;
    if list.path == "/websites" {
        let own = find(context.facts().restricted_website_id.as_deref().unwrap_or_default()).await?;
        return ensure(own.is_some(), "the website that the key may use", || "not in the list".to_owned());
    }
    let filter = format!("limit=1&website_id={}", steps::segment(&context.facts().website_id));
    let filtered = send(&context, list.page(&filter)).await?;
    demand::status(&filtered, 200)?;
    demand::same("items", &json!([]), &demand::json(&filtered)?["items"])?;
    let seen = lists::page(&context, list, &filter).await?;
    if rows(demand::json(&seen)?).is_empty() {
        return Err(Halt::inconclusive("the list has no item of the website under test"));
    }
    Ok(())
}

async fn tokens(context: Context, _: Value) -> Verdict {
    is_live(&context).await?;
    lists::ensure_rows(&context, ARTICLES, 2).await?;
    let first = lists::page(&context, ARTICLES, "limit=1").await?;
    let Some(token) = next_of(demand::json(&first)?) else {
        return Err(Halt::inconclusive("the list of articles has one page only"));
    };
    let next = send(&context, ARTICLES.page(&with_token("limit=1", token))).await?;
    // A server may also bind a token to its key.
    if next.status == 400 {
        return demand::problem(&next, 400, &["invalid_page_token"]);
    }
    demand::status(&next, 200)?;
    let website = context.facts().website_id.as_str();
    let hidden = rows(demand::json(&next)?).iter().find(|row| row["website_id"] == website);
    ensure(hidden.is_none(), HIDDEN, || hidden.map_or_else(String::new, demand::brief))?;
    // Control: the token works for the key that got it.
    let same = Request::clone(&next.request).by(Credential::Main);
    demand::status(&*context.send(same).await?, 200)
}

/// Sends the request with the restricted key.
async fn send(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    context.send(request.by(Credential::Restricted)).await
}

/// Sends a request that the key may make.
///
/// # Errors
/// `Inconclusive` if the key has too few scopes or its website is not active.
async fn send_own(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let exchange = send(context, request).await?;
    match exchange.code() {
        Some(code) if SET_UP.contains(&code) => {
            let line = exchange.line();
            Err(Halt::inconclusive(format!(
                "the restricted key needs every scope and an active website: {code}, for {line}"
            )))
        }
        _ => Ok(exchange),
    }
}

/// Returns a request body for the website that the key may use.
fn own_order(context: &Context, topic: &str) -> Value {
    let mut body = steps::quiet_request(context, topic);
    body["website_id"] = json!(context.facts().restricted_website_id);
    body
}

/// Makes sure that the key is valid. Otherwise its refusals say nothing about the restriction.
async fn is_live(context: &Context) -> Result<(), Halt> {
    let listed = send(context, Request::new("list_websites", "GET", "/websites?limit=100")).await?;
    if listed.succeeded() {
        return Ok(());
    }
    let seen = demand::seen(&listed);
    Err(Halt::inconclusive(format!("the restricted key lists no websites: is it valid, with every scope? {seen}")))
}
