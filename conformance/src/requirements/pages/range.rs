//! A range that ends before it begins.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::lists;
use crate::steps::lists::List;

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.range.reversed",
            "A range whose end lies before its beginning is an empty page.",
            "openapi.yaml, list_leads",
            reversed,
        )
        .needs(ALL),
    ]
}

async fn reversed(context: Context, _: Value) -> Verdict {
    let query = "captured_since=2020-01-02T00%3A00%3A00Z&captured_until=2020-01-01T00%3A00%3A00Z";
    let page = lists::page(&context, List::named("/leads"), query).await?;
    demand::same("items", &json!([]), &demand::json(&page)?["items"])
}
