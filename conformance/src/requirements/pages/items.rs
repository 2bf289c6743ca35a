//! Items of a list: newest first, and each finished article once.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{
    About as _, Capability, Cases, Context, Halt, Look, Requirement, Verdict, demand, ensure, ensure_met,
};
use crate::steps::articles::draft;
use crate::steps::lists;
use crate::steps::lists::{ARTICLES, POSTS, list_of};
use crate::steps::times::moment;

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

const LISTED: &[Capability] = &[Capability::ARTICLES, Capability::JOBS];

/// Fields that an item of the list shares with its article.
const SUMMARY: [&str; 16] = [
    "id",
    "job_id",
    "website_id",
    "status",
    "title",
    "slug",
    "url",
    "excerpt",
    "keywords",
    "tags",
    "language",
    "word_count",
    "reading_time_minutes",
    "created_at",
    "updated_at",
    "published_at",
];

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
        Requirement::new(
            "pages.articles.listed",
            "A finished article is in the list of articles exactly once, with the same fields.",
            &[
                Sentence("Lists the articles of the websites that the key may use, newest first by `created_at`, then by `id`."),
                Sentence("An item that matches the filters during the whole walk appears in it exactly once."),
                Sentence("An article without its text."),
                Part("/components/schemas/Article/allOf/0"),
            ],
            listed,
        )
        .needs(LISTED),
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

async fn listed(context: Context, _: Value) -> Verdict {
    let (_, article) = draft(&context).await?;
    let (context, article) = (&context, &article);
    let look = || async move {
        let rows = lists::found(context, ARTICLES, "limit=100", |row| row["id"] == article["id"]).await?;
        let found = (!rows.is_empty()).then_some(rows);
        Ok(Look::found_or(found, || Halt::fail("one item for the article", format!("none for {}", article["id"]))))
    };
    let rows = context.eventually(context.grace(), look).await?;
    ensure(rows.len() == 1, "one item for the article", || format!("{} items for {}", rows.len(), article["id"]))?;
    for field in SUMMARY {
        demand::same(field, &article[field], &rows[0][field])?;
    }
    Ok(())
}
