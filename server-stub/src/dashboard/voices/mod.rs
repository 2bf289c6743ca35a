//! Brand DNA: the list of profiles, editing one with a live check beside it, its versions, and removing it.

mod edit;
pub(super) mod labels;
mod list;
mod profile_form;
mod remove;
mod routes;
mod trial;
mod versions;

pub(super) use routes::routes;
