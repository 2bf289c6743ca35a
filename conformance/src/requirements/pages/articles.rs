//! Articles in their list.

use serde_json::Value;

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Halt, Look, Requirement, Verdict, demand, ensure};
use crate::steps::listed::draft;
use crate::steps::lists;
use crate::steps::lists::ARTICLES;

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
