//! Lists come newest first.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::lists;
use crate::steps::lists::{ARTICLES, POSTS};
use crate::steps::pages::list_of;

const SOURCE: &str = "openapi.yaml, info.description, Paging";

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.order.newest-first",
            "Lists are sorted by created_at, newest first.",
            SOURCE,
            newest_first,
        )
        .drawn("lists with created_at", Cases::Exactly(2), |_, draw| {
            json!([ARTICLES.path, POSTS.path][draw.index() % 2])
        })
        .needs(ALL),
    ]
}

async fn newest_first(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    lists::ensure_rows(&context, list, 3).await?;
    let page = lists::page(&context, list, "limit=100").await?;
    let rows = lists::rows(demand::json(&page)?);
    let times: Vec<&str> = rows.iter().filter_map(|row| row["created_at"].as_str()).collect();
    let sorted = times.windows(2).find(|pair| pair[0] < pair[1]);
    ensure(sorted.is_none(), "created_at that never grows down the page", || format!("{sorted:?}"))?;
    ensure_met(times.len() > 1, "the page has no two rows to compare")
}
