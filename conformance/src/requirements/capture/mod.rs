//! Requirements for the lead form.

pub(super) mod answer;
pub(super) mod bounds;
pub(super) mod confirmation;
pub(super) mod contact;
pub(super) mod email;
pub(super) mod fields;
pub(super) mod form;
pub(super) mod identity;
pub(super) mod json;
pub(super) mod media_type;
pub(super) mod multipart;
pub(super) mod order;
pub(super) mod origin;
pub(super) mod size;
pub(super) mod time;
pub(super) mod trap;
pub(super) mod types;
pub(super) mod website;
