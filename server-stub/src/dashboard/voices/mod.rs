//! Brand DNA pages: list, editor with a live check, versions and removal.

mod edit;
pub(super) mod labels;
mod list;
mod profile_form;
mod remove;
mod routes;
mod trial;
mod versions;

pub(super) use routes::routes;
