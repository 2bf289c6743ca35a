//! Walks through lists: nothing twice, nothing missing, also while rows arrive.
//!
//! Parameters are in `pages_parameters`, tokens in `pages_tokens`.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Exchange;
use super::header_fields;
use super::link;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::steps_articles;
use super::steps_lists::{self, ARTICLES, LISTS, List, POSTS};
use super::verdict::{Halt, Verdict, ensure};
use crate::strategies::Draw;

const ALL: &[Capability] = &[Capability::Articles, Capability::Leads, Capability::Pipeline, Capability::Websites];
const SOURCE: &str = "openapi.yaml, info.description, Paging";

/// Rows that a walk looks at before it stops.
const ROWS: usize = 24;

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "pages.walk.nothing-lost",
            "A walk with any limit gives the rows of the list in order: none twice, none missing.",
            SOURCE,
            nothing_lost,
        )
        .drawn("lists and limits", Cases::Divided(4), list_and_limit)
        .shrinks("/limit", |_, case| case["limit"].as_u64().is_some_and(|limit| (1..=100).contains(&limit))),
        Requirement::must(
            "pages.walk.rows-arriving",
            "A walk while rows arrive neither skips nor repeats what was there before.",
            SOURCE,
            rows_arriving,
        )
        .drawn("limits", Cases::Divided(16), |_, draw| json!(draw.below(4) + 1)),
        Requirement::must(
            "pages.walk.ends",
            "A walk ends: the last page has no next_page, and no row came twice.",
            SOURCE,
            ends,
        )
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path)),
        Requirement::must(
            "pages.limit.respected",
            "No page holds more rows than limit says; without a limit at most 20.",
            "openapi.yaml, Limit",
            respected,
        )
        .drawn("lists and limits", Cases::Divided(4), list_and_limit),
        Requirement::must("pages.order.newest-first", "Rows come newest first by creation.", SOURCE, newest_first)
            .drawn("lists with created_at", Cases::Exactly(2), |_, draw| {
                json!([ARTICLES.path, POSTS.path][draw.index() % 2])
            }),
        Requirement::must(
            "pages.link.next",
            "Where there is a next page, Link with rel=\"next\" holds the same address as next_page.",
            "RFC 8288, section 3; openapi.yaml, Link",
            link,
        )
        .drawn("lists that can hold several rows", Cases::Exactly(2), |_, draw| {
            json!([ARTICLES.path, POSTS.path][draw.index() % 2])
        }),
        Requirement::must(
            "pages.filter.website",
            "With website_id only rows of that website come; an unknown one gives an empty page.",
            "openapi.yaml, WebsiteFilter",
            website,
        )
        .drawn("lists with that filter", Cases::Exactly(3), |_, draw| {
            json!(["/articles", "/leads", "/scheduled_posts"][draw.index() % 3])
        }),
        Requirement::must(
            "pages.filter.status",
            "With status only rows of that status come.",
            "openapi.yaml, list_articles and list_scheduled_posts",
            status,
        )
        .drawn("lists and states", Cases::Exactly(8), |_, draw| json!(draw.index())),
        Requirement::must(
            "websites.list.own",
            "The list of websites holds the website under test, active.",
            "openapi.yaml, list_websites",
            own_website,
        ),
    ];
    all.into_iter().map(|requirement| requirement.needs(ALL)).collect()
}

fn list_and_limit(_: &crate::strategies::Space, draw: &mut Draw) -> Value {
    let list = LISTS[draw.index() % 4];
    json!({ "list": list.path, "limit": draw.below(9) + 1 })
}

fn list_of(case: &Value) -> List {
    List::named(case.as_str().or_else(|| case["list"].as_str()).unwrap_or_default())
}

fn no_repeats(context: &Context, list: List, ids: &[String]) -> Verdict {
    let mut seen = BTreeSet::new();
    let Some(repeated) = ids.iter().find(|id| !seen.insert(*id)) else {
        return Ok(());
    };
    Err(steps_lists::shown_by_page(context, list, repeated, Halt::fail("every row once", format!("{repeated} twice"))))
}

/// What was walked, without what arrived later, must be the beginning of what was there before.
pub(super) fn same_rows(context: &Context, list: List, before: &[String], walked: &[String]) -> Verdict {
    no_repeats(context, list, walked)?;
    let old: Vec<&String> = walked.iter().filter(|id| before.contains(id)).collect();
    let expected: Vec<&String> = before.iter().take(old.len()).collect();
    let Some((seen, wanted)) = old.iter().zip(&expected).find(|(seen, wanted)| seen != wanted) else {
        return Ok(());
    };
    let fault = Halt::fail(
        "the rows that were there before, in their order, none missing",
        format!("{seen} where {wanted} should come"),
    );
    Err(steps_lists::shown_by_page(context, list, seen, fault))
}

async fn nothing_lost(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    let limit = usize::try_from(case["limit"].as_u64().unwrap_or(1)).unwrap_or(1).max(1);
    steps_lists::ensure_rows(&context, list, 6).await?;
    let whole = steps_lists::page(&context, list, "limit=100").await?;
    let before = list.ids(demand::json(&whole)?);
    let pages = ROWS.div_ceil(limit);
    let (walked, ended) = steps_lists::walk(&context, list, &format!("limit={limit}"), pages).await?;
    same_rows(&context, list, &before, &walked)?;
    let enough = walked.len() >= before.len().min(ROWS) || !ended;
    ensure(enough, format!("{} rows before the walk ends", before.len()), || walked.len().to_string())
}

async fn rows_arriving(context: Context, limit: Value) -> Verdict {
    steps_lists::ensure_rows(&context, POSTS, 10).await?;
    let whole = steps_lists::page(&context, POSTS, "limit=100").await?;
    let before = POSTS.ids(demand::json(&whole)?);
    let query = format!("limit={limit}");
    let mut walked = Vec::new();
    let mut next = query.clone();
    for _ in 0..10 {
        let page = steps_lists::page(&context, POSTS, &next).await?;
        let body = demand::json(&page)?;
        walked.extend(POSTS.ids(body));
        let Some(token) = steps_lists::next_of(body) else {
            break;
        };
        next = steps_lists::with_token(&query, token);
        let queued = context.send(steps::generate(&steps::quiet_request(&context, "A row that arrives"))).await?;
        demand::success(&queued)?;
        steps::discard(&context, &queued).await?;
    }
    same_rows(&context, POSTS, &before, &walked)
}

async fn ends(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    let (ids, ended) = steps_lists::walk(&context, list, "limit=100", 60).await?;
    no_repeats(&context, list, &ids)?;
    if ended {
        return Ok(());
    }
    // Pages may be empty before the end, but not for ever.
    let (further, ended) = steps_lists::walk(&context, list, "limit=100", 120).await?;
    let goes_on = ended || further.len() > ids.len();
    ensure(goes_on, "a walk that ends when there are no more rows", || format!("60 more pages after {}", ids.len()))?;
    Err(Halt::inconclusive("the list has more than 60 pages of 100"))
}

async fn respected(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    steps_lists::ensure_rows(&context, list, 4).await?;
    let limit = case["limit"].as_u64().unwrap_or(1);
    for (query, maximum) in [(format!("limit={limit}"), limit), (String::new(), 20)] {
        let page = steps_lists::page(&context, list, &query).await?;
        let count = steps_lists::rows(demand::json(&page)?).len() as u64;
        ensure(count <= maximum, format!("at most {maximum} rows"), || count.to_string())?;
    }
    Ok(())
}

async fn newest_first(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    steps_lists::ensure_rows(&context, list, 3).await?;
    let page = steps_lists::page(&context, list, "limit=100").await?;
    let rows = steps_lists::rows(demand::json(&page)?);
    let times: Vec<&str> = rows.iter().filter_map(|row| row["created_at"].as_str()).collect();
    let sorted = times.windows(2).find(|pair| pair[0] < pair[1]);
    ensure(sorted.is_none(), "created_at that never grows down the page", || format!("{sorted:?}"))
}

async fn link(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    steps_lists::ensure_rows(&context, list, 3).await?;
    let mut page = steps_lists::page(&context, list, "limit=1").await?;
    // The second page as the first: its address has a token already.
    for _ in 0..2 {
        page = followed(&context, list, &page).await?;
    }
    Ok(())
}

/// The page behind `page`, which its Link leads to as well.
async fn followed(context: &Context, list: List, page: &Exchange) -> Result<Arc<Exchange>, Halt> {
    let Some(token) = steps_lists::next_of(demand::json(page)?) else {
        return Err(Halt::inconclusive("the list has too few rows"));
    };
    let by_token = steps_lists::page(context, list, &steps_lists::with_token("limit=1", token)).await?;
    let header = demand::header(page, "link")?;
    let links = header_fields::joined(&page.headers, "link");
    let target = link::target(&links, "next").ok_or_else(|| Halt::fail("Link: <…>; rel=\"next\"", header))?;
    let mut request = list.page("");
    request.path = steps::local_path(context, &page.request.path, &target)?;
    let by_link = context.send(request).await?;
    demand::status(&by_link, 200)?;
    let wanted = json!(list.ids(demand::json(&by_token)?));
    demand::same("the rows behind Link", &wanted, &json!(list.ids(demand::json(&by_link)?)))?;
    Ok(by_token)
}

async fn website(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    steps_lists::ensure_rows(&context, list, 1).await?;
    let own = context.facts().website_id.as_str();
    let page = steps_lists::page(&context, list, &format!("limit=100&website_id={}", steps::segment(own))).await?;
    let foreign = steps_lists::rows(demand::json(&page)?).iter().find(|row| row["website_id"] != own);
    ensure(foreign.is_none(), "rows of that website only", || foreign.map_or_else(String::new, demand::brief))?;
    let empty = steps_lists::page(&context, list, "website_id=web_unknown_to_everyone").await?;
    demand::same("items", &json!([]), &demand::json(&empty)?["items"])
}

async fn status(context: Context, case: Value) -> Verdict {
    let filters = [
        (ARTICLES, "draft"),
        (ARTICLES, "published"),
        (ARTICLES, "scheduled"),
        (ARTICLES, "archived"),
        (POSTS, "queued"),
        (POSTS, "ready"),
        (POSTS, "published"),
        (POSTS, "cancelled"),
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % filters.len();
    let (list, status) = filters[index];
    steps_lists::ensure_rows(&context, list, 1).await?;
    if status == "published" && context.facts().capabilities.contains(&Capability::Jobs) {
        // A list that shows a row as it was created does so only with rows that have changed since.
        steps_articles::published(&context, "Labels for a shelf").await?;
    }
    let page = steps_lists::page(&context, list, &format!("limit=50&status={status}")).await?;
    let other = steps_lists::rows(demand::json(&page)?).iter().find(|row| row["status"] != status);
    ensure(other.is_none(), format!("rows with status {status} only"), || other.map_or_else(String::new, demand::brief))
}

async fn own_website(context: Context, _: Value) -> Verdict {
    let page = steps_lists::page(&context, List::named("/websites"), "limit=100").await?;
    let own = context.facts().website_id.as_str();
    let row = steps_lists::rows(demand::json(&page)?).iter().find(|row| row["website_id"] == own);
    ensure(row.is_some_and(|row| row["status"] == "active"), format!("website {own} with status active"), || {
        demand::seen(&page)
    })
}
