//! The pipeline: the board, queueing an article, and one entry with what can be done with it.

mod board;
mod cancel;
mod entry;
mod new_article;
mod shown;
mod website_choices;

pub(super) use website_choices::WebsiteChoices;

use super::routes::Table;

/// The routes of these pages.
pub(super) fn routes(table: Table) -> Table {
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
