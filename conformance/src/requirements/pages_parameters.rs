//! Query parameters of lists: bounds, formats, doubles, unknown ones.
//!
//! Page tokens are in `pages_tokens`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::{Cases, Requirement};
use super::steps_lists::{self, LISTS, List};
use super::verdict::Verdict;
use crate::strategies::Draw;

const ALL: &[Capability] = &[Capability::Articles, Capability::Leads, Capability::Pipeline, Capability::Websites];
const SOURCE: &str = "openapi.yaml, parameters";

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

/// Filters with a value that must be refused.
const BAD_FILTERS: [(&str, &str, &str); 13] = [
    ("/articles", "status", "no-such-state"),
    ("/articles", "status", "PUBLISHED"),
    ("/articles", "updated_since", "yesterday"),
    ("/articles", "updated_since", "2026-01-01"),
    ("/scheduled_posts", "status", "draft"),
    ("/leads", "captured_since", "2026-13-01T00%3A00%3A00Z"),
    ("/leads", "captured_until", "2026-01-01T00%3A00%3A00"),
    ("/leads", "captured_since", "1760000000"),
    ("/articles", "status", ""),
    ("/articles", "updated_since", ""),
    ("/scheduled_posts", "status", ""),
    ("/leads", "captured_since", ""),
    ("/leads", "captured_until", ""),
];

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "pages.limit.refused",
            "A limit outside 1 to 100 or no integer is refused with 422 that names the parameter limit.",
            "openapi.yaml, Limit",
            bad_limit,
        )
        .drawn("bad limits for every list", Cases::Exactly(48), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::must("pages.limit.edges", "The limits 1 and 100 are accepted.", "openapi.yaml, Limit", edges)
            .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path)),
        Requirement::must(
            "pages.filter.refused",
            "A status outside its vocabulary or a malformed time, also an empty one, is refused with 422 that names the parameter.",
            SOURCE,
            bad_filter,
        )
        .drawn("bad filters", Cases::Exactly(13), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::must(
            "pages.parameter.doubled",
            "A parameter given twice is refused with 422 that names it.",
            SOURCE,
            doubled,
        )
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path)),
        Requirement::must("pages.parameter.unknown", "Unknown parameters are ignored.", SOURCE, unknown).drawn(
            "every list",
            Cases::Exactly(4),
            |_, draw| json!(LISTS[draw.index() % 4].path),
        ),
        Requirement::must(
            "pages.range.reversed",
            "A range whose end lies before its beginning is an empty page.",
            "openapi.yaml, list_leads",
            reversed,
        ),
    ];
    all.into_iter().map(|requirement| requirement.needs(ALL)).collect()
}

fn index_of(case: &Value) -> usize {
    usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0)
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
        steps_lists::page(&context, list, &format!("limit={limit}")).await?;
    }
    Ok(())
}

async fn bad_filter(context: Context, case: Value) -> Verdict {
    let (path, parameter, value) = BAD_FILTERS[index_of(&case) % BAD_FILTERS.len()];
    let exchange = context.send(List::named(path).page(&format!("{parameter}={value}"))).await?;
    let codes: &[&str] = if value.is_empty() {
        &["invalid_format", "required", "too_short", "out_of_range"]
    } else {
        &["invalid_format", "out_of_range"]
    };
    demand::parameter_error(&exchange, parameter, codes)
}

async fn doubled(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    let exchange = context.send(list.page("limit=2&limit=2")).await?;
    let codes = ["invalid_format", "too_many", "out_of_range"];
    demand::parameter_error(&exchange, "limit", &codes)
}

async fn unknown(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    steps_lists::page(&context, list, "limit=1&colour=green&offset=7&page=3&Limit=0").await.map(|_| ())
}

async fn reversed(context: Context, _: Value) -> Verdict {
    let query = "captured_since=2020-01-02T00%3A00%3A00Z&captured_until=2020-01-01T00%3A00%3A00Z";
    let page = steps_lists::page(&context, List::named("/leads"), query).await?;
    demand::same("items", &json!([]), &demand::json(&page)?["items"])
}
