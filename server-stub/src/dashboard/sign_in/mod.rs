//! Signing in and out.

pub(super) mod form;
pub(super) mod link;
pub(super) mod sign_out;
