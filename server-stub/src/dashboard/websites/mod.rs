//! Website pages: list, settings, pausing and archiving.

mod archive;
mod edit;
mod list;
mod publishing;
mod routes;

pub(super) use routes::routes;
