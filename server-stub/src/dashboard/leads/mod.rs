//! Leads: the list, one lead, a table of them to download, and erasing one.

mod erase;
mod export;
mod filter;
mod list;
mod person;
mod record;
mod routes;
mod show;

pub(super) use routes::routes;
