//! Article pages: the list, one article with its parts, downloads and archiving.

mod archive;
mod download;
mod list;
mod parts;
mod routes;

pub(super) use routes::routes;
