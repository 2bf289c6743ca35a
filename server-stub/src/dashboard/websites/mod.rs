//! Website pages: list, settings, pausing, archiving and deleting.

pub(super) mod delete;
pub(super) mod edit;
pub(super) mod list;
pub(super) mod publishing;
