//! Brand DNA pages: list, editor with a live check, versions and removal.

pub(super) mod edit;
pub(super) mod labels;
pub(super) mod list;
mod profile_form;
pub(super) mod trial;
pub(super) mod versions;
