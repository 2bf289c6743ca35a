//! The first page: first steps, what needs attention, and what happened in the last days.

mod chart;
mod page;
mod reminder;

use super::routes::Table;

/// The routes of these pages.
pub(super) fn routes(table: Table) -> Table {
    table.get("/dashboard", page::show)
}
