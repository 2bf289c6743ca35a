//! Routes of the Brand DNA pages.

use super::super::routes::Table;
use super::{edit, list, remove, trial, versions};

/// Adds the routes of these pages.
pub(in crate::dashboard) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/voices", list::show)
        .get("/dashboard/voices/new", edit::show_new)
        .post("/dashboard/voices/new", edit::create)
        .post("/dashboard/voices/check", trial::submit)
        .get("/dashboard/voices/{voice_id}", edit::show)
        .post("/dashboard/voices/{voice_id}", edit::save)
        .post("/dashboard/voices/{voice_id}/default", remove::make_default)
        .get("/dashboard/voices/{voice_id}/remove", remove::show)
        .post("/dashboard/voices/{voice_id}/remove", remove::submit)
        .get("/dashboard/voices/{voice_id}/versions", versions::show)
        .post("/dashboard/voices/{voice_id}/restore", versions::restore)
}
