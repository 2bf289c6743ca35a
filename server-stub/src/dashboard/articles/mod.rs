//! Article pages: the list, one article with its parts, downloads and archiving.

pub(super) mod download;
pub(super) mod list;
pub(super) mod parts;
