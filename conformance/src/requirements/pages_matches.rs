//! Lists and their filters show what they should: the row that was just made is there, or is not.
//!
//! That filters let nothing else through is in `pages` and `pages_filters`, times are in `pages_moments`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::Requirement;
use super::steps;
use super::steps_lists::{self, ARTICLES, POSTS, shows};
use super::verdict::{Verdict, ensure};

const LISTED: &[Capability] = &[Capability::Articles, Capability::Jobs];
const PIPELINE: &[Capability] = &[Capability::Pipeline, Capability::Jobs];

/// How long a written article may need to show in the list.
const LISTED_WITHIN: Duration = Duration::from_secs(5);

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

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.articles.listed",
            "Lists the account's articles: one that was written has one row, which tells what the article tells.",
            "openapi.yaml, list_articles and ArticleSummary",
            listed,
        )
        .needs(LISTED),
        Requirement::must(
            "pages.filter.articles-match",
            "Only articles in this state, only what belongs to this website: what matches comes, also with both.",
            "openapi.yaml, list_articles",
            articles,
        )
        .needs(LISTED),
        Requirement::must(
            "pages.filter.entries-match",
            "Only entries in this state, only what belongs to this website: what matches comes, also with both.",
            "openapi.yaml, list_scheduled_posts",
            entries,
        )
        .needs(PIPELINE),
    ]
}

/// A draft's id, its job's and the draft itself.
async fn draft(context: &Context) -> Result<(Value, Value), super::verdict::Halt> {
    let (job, article) = steps::written(context, &steps::quiet_request(context, "Keeping a list of errands")).await?;
    Ok((job, demand::json(&article)?.clone()))
}

async fn listed(context: Context, _: Value) -> Verdict {
    let (_, article) = draft(&context).await?;
    let deadline = Instant::now() + LISTED_WITHIN;
    let rows = loop {
        let rows = steps_lists::found(&context, ARTICLES, "limit=100", |row| row["id"] == article["id"]).await?;
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

fn website(context: &Context) -> String {
    steps::segment(&context.facts().website_id)
}

async fn articles(context: Context, _: Value) -> Verdict {
    let (_, article) = draft(&context).await?;
    let (id, website) = (demand::text(&article, "id")?, website(&context));
    demand::same("status", &json!("draft"), &article["status"])?;
    for (query, expected) in [
        ("limit=100&status=draft".to_owned(), true),
        (format!("limit=100&website_id={website}"), true),
        (format!("limit=100&website_id={website}&status=draft"), true),
        ("limit=100&status=published".to_owned(), false),
        (format!("limit=100&status=published&website_id={website}"), false),
    ] {
        shows(&context, ARTICLES, &query, id, expected).await?;
    }
    Ok(())
}

async fn entries(context: Context, _: Value) -> Verdict {
    let (job, _) = draft(&context).await?;
    let entries = steps_lists::entries_of(&context, demand::text(&job, "job_id")?).await?;
    let entry = entries.first().cloned().unwrap_or_default();
    let (id, website) = (demand::text(&entry, "id")?, website(&context));
    let status = demand::text(&entry, "status")?;
    let other = if status == "published" { "failed" } else { "published" };
    for (query, expected) in [
        (format!("limit=100&status={status}"), true),
        (format!("limit=100&website_id={website}"), true),
        (format!("limit=100&website_id={website}&status={status}"), true),
        (format!("limit=100&status={other}"), false),
        (format!("limit=100&status={other}&website_id={website}"), false),
    ] {
        shows(&context, POSTS, &query, id, expected).await?;
    }
    Ok(())
}
