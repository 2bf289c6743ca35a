//! Query parameters that are doubled or unknown.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::draws::index_of;
use crate::steps::lists;
use crate::steps::lists::{LISTS, List, POSTS};
use crate::strategies::Draw;

const SOURCE: &str = "openapi.yaml, parameters";

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

/// Lists with a filter that may be given twice, and a value for it.
const DOUBLED: [(&str, &str, &str); 7] = [
    ("/articles", "status", "draft"),
    ("/articles", "updated_since", "2001-01-01T00%3A00%3A00Z"),
    ("/scheduled_posts", "status", "ready"),
    ("/scheduled_posts", "website_id", "{website_id}"),
    ("/leads", "captured_since", "2001-01-01T00%3A00%3A00Z"),
    ("/leads", "article_id", "art_unknown_to_everyone"),
    ("/scheduled_posts", "page_token", "{page_token}"),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.parameter.doubled-filter",
            "A filter or page token given twice is refused with 422 that names it.",
            SOURCE,
            doubled_filter,
        )
        .needs(ALL)
        .drawn("every filter", Cases::Exactly(7), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::must(
            "pages.parameter.doubled",
            "A parameter given twice is refused with 422 that names it.",
            SOURCE,
            doubled,
        )
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path))
        .needs(ALL),
        Requirement::must("pages.parameter.unknown", "Unknown parameters are ignored.", SOURCE, unknown)
            .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path))
            .needs(ALL),
    ]
}

async fn doubled_filter(context: Context, case: Value) -> Verdict {
    let (path, parameter, value) = DOUBLED[index_of(&case) % DOUBLED.len()];
    let mut value = value.replace("{website_id}", &steps::segment(&context.facts().website_id));
    if parameter == "page_token" {
        lists::ensure_rows(&context, POSTS, 2).await?;
        let page = lists::page(&context, POSTS, "limit=1").await?;
        value = lists::next_of(demand::json(&page)?).map(steps::segment).unwrap_or_default();
    }
    let exchange = context.send(List::named(path).page(&format!("{parameter}={value}&{parameter}={value}"))).await?;
    demand::parameter_error(&exchange, parameter, &["invalid_format", "too_many", "out_of_range"])
}

async fn doubled(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    let exchange = context.send(list.page("limit=2&limit=2")).await?;
    let codes = ["invalid_format", "too_many", "out_of_range"];
    demand::parameter_error(&exchange, "limit", &codes)
}

async fn unknown(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    lists::page(&context, list, "limit=1&colour=green&offset=7&page=3&Limit=0").await.map(|_| ())
}
