//! Stored targets of publishing, and files to remove.

use crate::domain::clock::Timestamp;
use crate::domain::hook::{HookSecret, UnreadableSecret};
use crate::domain::publishing_target::PublishingTarget;

/// A target as it is read: its secret, or why that cannot be opened.
pub type StoredTarget = PublishingTarget<Result<HookSecret, UnreadableSecret>>;

/// A file that is to be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRemoval {
    /// Whose file it is.
    pub article_id: String,
    /// The folder that it is in.
    pub folder: String,
    /// What the file's name begins with.
    pub slug: String,
    /// Since when it is due, in steady time.
    pub due_at: Timestamp,
}
