//! Platform keys: the list, making one, revoking one.

mod create;
mod list;
mod made;
mod revoke;
mod scopes;

use super::routes::Table;

/// The routes of these pages.
pub(super) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/keys", list::show)
        .get("/dashboard/keys/new", create::show)
        .post("/dashboard/keys/new", create::submit)
        .get("/dashboard/keys/{key_id}/revoke", revoke::show)
        .post("/dashboard/keys/{key_id}/revoke", revoke::submit)
}
