//! The routes of the part `overview`.

use super::super::routes::Table;
use super::page;

/// The routes of these pages.
pub(in crate::dashboard) fn routes(table: Table) -> Table {
    table.get("/dashboard", page::show)
}
