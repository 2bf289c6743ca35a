//! Stored publishing targets, and files to remove.

use crate::domain::clock::Timestamp;
use crate::domain::hook::{HookSecret, UnreadableSecret};
use crate::domain::publishing_target::PublishingTarget;

/// A stored target, with its secret or the reason why it cannot be decrypted.
pub type StoredTarget = PublishingTarget<Result<HookSecret, UnreadableSecret>>;

/// A file to remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRemoval {
    /// Id of the file's article.
    pub article_id: String,
    /// Folder of the file.
    pub folder: String,
    /// Prefix of the file name.
    pub slug: String,
    /// Time from which it is due, in steady time.
    pub due_at: Timestamp,
}
