//! The list of websites.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::lists;
use crate::steps::lists::List;

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "websites.list.own",
            "The list of websites shows the website under test with status active.",
            "openapi.yaml, list_websites",
            own_website,
        )
        .needs(ALL),
    ]
}

async fn own_website(context: Context, _: Value) -> Verdict {
    let page = lists::page(&context, List::named("/websites"), "limit=100").await?;
    let own = context.facts().website_id.as_str();
    let row = lists::rows(demand::json(&page)?).iter().find(|row| row["website_id"] == own);
    ensure(row.is_some_and(|row| row["status"] == "active"), format!("website {own} with status active"), || {
        demand::seen(&page)
    })
}
