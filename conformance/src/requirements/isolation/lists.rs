//! Lists and page tokens of another account.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Credential, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::lists::{List, POSTS};
use crate::steps::{self, lists};

const TWO: &[Capability] = &[Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "isolation.lists.rows",
            "Lists have only rows of the websites of the key's account.",
            &[
                Sentence("A key reaches only the data of its account."),
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("Lists the websites that the key may use, newest first by creation."),
                Sentence(
                    "Lists the articles of the websites that the key may use, newest first by `created_at`, then by `id`.",
                ),
            ],
            rows,
        )
        .needs(TWO)
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(lists::LISTS[draw.index() % 4].path)),
        Requirement::new(
            "isolation.lists.filter",
            "A list with another account's website as filter is empty.",
            &[
                Sentence("Only items of this website."),
                Sentence("An unknown or foreign id gives an empty page."),
            ],
            filter,
        )
        .needs(TWO)
        .drawn("lists with that filter", Cases::Exactly(3), |_, draw| {
            json!(["/articles", "/leads", "/scheduled_posts"][draw.index() % 3])
        }),
        Requirement::new(
            "isolation.tokens.account",
            "A page token of another account returns 400 invalid_page_token.",
            &[
                Sentence("It is valid for at least 24 hours, for this list and account."),
                Sentence("The page token is unknown, expired, or has other filters."),
                Sentence("To a key all other data looks as if it did not exist."),
            ],
            token,
        )
        .needs(TWO),
    ]
}

async fn rows(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    lists::ensure_rows(&context, list, 1).await?;
    let own = lists::page(&context, list, "limit=100").await?;
    // Other ids may be equal in two accounts.
    let websites: BTreeSet<&str> =
        lists::rows(demand::json(&own)?).iter().filter_map(|row| row["website_id"].as_str()).collect();
    ensure_met(!websites.is_empty(), format!("{} has no rows with a website_id", list.path))?;
    let other = context.send(list.page("limit=100").by(Credential::Other)).await?;
    demand::status(&other, 200)?;
    let is_foreign = |row: &&Value| row["website_id"].as_str().is_some_and(|id| websites.contains(id));
    let foreign = lists::rows(demand::json(&other)?).iter().find(is_foreign);
    ensure(foreign.is_none(), "no row of the other account's website", || {
        foreign.map_or_else(String::new, demand::brief)
    })
}

async fn filter(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    lists::ensure_rows(&context, list, 1).await?;
    let query = format!("website_id={}", steps::segment(&context.facts().website_id));
    let other = context.send(list.page(&query).by(Credential::Other)).await?;
    demand::status(&other, 200)?;
    demand::same("items", &json!([]), &demand::json(&other)?["items"])?;
    let own = lists::page(&context, list, &query).await?;
    let body = demand::json(&own)?;
    let has_rows = !lists::rows(body).is_empty() || lists::next_of(body).is_some();
    ensure_met(has_rows, "the website's own account gets no rows either with this filter")
}

async fn token(context: Context, _: Value) -> Verdict {
    lists::ensure_rows(&context, POSTS, 2).await?;
    let page = lists::page(&context, POSTS, "limit=1").await?;
    let body = demand::json(&page)?;
    let Some(token) = lists::next_of(body) else {
        return Err(crate::check::Halt::inconclusive("the list of scheduled posts has only one page"));
    };
    let request = POSTS.page(&lists::with_token("limit=1", token)).by(Credential::Other);
    demand::problem(&*context.send(request).await?, 400, &["invalid_page_token"])
}
