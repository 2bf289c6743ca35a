//! Websites: the list, a website's settings, pausing and archiving it.

mod archive;
mod edit;
mod list;

use super::routes::Table;

/// The routes of these pages.
pub(super) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/websites", list::show)
        .get("/dashboard/websites/new", edit::show_new)
        .post("/dashboard/websites/new", edit::create)
        .get("/dashboard/websites/{website_id}", edit::show)
        .post("/dashboard/websites/{website_id}", edit::save)
        .get("/dashboard/websites/{website_id}/archive", archive::show)
        .post("/dashboard/websites/{website_id}/status", archive::submit)
}
