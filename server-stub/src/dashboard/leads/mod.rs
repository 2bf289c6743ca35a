//! Leads: the list, one lead, a table of them to download, and erasing one.

mod csv;
mod erase;
mod export;
mod filters;
mod list;
mod routes;
mod show;

pub(super) use routes::routes;
