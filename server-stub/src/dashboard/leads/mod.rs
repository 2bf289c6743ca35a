//! Lead pages: the list, one lead, the export and erasure.

mod erase;
mod export;
mod filter;
mod list;
mod person;
mod record;
mod routes;
mod show;

pub(super) use routes::routes;
