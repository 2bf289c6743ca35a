//! Websites.

pub(super) mod list;
