//! Lead pages: the list, one lead, the export and erasure.

pub(super) mod export;
pub(super) mod list;
pub(super) mod person;
pub(super) mod show;
