//! Page tokens: opaque, protected, bound to their list and filters.
//!
//! Walks are in `pages`; tokens of other accounts in `isolation`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::{Cases, Requirement};
use super::steps_lists::{self, ARTICLES, LISTS, POSTS};
use super::verdict::{Halt, Verdict, ensure};
use crate::strategies::Draw;

const ALL: &[Capability] = &[Capability::Articles, Capability::Leads, Capability::Pipeline, Capability::Websites];
const SOURCE: &str = "openapi.yaml, PageToken";

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "pages.token.made-up",
            "A token that the server did not give out is refused with 400 invalid_page_token.",
            SOURCE,
            made_up,
        )
        .drawn("made-up tokens for every list", Cases::Divided(2), |_, draw: &mut Draw| {
            let word: String = draw.value(&"[A-Za-z0-9_.-]{1,80}");
            json!({ "list": LISTS[draw.index() % 4].path, "token": word })
        })
        .shrinks("/token", |_, case| case["token"].as_str().is_some_and(|token| !token.is_empty())),
        Requirement::must(
            "pages.token.altered",
            "A token that was changed in any place is refused with 400 invalid_page_token.",
            SOURCE,
            altered,
        )
        .drawn("places of a token", Cases::Divided(4), |_, draw: &mut Draw| json!(draw.below(1_000))),
        Requirement::must(
            "pages.token.other-list",
            "A token of another list is refused with 400 invalid_page_token.",
            SOURCE,
            other_list,
        ),
        Requirement::must(
            "pages.token.other-filters",
            "A token used with other or additional filters is refused with 400 invalid_page_token.",
            SOURCE,
            other_filters,
        )
        .drawn("other filters", Cases::Exactly(3), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::must(
            "pages.token.repeatable",
            "A token may be used again and with another limit: it goes on at the same place.",
            SOURCE,
            repeatable,
        ),
        Requirement::must(
            "pages.token.with-bad-limit",
            "A bad limit with a bad token is 422.",
            "openapi.yaml, parameters",
            with_bad_limit,
        ),
    ];
    all.into_iter().map(|requirement| requirement.needs(ALL)).collect()
}

/// A token of the pipeline, with `filter` in force.
async fn token(context: &Context, filter: &str) -> Result<String, Halt> {
    steps_lists::ensure_rows(context, POSTS, 3).await?;
    let page = steps_lists::page(context, POSTS, &format!("limit=1{filter}")).await?;
    let body = demand::json(&page)?;
    steps_lists::next_of(body)
        .map(ToOwned::to_owned)
        .ok_or_else(|| Halt::fail("next_page on a page of one row out of three", demand::seen(&page)))
}

async fn made_up(context: Context, case: Value) -> Verdict {
    let list = steps_lists::List::named(case["list"].as_str().unwrap_or_default());
    let query = steps_lists::with_token("", case["token"].as_str().unwrap_or("x"));
    demand::problem(&*context.send(list.page(&query)).await?, 400, &["invalid_page_token"])
}

async fn altered(context: Context, place: Value) -> Verdict {
    let token = token(&context, "").await?;
    let mut letters: Vec<char> = token.chars().collect();
    // The last letter of an encoding may carry no bits.
    let places = letters.len().saturating_sub(1).max(1);
    let place = usize::try_from(place.as_u64().unwrap_or(0)).unwrap_or(0) % places;
    letters[place] = if letters[place] == 'A' { 'B' } else { 'A' };
    // The letter before a dot or at a part's end may carry no bits either.
    if letters.get(place + 1).is_none_or(|next| *next == '.') {
        return Ok(());
    }
    let altered: String = letters.into_iter().collect();
    let query = steps_lists::with_token("limit=1", &altered);
    demand::problem(&*context.send(POSTS.page(&query)).await?, 400, &["invalid_page_token"])
}

async fn other_list(context: Context, _: Value) -> Verdict {
    let token = token(&context, "").await?;
    for list in LISTS.into_iter().filter(|list| list.path != POSTS.path) {
        let query = steps_lists::with_token("limit=1", &token);
        demand::problem(&*context.send(list.page(&query)).await?, 400, &["invalid_page_token"])?;
    }
    Ok(())
}

async fn other_filters(context: Context, case: Value) -> Verdict {
    let own = format!("&website_id={}", super::steps::segment(&context.facts().website_id));
    // A token alone may stand for the filters that it carries, so leaving them out is no fault.
    let changes = [
        (String::new(), own.clone()),
        (own.clone(), format!("{own}&status=queued")),
        (own, "&website_id=web_other".to_owned()),
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % changes.len();
    let (with, then) = &changes[index];
    let token = token(&context, with).await?;
    let query = steps_lists::with_token(&format!("limit=1{then}"), &token);
    demand::problem(&*context.send(POSTS.page(&query)).await?, 400, &["invalid_page_token"])
}

async fn repeatable(context: Context, _: Value) -> Verdict {
    let token = token(&context, "").await?;
    let first = steps_lists::page(&context, POSTS, &steps_lists::with_token("limit=1", &token)).await?;
    let again = steps_lists::page(&context, POSTS, &steps_lists::with_token("limit=1", &token)).await?;
    let wider = steps_lists::page(&context, POSTS, &steps_lists::with_token("limit=50", &token)).await?;
    let ids = |exchange: &super::exchange::Exchange| exchange.json().map(|page| POSTS.ids(page)).unwrap_or_default();
    demand::same("the rows", &json!(ids(&first)), &json!(ids(&again)))?;
    steps_lists::ensure_rows(&context, POSTS, 5).await?;
    let page = steps_lists::page(&context, POSTS, "limit=2").await?;
    if let Some(token) = steps_lists::next_of(demand::json(&page)?) {
        let narrower = steps_lists::page(&context, POSTS, &steps_lists::with_token("limit=1", token)).await?;
        ensure(ids(&narrower).len() <= 1, "at most 1 row with limit=1", || ids(&narrower).len().to_string())?;
    }
    let begins = ids(&wider).starts_with(&ids(&first));
    ensure(begins, "a wider page that begins with the same row", || ids(&wider).first().cloned().unwrap_or_default())
}

async fn with_bad_limit(context: Context, _: Value) -> Verdict {
    let exchange = context.send(ARTICLES.page("limit=0&page_token=made-up")).await?;
    demand::parameter_error(&exchange, "limit", &["out_of_range"])
}
