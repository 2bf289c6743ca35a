//! The account and its user: name, users, password, sessions, audit trail.

mod password;

use super::routes::Table;

/// The routes of these pages.
pub(super) fn routes(table: Table) -> Table {
    table.get("/dashboard/account/password", password::show).post("/dashboard/account/password", password::submit)
}
