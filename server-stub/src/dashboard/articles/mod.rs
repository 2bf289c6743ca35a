//! Article pages: the list, one article with its parts, editing, downloads and archiving.

pub(super) mod download;
pub(super) mod edit;
pub(super) mod list;
pub(super) mod parts;
