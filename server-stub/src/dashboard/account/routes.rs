//! Routes of the account pages.

use super::super::routes::Table;
use super::{audit, audit_export, name, password, remove_user, sessions, users};

/// Adds the routes of these pages.
pub(in crate::dashboard) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/account", name::show)
        .post("/dashboard/account", name::submit)
        .get("/dashboard/account/users", users::show)
        .post("/dashboard/account/users", users::add)
        .post("/dashboard/account/users/{user_id}/link", users::link)
        .get("/dashboard/account/users/{user_id}/remove", remove_user::show)
        .post("/dashboard/account/users/{user_id}/remove", remove_user::submit)
        .get("/dashboard/account/password", password::show)
        .post("/dashboard/account/password", password::submit)
        .get("/dashboard/account/sessions", sessions::show)
        .post("/dashboard/account/sessions/sign-out", sessions::sign_out_everywhere)
        .post("/dashboard/account/sessions/{session_id}/end", sessions::end)
        .get("/dashboard/account/audit", audit::show)
        .get("/dashboard/account/audit.csv", audit_export::download)
}
