//! Routes of the key pages.

use super::super::routes::Table;
use super::{create, list, revoke};

/// Adds the routes of these pages.
pub(in crate::dashboard) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/keys", list::show)
        .get("/dashboard/keys/new", create::show)
        .post("/dashboard/keys/new", create::submit)
        .get("/dashboard/keys/{key_id}/revoke", revoke::show)
        .post("/dashboard/keys/{key_id}/revoke", revoke::submit)
}
