//! Lists show rows of the own account only.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Credential, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::lists;
use crate::steps::lists::List;

const SOURCE: &str = "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike";

const TWO: &[Capability] = &[Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("isolation.lists.rows", "Lists hold rows of the own account only.", SOURCE, rows)
            .needs(TWO)
            .drawn("every list", Cases::Exactly(4), |_, draw| json!(lists::LISTS[draw.index() % 4].path)),
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
    ]
}

async fn rows(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    lists::ensure_rows(&context, list, 1).await?;
    let own = lists::page(&context, list, "limit=100").await?;
    let own = list.ids(demand::json(&own)?);
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
    demand::same("items", &json!([]), &demand::json(&other)?["items"])
}
