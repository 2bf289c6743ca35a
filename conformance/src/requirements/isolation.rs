//! Two accounts: what belongs to one does not exist for the other.
//!
//! Wrong keys are in `auth`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Credential;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::steps_articles;
use super::steps_lists::{self, List, POSTS};
use super::verdict::{About, Verdict, ensure};

const TWO: &[Capability] = &[Capability::Isolation];
const TWO_JOBS: &[Capability] = &[Capability::Isolation, Capability::Jobs];
const TWO_PAUSED: &[Capability] = &[Capability::Isolation, Capability::InactiveWebsite];
const TWO_LEADS: &[Capability] = &[Capability::Isolation, Capability::Leads, Capability::Capture];
const SOURCE: &str = "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "isolation.jobs.unknown",
            "Another account's job is 404 job_not_found, word for word like an id that never was.",
            SOURCE,
            jobs,
        )
        .needs(TWO_JOBS),
        Requirement::must(
            "isolation.jobs.cancel",
            "Another account cannot cancel a job: 404 job_not_found, and the job goes on.",
            SOURCE,
            cancel,
        )
        .needs(TWO_JOBS),
        Requirement::must(
            "isolation.articles.unknown",
            "Another account's article is 404 article_not_found, by its id and by the job's.",
            SOURCE,
            articles,
        )
        .needs(TWO_JOBS),
        Requirement::must(
            "isolation.articles.core",
            "One account's key does not read another account's article.",
            "service description, section 5",
            articles_in_core,
        )
        .core()
        .needs(TWO),
        Requirement::must(
            "isolation.leads.unknown",
            "Another account's lead is 404 lead_not_found and in none of its lists.",
            SOURCE,
            leads,
        )
        .needs(TWO_LEADS),
        Requirement::must(
            "isolation.websites.generate",
            "Another account's website is refused with 422 website_not_found.",
            SOURCE,
            website,
        )
        .needs(TWO),
        Requirement::must(
            "isolation.websites.core",
            "One account's key does not write for another account's website.",
            "service description, section 5",
            website_in_core,
        )
        .core()
        .needs(TWO),
        Requirement::must(
            "isolation.websites.paused",
            "Another account's website is refused with 422 website_not_found also when it is paused: nobody else learns that.",
            SOURCE,
            paused,
        )
        .needs(TWO_PAUSED),
        Requirement::must("isolation.lists.rows", "Lists hold rows of the own account only.", SOURCE, rows)
            .needs(TWO)
            .drawn("every list", Cases::Exactly(4), |_, draw| json!(steps_lists::LISTS[draw.index() % 4].path)),
        Requirement::must(
            "isolation.lists.filter",
            "A filter by another account's website gives an empty page.",
            SOURCE,
            filter,
        )
        .needs(TWO)
        .drawn("lists with that filter", Cases::Exactly(3), |_, draw| {
            json!(["/articles", "/leads", "/scheduled_posts"][draw.index() % 3])
        }),
        Requirement::must(
            "isolation.idempotency.scope",
            "An idempotency key belongs to its account: the same key and topic of another account makes its own job.",
            "openapi.yaml, IdempotencyKey",
            idempotency,
        )
        .needs(TWO),
        Requirement::must(
            "isolation.tokens.account",
            "A page token of another account is refused with 400 invalid_page_token.",
            "openapi.yaml, PageToken",
            token,
        )
        .needs(TWO),
    ]
}

async fn jobs(context: Context, _: Value) -> Verdict {
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Reading a map")).await?;
    let foreign = context.send(steps::get_job(&job_id).by(Credential::Other)).await?;
    demand::problem(&foreign, 404, &["job_not_found"])?;
    let never = context.send(steps::get_job("job_never_was").by(Credential::Other)).await?;
    let told = |exchange: &super::exchange::Exchange| {
        let body = exchange.json().cloned().unwrap_or_default();
        json!([body["title"], body["detail"], body["type"]])
    };
    demand::same("title, detail and type", &told(&never), &told(&foreign)).about(&foreign)?;
    steps::finished(&context, &job_id).await.map(|_| ())
}

async fn cancel(context: Context, _: Value) -> Verdict {
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Reading a compass")).await?;
    let foreign = context.send(steps::cancel_job(&job_id).by(Credential::Other)).await?;
    demand::problem(&foreign, 404, &["job_not_found"])?;
    let job = steps::finished(&context, &job_id).await?;
    let status = &demand::json(&job)?["status"];
    ensure(status != "cancelled", "a job that goes on", || status.to_string())
}

async fn articles(context: Context, _: Value) -> Verdict {
    let (job, article) = steps::written(&context, &steps::quiet_request(&context, "Reading a barometer")).await?;
    for id in [&job["job_id"], &demand::json(&article)?["id"]] {
        let request = steps::get_article(id.as_str().unwrap_or_default()).by(Credential::Other);
        let tag = demand::header(&article, "etag").unwrap_or("\"x\"").to_owned();
        demand::problem(&*context.send(request.clone()).await?, 404, &["article_not_found"])?;
        let conditional = context.send(request.header("if-none-match", tag)).await?;
        demand::problem(&conditional, 404, &["article_not_found"])?;
    }
    Ok(())
}

async fn articles_in_core(context: Context, _: Value) -> Verdict {
    for id in steps_articles::readable(&context).await? {
        steps_articles::hidden_from_other(&context, &id).await?;
    }
    Ok(())
}

async fn leads(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("foreign"));
    let lead = super::leads::captured(&context, &email, "Foreign reader", "hello").await?;
    let id = demand::text(&lead, "id")?;
    let request = steps::get_lead(id).by(Credential::Other);
    demand::problem(&*context.send(request).await?, 404, &["lead_not_found"])?;
    let list = List::named("/leads");
    let page = context.send(list.page("limit=100").by(Credential::Other)).await?;
    let found = list.ids(demand::json(&page)?).contains(&id.to_owned());
    ensure(!found, "no foreign lead in the list", || id.to_owned())
}

async fn website(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Writing for somebody else");
    let exchange = context.send(steps::generate(&body).by(Credential::Other)).await?;
    demand::problem(&exchange, 422, &["website_not_found"])
}

async fn paused(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Writing where nobody writes");
    body["website_id"] = json!(context.facts().inactive_website_id);
    let exchange = context.send(steps::generate(&body).by(Credential::Other)).await?;
    demand::problem(&exchange, 422, &["website_not_found"])
}

async fn website_in_core(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Writing for somebody else");
    demand::refusal(&*context.send(steps::generate(&body).by(Credential::Other)).await?)
}

async fn rows(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    steps_lists::ensure_rows(&context, list, 1).await?;
    let own = steps_lists::page(&context, list, "limit=100").await?;
    let own = list.ids(demand::json(&own)?);
    let other = context.send(list.page("limit=100").by(Credential::Other)).await?;
    demand::status(&other, 200)?;
    let body = demand::json(&other)?;
    let shared: Vec<String> = list.ids(body).into_iter().filter(|id| own.contains(id)).collect();
    ensure(shared.is_empty(), "no row in both accounts' lists", || shared.join(", "))?;
    let website = context.facts().website_id.as_str();
    let foreign = steps_lists::rows(body).iter().find(|row| row["website_id"] == website);
    ensure(foreign.is_none(), "no row of the other account's website", || {
        foreign.map_or_else(String::new, demand::brief)
    })
}

async fn filter(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    steps_lists::ensure_rows(&context, list, 1).await?;
    let query = format!("website_id={}", steps::segment(&context.facts().website_id));
    let other = context.send(list.page(&query).by(Credential::Other)).await?;
    demand::status(&other, 200)?;
    demand::same("items", &json!([]), &demand::json(&other)?["items"])
}

async fn idempotency(context: Context, _: Value) -> Verdict {
    let key = context.fresh("shared");
    let body = steps::quiet_request(&context, "Choosing an umbrella");
    let mut foreign = body.clone();
    foreign["website_id"] = json!(context.facts().other_website_id);
    let first = context.send(steps::generate(&body).header("idempotency-key", key.clone())).await?;
    demand::success(&first)?;
    let request = steps::generate(&foreign).header("idempotency-key", key).by(Credential::Other);
    let other = context.send(request).await?;
    demand::success(&other)?;
    let ids = (&demand::json(&first)?["job_id"], &demand::json(&other)?["job_id"]);
    ensure(ids.0 != ids.1, "a job of its own", || ids.0.to_string())
}

async fn token(context: Context, _: Value) -> Verdict {
    steps_lists::ensure_rows(&context, POSTS, 2).await?;
    let page = steps_lists::page(&context, POSTS, "limit=1").await?;
    let body = demand::json(&page)?;
    let Some(token) = steps_lists::next_of(body) else {
        return Err(super::verdict::Halt::inconclusive("the pipeline has one page only"));
    };
    let request = POSTS.page(&steps_lists::with_token("limit=1", token)).by(Credential::Other);
    demand::problem(&*context.send(request).await?, 400, &["invalid_page_token"])
}
