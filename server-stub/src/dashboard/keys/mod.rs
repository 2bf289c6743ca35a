//! Key pages: the list, creation and revocation.

mod create;
mod created;
mod list;
mod revoke;
mod routes;
mod scopes;

pub(super) use routes::routes;
