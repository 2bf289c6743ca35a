//! Time ranges that end before they begin.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure_met};
use crate::steps::lists;
use crate::steps::lists::List;

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pages.range.reversed",
            "A time range that ends before it begins gives an empty page.",
            &[Sentence("A time before `captured_since` gives an empty page.")],
            reversed,
        )
        .needs(ALL),
    ]
}

async fn reversed(context: Context, _: Value) -> Verdict {
    let query = "captured_since=2020-01-02T00%3A00%3A00Z&captured_until=2020-01-01T00%3A00%3A00Z";
    let page = lists::page(&context, List::named("/leads"), query).await?;
    demand::same("items", &json!([]), &demand::json(&page)?["items"])?;
    lists::ensure_rows(&context, List::named("/leads"), 1).await?;
    let query = "captured_since=2001-01-01T00%3A00%3A00Z&captured_until=2199-01-01T00%3A00%3A00Z";
    let page = lists::page(&context, List::named("/leads"), query).await?;
    let body = demand::json(&page)?;
    let has_rows = !lists::rows(body).is_empty() || lists::next_of(body).is_some();
    ensure_met(has_rows, "a range that ends after it begins has no lead either")
}
