//! The list of articles shows every article once.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::listed::{LISTED_WITHIN, draft};
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
            "Lists the account's articles: one that was written has one row, which tells what the article tells.",
            "openapi.yaml, list_articles and ArticleSummary",
            listed,
        )
        .needs(LISTED),
    ]
}

async fn listed(context: Context, _: Value) -> Verdict {
    let (_, article) = draft(&context).await?;
    let deadline = Instant::now() + LISTED_WITHIN;
    let rows = loop {
        let rows = lists::found(&context, ARTICLES, "limit=100", |row| row["id"] == article["id"]).await?;
        if !rows.is_empty() || Instant::now() >= deadline {
            break rows;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    ensure(rows.len() == 1, "one row for the article", || format!("{} rows for {}", rows.len(), article["id"]))?;
    for member in SUMMARY {
        demand::same(member, &article[member], &rows[0][member])?;
    }
    Ok(())
}
