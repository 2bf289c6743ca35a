//! Two accounts: what belongs to one does not exist for the other.

pub(super) mod articles;
pub(super) mod idempotency;
pub(super) mod ids;
pub(super) mod jobs;
pub(super) mod leads;
pub(super) mod lists;
pub(super) mod posts;
pub(super) mod tokens;
pub(super) mod websites;
