//! Lists, their limits and their rows.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Verdict, demand, ensure};
use crate::steps::lists::{ARTICLES, LISTS, List, POSTS};
use crate::steps::{articles, lists};
use crate::strategies::Draw;

pub(crate) fn list_and_limit(_: &crate::strategies::Space, draw: &mut Draw) -> Value {
    let list = LISTS[draw.index() % 4];
    json!({ "list": list.path, "limit": draw.below(9) + 1 })
}

pub(crate) fn list_of(case: &Value) -> List {
    List::named(case.as_str().or_else(|| case["list"].as_str()).unwrap_or_default())
}

pub(crate) async fn status(context: Context, case: Value) -> Verdict {
    let filters = [
        (ARTICLES, "draft"),
        (ARTICLES, "published"),
        (ARTICLES, "scheduled"),
        (ARTICLES, "archived"),
        (POSTS, "queued"),
        (POSTS, "ready"),
        (POSTS, "published"),
        (POSTS, "cancelled"),
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % filters.len();
    let (list, status) = filters[index];
    lists::ensure_rows(&context, list, 1).await?;
    if status == "published" && context.facts().capabilities.contains(&Capability::JOBS) {
        // A list that shows a row as it was created does so only with rows that have changed since.
        articles::published(&context, "Labels for a shelf").await?;
    }
    let page = lists::page(&context, list, &format!("limit=50&status={status}")).await?;
    let other = lists::rows(demand::json(&page)?).iter().find(|row| row["status"] != status);
    ensure(other.is_none(), format!("rows with status {status} only"), || other.map_or_else(String::new, demand::brief))
}
