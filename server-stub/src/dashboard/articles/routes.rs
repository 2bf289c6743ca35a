//! Routes of the article pages.

use super::super::routes::Table;
use super::{archive, download, list, parts};

/// Adds the routes of these pages.
pub(in crate::dashboard) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/articles", list::show)
        .get("/dashboard/articles/{article_id}", parts::preview)
        .get("/dashboard/articles/{article_id}/voice", parts::voice)
        .get("/dashboard/articles/{article_id}/facts", parts::facts)
        .get("/dashboard/articles/{article_id}/structured-data", parts::structured_data)
        .get("/dashboard/articles/{article_id}/text", parts::text)
        .get("/dashboard/articles/{article_id}/download.md", download::markdown)
        .get("/dashboard/articles/{article_id}/download.html", download::html)
        .get("/dashboard/articles/{article_id}/archive", archive::show)
        .post("/dashboard/articles/{article_id}/archive", archive::submit)
        .post("/dashboard/articles/{article_id}/restore", archive::restore)
}
