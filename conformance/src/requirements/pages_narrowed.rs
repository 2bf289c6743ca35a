//! Lists that were narrowed: tokens keep the filters, parameters keep their bounds, the last page leads nowhere.
//!
//! The first such checks are in `pages_filters` and `pages_parameters`.

use std::time::Duration;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::header_fields;
use super::leads;
use super::link;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::steps_articles;
use super::steps_capture::{self, captured};
use super::steps_lists::{self, ARTICLES, LISTS, List, POSTS};
use super::verdict::{Halt, Verdict, ensure};
use crate::strategies::Draw;

const ALL: &[Capability] = &[Capability::Articles, Capability::Leads, Capability::Pipeline, Capability::Websites];
const TIMES: &[Capability] = &[Capability::Articles, Capability::Leads, Capability::Capture, Capability::Jobs];
const FORM: &[Capability] = &[Capability::Leads, Capability::LeadForm, Capability::Jobs];
const SOURCE: &str = "openapi.yaml, parameters";
const TOKEN: &str = "openapi.yaml, PageToken";

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

/// Lists with a filter by id.
const BY_ID: [(&str, &str); 4] = [
    ("/articles", "website_id"),
    ("/scheduled_posts", "website_id"),
    ("/leads", "website_id"),
    ("/leads", "article_id"),
];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.token.carries-times",
            "A page token carries the filters by time of its first page: the token alone goes on with the same rows.",
            TOKEN,
            carries_times,
        )
        .needs(TIMES)
        .drawn("lists with that filter", Cases::Exactly(2), |_, draw| json!(["/articles", "/leads"][draw.index() % 2])),
        Requirement::must(
            "pages.token.carries-article",
            "A page token carries the article of its first page: the token alone goes on with that article's leads.",
            TOKEN,
            carries_article,
        )
        .needs(FORM)
        .background(),
        Requirement::must(
            "pages.parameter.doubled-filter",
            "A filter or page token given twice is refused with 422 that names it.",
            SOURCE,
            doubled,
        )
        .needs(ALL)
        .drawn("every filter", Cases::Exactly(7), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::must(
            "pages.filter.id-bounds",
            "An id to filter by has 1 to 128 code points: without one or with more it is refused with 422 that names it.",
            SOURCE,
            id_bounds,
        )
        .needs(ALL)
        .drawn("every filter by id", Cases::Exactly(4), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::must(
            "pages.filter.vocabulary",
            "Every status of the vocabulary can be filtered by, whether or not anything has it.",
            "openapi.yaml, ArticleStatusFilter and ScheduledPostStatusFilter",
            vocabulary,
        )
        .needs(ALL),
        Requirement::must(
            "pages.link.last",
            "Link names the next page where there is one: the last page has none.",
            "openapi.yaml, Link",
            last_link,
        )
        .needs(ALL)
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path)),
    ]
}

fn index_of(case: &Value) -> usize {
    usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0)
}

/// Three rows, oldest first, each later than the one before.
async fn three(context: &Context, list: List) -> Result<Vec<Value>, Halt> {
    let mut rows = Vec::new();
    for _ in 0..3 {
        rows.push(if list.path == "/leads" {
            let email = format!("{}@example.com", context.fresh("narrowed"));
            leads::captured(context, &email, "Robin Narrow", "one of three").await?
        } else {
            let (_, article) = steps::written(context, &steps::quiet_request(context, "Folding a napkin")).await?;
            demand::json(&article)?.clone()
        });
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(rows)
}

/// The ids on the pages behind the first one of `query`, which has one row, by the token alone.
async fn behind_first(context: &Context, list: List, query: &str) -> Result<Vec<String>, Halt> {
    let first = steps_lists::page(context, list, &format!("limit=1&{query}")).await?;
    let Some(token) = steps_lists::next_of(demand::json(&first)?) else {
        return Err(Halt::fail("a next_page behind one of several rows", demand::seen(&first)));
    };
    let mut token = token.to_owned();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let page = steps_lists::page(context, list, &steps_lists::with_token("limit=100", &token)).await?;
        let body = demand::json(&page)?;
        ids.extend(list.ids(body));
        match steps_lists::next_of(body) {
            Some(next) => next.clone_into(&mut token),
            None => break,
        }
    }
    Ok(ids)
}

async fn carries_times(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    let (filter, member) =
        if list.path == "/leads" { ("captured_since", "captured_at") } else { ("updated_since", "updated_at") };
    let rows = three(&context, list).await?;
    if rows[0][member] == rows[1][member] {
        return Err(Halt::inconclusive("rows of one moment"));
    }
    let since = steps::segment(demand::text(&rows[1], member)?);
    let ids = behind_first(&context, list, &format!("{filter}={since}")).await?;
    let [before, from] = [0, 1].map(|at| rows[at]["id"].as_str().unwrap_or_default().to_owned());
    ensure(ids.contains(&from), format!("the row of {filter}={since} behind the first page"), || ids.join(", "))?;
    ensure(!ids.contains(&before), format!("nothing older than {filter}={since}"), || before)
}

async fn carries_article(context: Context, _: Value) -> Verdict {
    let other = context.fresh("elsewhere");
    captured(&context, &other, &json!({ "email": format!("{other}@example.com") })).await?;
    let article = steps_articles::published(&context, "Reading a rain gauge").await?;
    let id = demand::text(&article, "id")?;
    let marker = context.fresh("reader");
    for number in 0..3 {
        let email = format!("{number}-{marker}@example.com");
        steps_capture::taken(&context, &json!({ "email": email, "article_id": id })).await?;
    }
    let own = steps_capture::awaited(&context, &marker, 3).await?;
    let ids = behind_first(&context, List::named("/leads"), &format!("article_id={}", steps::segment(id))).await?;
    let own: Vec<&str> = own.iter().skip(1).filter_map(|lead| lead["id"].as_str()).collect();
    ensure(ids == own, "the article's other leads", || format!("{} rows: {}", ids.len(), ids.join(", ")))
}

async fn doubled(context: Context, case: Value) -> Verdict {
    let (path, parameter, value) = DOUBLED[index_of(&case) % DOUBLED.len()];
    let mut value = value.replace("{website_id}", &steps::segment(&context.facts().website_id));
    if parameter == "page_token" {
        steps_lists::ensure_rows(&context, POSTS, 2).await?;
        let page = steps_lists::page(&context, POSTS, "limit=1").await?;
        value = steps_lists::next_of(demand::json(&page)?).map(steps::segment).unwrap_or_default();
    }
    let exchange = context.send(List::named(path).page(&format!("{parameter}={value}&{parameter}={value}"))).await?;
    demand::parameter_error(&exchange, parameter, &["invalid_format", "too_many", "out_of_range"])
}

async fn id_bounds(context: Context, case: Value) -> Verdict {
    let (path, parameter) = BY_ID[index_of(&case) % BY_ID.len()];
    let list = List::named(path);
    let longest = steps::segment(&"\u{1f4da}".repeat(128));
    let page = steps_lists::page(&context, list, &format!("{parameter}={longest}")).await?;
    demand::same("items", &json!([]), &demand::json(&page)?["items"])?;
    let too_long = ["too_long", "invalid_format", "out_of_range"];
    let too_short = ["too_short", "invalid_format", "required", "out_of_range"];
    for (value, codes) in [("a".repeat(129), &too_long[..]), (String::new(), &too_short[..])] {
        let exchange = context.send(list.page(&format!("{parameter}={value}"))).await?;
        demand::parameter_error(&exchange, parameter, codes)?;
    }
    Ok(())
}

async fn vocabulary(context: Context, _: Value) -> Verdict {
    let articles = ["draft", "scheduled", "published", "archived"].map(|status| (ARTICLES, status));
    let entries = ["queued", "generating", "ready", "scheduled", "publishing", "published", "failed", "cancelled"];
    for (list, status) in articles.into_iter().chain(entries.map(|status| (POSTS, status))) {
        steps_lists::page(&context, list, &format!("limit=1&status={status}")).await?;
    }
    Ok(())
}

async fn last_link(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    // Nothing has this id, so that the first page is the last one; websites are few.
    let query = match list.path {
        "/websites" => "limit=100".to_owned(),
        _ => format!("website_id={}", context.fresh("nobody")),
    };
    let page = steps_lists::page(&context, list, &query).await?;
    if steps_lists::next_of(demand::json(&page)?).is_some() {
        return Err(Halt::inconclusive("more pages follow"));
    }
    let links = header_fields::joined(&page.headers, "link");
    let next = link::target(&links, "next");
    ensure(next.is_none(), "no Link with rel=\"next\" on the last page", || links.clone())
}
