//! Platform keys: the list, making one, revoking one.

mod create;
mod created;
mod list;
mod revoke;
mod routes;
mod scopes;

pub(super) use routes::routes;
