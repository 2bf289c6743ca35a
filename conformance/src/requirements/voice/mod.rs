//! Brand DNA: the voice of articles.

pub(super) mod length;
pub(super) mod report;
pub(super) mod topic;
