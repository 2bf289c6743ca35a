//! Query parameters that are doubled or unknown.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps::control;
use crate::steps::draws::index_of;
use crate::steps::lists::{LISTS, List, POSTS};
use crate::steps::{self, lists};
use crate::strategies::Draw;

const SOURCE: &str = "openapi.yaml, parameters";

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

/// Lists with a filter that may be given twice, and a value for it.
const DOUBLED: [(&str, &str, &str); 8] = [
    ("/articles", "status", "draft"),
    ("/articles", "updated_since", "2001-01-01T00%3A00%3A00Z"),
    ("/scheduled_posts", "status", "ready"),
    ("/scheduled_posts", "website_id", "{website_id}"),
    ("/leads", "captured_since", "2001-01-01T00%3A00%3A00Z"),
    ("/leads", "updated_since", "2001-01-01T00%3A00%3A00Z"),
    ("/leads", "article_id", "art_unknown_to_everyone"),
    ("/scheduled_posts", "page_token", "{page_token}"),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.parameter.doubled-filter",
            "A filter or page token that is given twice is answered 422 that names the parameter.",
            SOURCE,
            doubled_filter,
        )
        .needs(ALL)
        .drawn("every filter", Cases::Exactly(8), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::must(
            "pages.parameter.doubled",
            "A limit that is given twice is answered 422 that names the parameter.",
            SOURCE,
            doubled,
        )
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path))
        .needs(ALL),
        Requirement::must(
            "pages.parameter.meaningless",
            "limit is written in the digits 0 to 9 and nothing else, and an empty page token is none that was given out: both are refused.",
            SOURCE,
            meaningless,
        )
        .needs(ALL)
        .drawn("values without a meaning, for every list", Cases::Exactly(16), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::must("pages.parameter.unknown", "Unknown query parameters are ignored.", SOURCE, unknown)
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
    let list = List::named(path);
    let exchange = context.send(list.page(&format!("{parameter}={value}&{parameter}={value}"))).await?;
    demand::parameter_error(&exchange, parameter, &["invalid_format", "too_many", "out_of_range"])?;
    control::accepted(&context, list.page(&format!("{parameter}={value}"))).await
}

async fn doubled(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    let exchange = context.send(list.page("limit=2&limit=2")).await?;
    let codes = ["invalid_format", "too_many", "out_of_range"];
    demand::parameter_error(&exchange, "limit", &codes)?;
    control::listed(&context, list).await
}

async fn unknown(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    lists::page(&context, list, "limit=1&colour=green&offset=7&page=3&Limit=0").await.map(|_| ())
}

/// Five in the digits of other scripts, and grouped digits: what languages read as numbers, and the document does not.
const NO_LIMITS: [&str; 3] = ["%D9%A5", "%E0%A5%AB", "1_0"];

async fn meaningless(context: Context, case: Value) -> Verdict {
    let index = index_of(&case);
    let list = LISTS[index % LISTS.len()];
    let Some(limit) = NO_LIMITS.get(index / LISTS.len()) else {
        demand::problem(&*context.send(list.page("page_token=")).await?, 400, &["invalid_page_token"])?;
        return control::listed(&context, list).await;
    };
    let exchange = context.send(list.page(&format!("limit={limit}"))).await?;
    demand::parameter_error(&exchange, "limit", &["invalid_format"])?;
    control::listed(&context, list).await
}
