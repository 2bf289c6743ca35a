//! The routes of the part `leads`.

use super::super::routes::Table;
use super::{erase, export, list, show};

/// The routes of these pages.
pub(in crate::dashboard) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/leads", list::show)
        .post("/dashboard/leads/export", export::submit)
        .get("/dashboard/leads/{lead_id}", show::show)
        .get("/dashboard/leads/{lead_id}/erase", erase::show)
        .post("/dashboard/leads/{lead_id}/erase", erase::submit)
}
