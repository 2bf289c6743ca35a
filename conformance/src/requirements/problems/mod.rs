//! Problems: every refusal in one form.

pub(super) mod body;
pub(super) mod cache;
pub(super) mod code;
pub(super) mod detail;
pub(super) mod errors;
pub(super) mod instance;
pub(super) mod members;
pub(super) mod request_id;
pub(super) mod title;
pub(super) mod type_;
