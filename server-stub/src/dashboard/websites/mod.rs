//! Website pages: list, settings, pausing and archiving.

pub(super) mod edit;
pub(super) mod list;
pub(super) mod publishing;
