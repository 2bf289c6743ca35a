//! Query parameters: any valid ones together, and those that are repeated, unknown or meaningless.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{About as _, Capability, Cases, Context, Requirement, Verdict, demand, ensure_met};
use crate::steps::draws::index_of;
use crate::steps::lists::{LISTS, List, POSTS, list_of};
use crate::steps::{self, control, lists};
use crate::strategies::{Draw, Space};

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

/// Lists with a parameter to send twice, and its value.
const DOUBLED: [(&str, &str, &str); 12] = [
    ("/articles", "limit", "2"),
    ("/leads", "limit", "2"),
    ("/scheduled_posts", "limit", "2"),
    ("/websites", "limit", "2"),
    ("/articles", "status", "draft"),
    ("/articles", "updated_since", "2001-01-01T00%3A00%3A00Z"),
    ("/scheduled_posts", "status", "ready"),
    ("/scheduled_posts", "website_id", "{website_id}"),
    ("/leads", "captured_since", "2001-01-01T00%3A00%3A00Z"),
    ("/leads", "updated_since", "2001-01-01T00%3A00%3A00Z"),
    ("/leads", "article_id", "art_unknown_to_everyone"),
    ("/scheduled_posts", "page_token", "{page_token}"),
];

/// Digits of other scripts and grouped digits. Some programming languages read them as numbers.
const NO_LIMITS: [&str; 3] = ["%D9%A5", "%E0%A5%AB", "1_0"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pages.parameter.any-valid",
            "Each list accepts all of its parameters together, each with any valid value, and returns a page that matches its schema.",
            &[
                Part("/paths/~1api~1v1~1articles/get/parameters"),
                Part("/paths/~1api~1v1~1leads/get/parameters"),
                Part("/paths/~1api~1v1~1scheduled_posts/get/parameters"),
                Part("/paths/~1api~1v1~1websites/get/parameters"),
                Sentence("An unknown or foreign id gives an empty page."),
                Sentence("A time before `captured_since` gives an empty page."),
                Sentence("Times in requests may have any zone."),
            ],
            any_valid,
        )
        .needs(ALL)
        .drawn("every list with any of its parameters", Cases::Divided(2), list_and_query),
        Requirement::new(
            "pages.parameter.doubled",
            "A limit or a filter that is given twice should get 422 with the name of the parameter; a page token 422 or 400.",
            &[Sentence("A query parameter that is given twice should be refused with 422.")],
            doubled,
        )
        .should()
        .needs(ALL)
        .drawn("every parameter", Cases::Exactly(12), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::new(
            "pages.parameter.meaningless",
            "A limit in other characters than the digits 0 to 9 is refused. An empty page token is refused or gives the first page.",
            &[
                Part("/components/parameters/Limit/schema"),
                Sentence(
                    "An integer is written in the digits 0 to 9, without fraction and exponent: `1200`, never `1200.0` or `1.2e3`.",
                ),
                Sentence("The page token is unknown, expired, or has other filters."),
            ],
            meaningless,
        )
        .needs(ALL)
        .drawn("values without a meaning, for every list", Cases::Exactly(16), |_, draw: &mut Draw| {
            json!(draw.index())
        }),
        Requirement::new(
            "pages.parameter.unknown",
            "Unknown query parameters are ignored.",
            &[Sentence("In requests the service ignores unknown fields and unknown query parameters.")],
            unknown,
        )
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path))
        .needs(ALL),
        Requirement::new(
            "pages.range.reversed",
            "A time range that ends before it begins gives an empty page.",
            &[Sentence("A time before `captured_since` gives an empty page.")],
            reversed,
        )
        .needs(ALL),
    ]
}

/// Draws a list and the parameters of a request for a page.
fn list_and_query(space: &Space, draw: &mut Draw) -> Value {
    let list = LISTS[draw.index() % LISTS.len()];
    json!({ "list": list.path, "query": space.list_query(list.operation, draw) })
}

async fn any_valid(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    let written = |(name, value): (&String, &Value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        format!("{name}={}", steps::segment(&text))
    };
    let query: Vec<String> = case["query"].as_object().into_iter().flatten().map(written).collect();
    let page = lists::page(&context, list, &query.join("&")).await?;
    let schema = context.document().operation(list.operation).and_then(|operation| operation.answer_schema(200));
    demand::schema(&context, demand::json(&page)?, schema.unwrap_or_default()).about(&page)
}

async fn doubled(context: Context, case: Value) -> Verdict {
    let (path, parameter, value) = DOUBLED[index_of(&case) % DOUBLED.len()];
    let mut value = value.replace("{website_id}", &steps::segment(&context.facts().website_id));
    if parameter == "page_token" {
        lists::ensure_rows(&context, POSTS, 2).await?;
        let page = lists::page(&context, POSTS, "limit=1").await?;
        value = lists::next_of(demand::json(&page)?).map(steps::segment).unwrap_or_default();
    }
    let list = List::named(path);
    let exchange = context.send(list.page(&format!("{parameter}={value}&{parameter}={value}"))).await?;
    if parameter == "page_token" && exchange.status == 400 {
        demand::problem(&exchange, 400, &["invalid_page_token"])?;
    } else {
        demand::parameter_error(&exchange, parameter, &["invalid_format", "too_many", "out_of_range"])?;
    }
    control::accepted(&context, list.page(&format!("{parameter}={value}"))).await
}

async fn unknown(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    lists::page(&context, list, "limit=1&colour=green&offset=7&page=3").await.map(|_| ())
}

async fn meaningless(context: Context, case: Value) -> Verdict {
    let index = index_of(&case);
    let list = LISTS[index % LISTS.len()];
    let Some(limit) = NO_LIMITS.get(index / LISTS.len()) else {
        let exchange = context.send(list.page("page_token=")).await?;
        if exchange.status == 200 {
            return lists::is_page(&exchange);
        }
        demand::problem(&exchange, 400, &["invalid_page_token"])?;
        return control::listed(&context, list).await;
    };
    let exchange = context.send(list.page(&format!("limit={limit}"))).await?;
    demand::parameter_error(&exchange, "limit", &["invalid_format"])?;
    control::listed(&context, list).await
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
