//! Routes of the pipeline pages.

use super::super::routes::Table;
use super::{board, cancel, entry, new_article};

/// Adds the routes of these pages.
pub(in crate::dashboard) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/pipeline", board::show)
        .get("/dashboard/pipeline/new", new_article::show)
        .post("/dashboard/pipeline/new", new_article::submit)
        .get("/dashboard/pipeline/{post_id}", entry::show)
        .post("/dashboard/pipeline/{post_id}/schedule", entry::schedule)
        .post("/dashboard/pipeline/{post_id}/unschedule", entry::unschedule)
        .post("/dashboard/pipeline/{post_id}/retry", entry::retry)
        .get("/dashboard/pipeline/{post_id}/cancel", cancel::show)
        .post("/dashboard/pipeline/{post_id}/cancel", cancel::submit)
}
