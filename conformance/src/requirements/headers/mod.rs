//! The headers of answers.

pub(super) mod allow;
pub(super) mod cache;
pub(super) mod challenge;
pub(super) mod content_location;
pub(super) mod etag;
pub(super) mod last_modified;
pub(super) mod link;
pub(super) mod location;
pub(super) mod preference;
pub(super) mod quota;
pub(super) mod quota_policy;
pub(super) mod replayed;
pub(super) mod retry_after;
