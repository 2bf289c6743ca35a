//! The lead form.

pub(super) mod answer;
pub(super) mod bounds;
pub(super) mod contact;
pub(super) mod fields;
pub(super) mod form;
pub(super) mod identity;
pub(super) mod json;
pub(super) mod origin;
pub(super) mod size;
pub(super) mod time;
pub(super) mod trap;
pub(super) mod types;
pub(super) mod website;
