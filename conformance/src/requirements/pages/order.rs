//! Order of lists.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{About as _, Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::lists;
use crate::steps::lists::{ARTICLES, POSTS};
use crate::steps::pages::list_of;
use crate::steps::times::moment;

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pages.order.newest-first",
            "Lists are sorted by created_at, newest first.",
            &[
                Sentence(
                    "All lists have a fixed order: newest first by `created_at` or `captured_at`, then by `id`, both descending.",
                ),
                Sentence("Lists answer `{items, next_page}`, newest first."),
                Sentence("Lists the articles of the websites that the key may use, newest first by `created_at`, then by `id`."),
                Sentence("A change does not move an article."),
                Sentence("Lists the scheduled posts, newest first by creation."),
            ],
            newest_first,
        )
        .drawn("lists with created_at", Cases::Exactly(2), |_, draw| {
            json!([ARTICLES.path, POSTS.path][draw.index() % 2])
        })
        .needs(ALL),
    ]
}

async fn newest_first(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    lists::ensure_rows(&context, list, 3).await?;
    let page = lists::page(&context, list, "limit=100").await?;
    let rows = lists::rows(demand::json(&page)?);
    let times = rows.iter().map(|row| moment(row, "created_at")).collect::<Result<Vec<_>, Halt>>().about(&page)?;
    let unsorted = times.windows(2).find(|pair| pair[0] < pair[1]);
    ensure(unsorted.is_none(), "created_at that never increases down the page", || format!("{unsorted:?}"))?;
    ensure_met(times.len() > 1, "the page has no two items to compare")
}
