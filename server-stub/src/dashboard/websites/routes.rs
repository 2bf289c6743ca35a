//! Routes of the website pages.

use super::super::routes::Table;
use super::{archive, edit, list, publishing};

/// Adds the routes of these pages.
pub(in crate::dashboard) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/websites", list::show)
        .get("/dashboard/websites/new", edit::show_new)
        .post("/dashboard/websites/new", edit::create)
        .get("/dashboard/websites/{website_id}", edit::show)
        .post("/dashboard/websites/{website_id}", edit::save)
        .get("/dashboard/websites/{website_id}/archive", archive::show)
        .post("/dashboard/websites/{website_id}/status", archive::submit)
        .get("/dashboard/websites/{website_id}/publishing", publishing::show)
        .post("/dashboard/websites/{website_id}/publishing", publishing::save)
}
