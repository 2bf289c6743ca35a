//! Articles: the list, one article with its parts, downloads, and taking one down.

mod archive;
mod download;
mod list;
mod parts;
mod routes;

pub(super) use routes::routes;
