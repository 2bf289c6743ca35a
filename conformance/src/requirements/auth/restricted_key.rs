//! A key that is restricted to some websites: the others do not exist for it.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Credential, Halt, Request, Requirement, Verdict, demand, ensure};
use crate::steps::lists::{ARTICLES, LISTS, List, POSTS, next_of, rows, with_token};
use crate::steps::restricted::{is_live, own_order, send};
use crate::steps::{self, leads, lists, searched};

const SOURCE: &str = "openapi.yaml, info.description, Authorisation";

const KEY: &[Capability] = &[Capability::RESTRICTED_KEY];

const WITH_JOBS: &[Capability] = &[Capability::RESTRICTED_KEY, Capability::JOBS, Capability::PIPELINE];

const WITH_LEADS: &[Capability] = &[Capability::RESTRICTED_KEY, Capability::LEADS, Capability::CAPTURE];

const WITH_ARTICLES: &[Capability] = &[Capability::RESTRICTED_KEY, Capability::JOBS, Capability::ARTICLES];

/// What a list must keep from the key.
const HIDDEN: &str = "no row of a website that the key may not use";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "auth.restricted-key.orders",
            "For a key that is restricted to some websites the others do not exist: an order for one is 422 website_not_found.",
            SOURCE,
            orders,
        )
        .needs(KEY),
        Requirement::must(
            "auth.restricted-key.own",
            "A key that is restricted to some websites is let through to these: it orders, reads the job and finds its entry.",
            SOURCE,
            own,
        )
        .needs(WITH_JOBS),
        Requirement::must(
            "auth.restricted-key.records",
            "For a key that is restricted to some websites jobs and articles of the others are 404, also when it cancels.",
            SOURCE,
            records,
        )
        .needs(WITH_ARTICLES),
        Requirement::must(
            "auth.restricted-key.leads",
            "For a key that is restricted to some websites leads of the others are 404 lead_not_found.",
            SOURCE,
            hidden_lead,
        )
        .needs(WITH_LEADS),
        Requirement::must(
            "auth.restricted-key.posts",
            "For a key that is restricted to some websites pipeline entries of the others are 404 scheduled_post_not_found.",
            SOURCE,
            hidden_post,
        )
        .needs(WITH_JOBS),
        Requirement::must(
            "auth.restricted-key.lists",
            "For a key that is restricted to some websites no list has a row of the others, and a filter by one is an empty page.",
            SOURCE,
            hidden_rows,
        )
        .needs(KEY)
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % LISTS.len()].path)),
        Requirement::must(
            "auth.restricted-key.tokens",
            "A page token of another key of the account shows a key that is restricted to some websites nothing of the others.",
            SOURCE,
            tokens,
        )
        .needs(WITH_ARTICLES),
    ]
}

async fn orders(context: Context, _: Value) -> Verdict {
    is_live(&context).await?;
    let order = steps::generate(&steps::quiet_request(&context, "Writing next door"));
    demand::problem(&*send(&context, order.clone()).await?, 422, &["website_not_found"])?;
    let allowed = context.send(order).await?;
    if allowed.succeeded() {
        return steps::discard_where_possible(&context, &allowed).await;
    }
    Err(Halt::inconclusive(format!("the order is refused with the key under test, too: {}", demand::seen(&allowed))))
}

async fn own(context: Context, _: Value) -> Verdict {
    let queued = send(&context, steps::generate(&own_order(&context, "Minding the own shop"))).await?;
    demand::status(&queued, 202)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?;
    demand::status(&*send(&context, steps::get_job(job_id)).await?, 200)?;
    let own = |entry: &Value| entry["job_id"] == job_id;
    let entry = searched::row(&context, POSTS, "limit=100", Credential::Restricted, own).await?;
    ensure(entry.is_some(), "an entry with the job_id", || "none in the list that this key sees".to_owned())?;
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
        let queued = if is_own { send(&context, order).await? } else { context.send(order).await? };
        demand::success(&queued)?;
        let job = demand::json(&queued)?;
        let read = send(&context, steps::get_scheduled_post(demand::text(job, "scheduled_post_id")?)).await?;
        if is_own {
            demand::status(&read, 200)?;
        } else {
            demand::problem(&read, 404, &["scheduled_post_not_found"])?;
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
    let find = async |website: &str| {
        let of_website = |row: &Value| row["website_id"] == website;
        searched::row(&context, list, "limit=100", Credential::Restricted, of_website).await
    };
    let hidden = find(&context.facts().website_id).await?;
    ensure(hidden.is_none(), HIDDEN, || hidden.as_ref().map_or_else(String::new, demand::brief))?;
    if list.path == "/websites" {
        let own = find(context.facts().restricted_website_id.as_deref().unwrap_or_default()).await?;
        return ensure(own.is_some(), "the website that the key may use", || "no row of it".to_owned());
    }
    let filter = format!("limit=1&website_id={}", steps::segment(&context.facts().website_id));
    let filtered = send(&context, list.page(&filter)).await?;
    demand::status(&filtered, 200)?;
    demand::same("items", &json!([]), &demand::json(&filtered)?["items"])?;
    let seen = lists::page(&context, list, &filter).await?;
    if rows(demand::json(&seen)?).is_empty() {
        return Err(Halt::inconclusive("the list has no row of the website under test"));
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
    // A token may also belong to its key.
    if next.status == 400 {
        return demand::problem(&next, 400, &["invalid_page_token"]);
    }
    demand::status(&next, 200)?;
    let website = context.facts().website_id.as_str();
    let hidden = rows(demand::json(&next)?).iter().find(|row| row["website_id"] == website);
    ensure(hidden.is_none(), HIDDEN, || hidden.map_or_else(String::new, demand::brief))?;
    // The same place in the list is another row's for the key that made the token.
    let same = Request::clone(&next.request).by(Credential::Main);
    demand::status(&*context.send(same).await?, 200)
}
