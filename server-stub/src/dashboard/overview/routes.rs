//! Routes of the overview.

use super::super::routes::Table;
use super::page;

/// Adds the routes of these pages.
pub(in crate::dashboard) fn routes(table: Table) -> Table {
    table.get("/dashboard", page::show)
}
