//! Platform keys: the list, making one, revoking one.

mod create;
mod list;
mod made;
mod revoke;
mod routes;
mod scopes;

pub(super) use routes::routes;
