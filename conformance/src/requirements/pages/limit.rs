//! How many rows a page holds.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps::draws::index_of;
use crate::steps::lists;
use crate::steps::lists::{LISTS, List, POSTS};
use crate::steps::pages::{list_and_limit, list_of};
use crate::strategies::Draw;

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

const PIPELINE: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

/// Rows of a page when nothing is asked.
const DEFAULT: usize = 20;

/// Values of `limit` that must be refused, with the codes that may name them.
const BAD_LIMITS: [(&str, &[&str]); 12] = [
    ("0", &["out_of_range"]),
    ("101", &["out_of_range"]),
    ("-1", &["out_of_range", "invalid_format"]),
    ("4294967297", &["out_of_range", "invalid_format"]),
    ("99999999999999999999999", &["out_of_range", "invalid_format"]),
    ("1.0", &["invalid_format"]),
    ("1e1", &["invalid_format"]),
    ("abc", &["invalid_format"]),
    ("", &["invalid_format", "required", "too_short", "out_of_range"]),
    ("%2010", &["invalid_format"]),
    ("0x10", &["invalid_format"]),
    ("null", &["invalid_format"]),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.limit.respected",
            "No page holds more rows than limit says; without a limit at most 20.",
            "openapi.yaml, Limit",
            respected,
        )
        .drawn("lists and limits", Cases::Divided(4), list_and_limit)
        .needs(ALL),
        Requirement::must(
            "pages.limit.default",
            "Without limit a page holds at most 20 rows, also of a longer list.",
            "openapi.yaml, Limit",
            default_limit,
        )
        .needs(PIPELINE),
        Requirement::must(
            "pages.limit.refused",
            "A limit outside 1 to 100 or no integer is refused with 422 that names the parameter limit.",
            "openapi.yaml, Limit",
            bad_limit,
        )
        .drawn("bad limits for every list", Cases::Exactly(48), |_, draw: &mut Draw| json!(draw.index()))
        .needs(ALL),
        Requirement::must("pages.limit.edges", "The limits 1 and 100 are accepted.", "openapi.yaml, Limit", edges)
            .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path))
            .needs(ALL),
    ]
}

async fn respected(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    lists::ensure_rows(&context, list, 4).await?;
    let limit = case["limit"].as_u64().unwrap_or(1);
    for (query, maximum) in [(format!("limit={limit}"), limit), (String::new(), 20)] {
        let page = lists::page(&context, list, &query).await?;
        let count = lists::rows(demand::json(&page)?).len() as u64;
        ensure(count <= maximum, format!("at most {maximum} rows"), || count.to_string())?;
    }
    Ok(())
}

async fn default_limit(context: Context, _: Value) -> Verdict {
    lists::ensure_rows(&context, POSTS, DEFAULT + 5).await?;
    let page = lists::page(&context, POSTS, "").await?;
    let count = lists::rows(demand::json(&page)?).len();
    ensure(count <= DEFAULT, format!("at most {DEFAULT} rows"), || count.to_string())
}

async fn bad_limit(context: Context, case: Value) -> Verdict {
    let index = index_of(&case);
    let list = LISTS[index % LISTS.len()];
    let (value, codes) = BAD_LIMITS[index / LISTS.len() % BAD_LIMITS.len()];
    let exchange = context.send(list.page(&format!("limit={value}"))).await?;
    demand::parameter_error(&exchange, "limit", codes)
}

async fn edges(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    for limit in [1, 100] {
        lists::page(&context, list, &format!("limit={limit}")).await?;
    }
    Ok(())
}
