//! Key pages: the list, creation and revocation.

pub(super) mod create;
pub(super) mod list;
