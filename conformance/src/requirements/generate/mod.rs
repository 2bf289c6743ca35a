//! `POST /generate`.

pub(super) mod defaults;
pub(super) mod documented;
pub(super) mod forms;
pub(super) mod invalid;
pub(super) mod job_id;
pub(super) mod json;
pub(super) mod language;
pub(super) mod media_type;
pub(super) mod metadata;
pub(super) mod order;
pub(super) mod pointer;
pub(super) mod publish_at;
pub(super) mod size;
pub(super) mod unknown_members;
pub(super) mod valid;
pub(super) mod website;
