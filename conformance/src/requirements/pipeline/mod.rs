//! Requirements for scheduled posts.

pub(super) mod entry;
pub(super) mod failed;
pub(super) mod get;
pub(super) mod publish_at;
pub(super) mod unknown;
pub(super) mod updated_at;
