//! Lists show rows of the own account only.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Credential, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::lists::List;
use crate::steps::{self, lists};

const SOURCE: &str = "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike";

const TWO: &[Capability] = &[Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("isolation.lists.rows", "Lists show rows of the own account only.", SOURCE, rows)
            .needs(TWO)
            .drawn("every list", Cases::Exactly(4), |_, draw| json!(lists::LISTS[draw.index() % 4].path)),
        Requirement::must(
            "isolation.lists.filter",
            "A list filtered by another account's website is empty.",
            SOURCE,
            filter,
        )
        .needs(TWO)
        .drawn("lists with that filter", Cases::Exactly(3), |_, draw| {
            json!(["/articles", "/leads", "/scheduled_posts"][draw.index() % 3])
        }),
    ]
}

async fn rows(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    lists::ensure_rows(&context, list, 1).await?;
    let own = lists::page(&context, list, "limit=100").await?;
    let own = list.ids(demand::json(&own)?);
    ensure_met(!own.is_empty(), format!("{} has no row to look at", list.path))?;
    let other = context.send(list.page("limit=100").by(Credential::Other)).await?;
    demand::status(&other, 200)?;
    let body = demand::json(&other)?;
    let shared: Vec<String> = list.ids(body).into_iter().filter(|id| own.contains(id)).collect();
    ensure(shared.is_empty(), "no row in both accounts' lists", || shared.join(", "))?;
    let website = context.facts().website_id.as_str();
    let foreign = lists::rows(body).iter().find(|row| row["website_id"] == website);
    ensure(foreign.is_none(), "no row of the other account's website", || {
        foreign.map_or_else(String::new, demand::brief)
    })
}

async fn filter(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    lists::ensure_rows(&context, list, 1).await?;
    let query = format!("website_id={}", steps::segment(&context.facts().website_id));
    let other = context.send(list.page(&query).by(Credential::Other)).await?;
    demand::status(&other, 200)?;
    demand::same("items", &json!([]), &demand::json(&other)?["items"])?;
    let own = lists::page(&context, list, &query).await?;
    let body = demand::json(&own)?;
    let has_rows = !lists::rows(body).is_empty() || lists::next_of(body).is_some();
    ensure_met(has_rows, "the same filter shows no row to the website's own account")
}
