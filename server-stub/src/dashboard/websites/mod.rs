//! Websites: the list, a website's settings, pausing and archiving it.

mod archive;
mod edit;
mod list;
mod publishing;
mod routes;

pub(super) use routes::routes;
