//! Leads: the list, one lead, a table of them to download, and erasing one.

mod csv;
mod erase;
mod export;
mod filters;
mod list;
mod show;

use super::routes::Table;

/// The routes of these pages.
pub(super) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/leads", list::show)
        .post("/dashboard/leads/export", export::submit)
        .get("/dashboard/leads/{lead_id}", show::show)
        .get("/dashboard/leads/{lead_id}/erase", erase::show)
        .post("/dashboard/leads/{lead_id}/erase", erase::submit)
}
