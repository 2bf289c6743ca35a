//! Routes of the lead pages.

use super::super::routes::Table;
use super::{erase, export, list, person, show};

/// Adds the routes of these pages.
pub(in crate::dashboard) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/leads", list::show)
        .post("/dashboard/leads/export", export::submit)
        .get("/dashboard/leads/person", person::show)
        .post("/dashboard/leads/person/export", person::export)
        .post("/dashboard/leads/person/erase", person::erase)
        .get("/dashboard/leads/{lead_id}", show::show)
        .get("/dashboard/leads/{lead_id}/erase", erase::show)
        .post("/dashboard/leads/{lead_id}/erase", erase::submit)
}
