//! Websites.

pub(super) mod list;
pub(super) mod pause;
