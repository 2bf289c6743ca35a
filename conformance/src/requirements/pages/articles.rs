//! The list of articles shows every article once.

use serde_json::Value;

use crate::check::{Capability, Context, Halt, Look, Requirement, Verdict, demand, ensure};
use crate::steps::listed::draft;
use crate::steps::lists;
use crate::steps::lists::ARTICLES;

const LISTED: &[Capability] = &[Capability::ARTICLES, Capability::JOBS];

/// What a row of the list tells of its article.
const SUMMARY: [&str; 15] = [
    "id",
    "job_id",
    "website_id",
    "status",
    "title",
    "slug",
    "url",
    "excerpt",
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
        Requirement::must(
            "pages.articles.listed",
            "A finished article has exactly one row in the list of articles, and the row agrees with the article.",
            "openapi.yaml, list_articles and ArticleSummary",
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
        Ok(Look::found_or(found, || Halt::fail("one row for the article", format!("none for {}", article["id"]))))
    };
    let rows = context.eventually(context.grace(), look).await?;
    ensure(rows.len() == 1, "one row for the article", || format!("{} rows for {}", rows.len(), article["id"]))?;
    for member in SUMMARY {
        demand::same(member, &article[member], &rows[0][member])?;
    }
    Ok(())
}
