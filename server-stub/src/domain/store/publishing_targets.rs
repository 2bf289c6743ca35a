//! Where the articles of websites are published, and the files that are to be removed again.

use std::fmt;

use async_trait::async_trait;

use crate::domain::clock::Timestamp;
use crate::domain::hook::{HookSecret, UnreadableSecret};
use crate::domain::publishing_target::PublishingTarget;

use super::Result;

/// A target as it is read: its secret, or why that cannot be opened.
pub type StoredTarget = PublishingTarget<std::result::Result<HookSecret, UnreadableSecret>>;

/// The targets of websites, and files that nobody shall read any more.
#[async_trait]
pub trait PublishingTargets: Send + Sync + fmt::Debug {
    /// Where the website's articles go; the hosted site unless it was set.
    async fn find_target(&self, website_id: &str) -> Result<StoredTarget>;
    /// Sets where they go from now on. [`AlreadyExists`](super::Error::AlreadyExists) when another website has the folder. Returns
    /// whether there is such a website.
    async fn set_target(&self, website_id: &str, target: &PublishingTarget, now: Timestamp) -> Result<bool>;
    /// The files of articles that were taken down, up to `limit` of those that are due.
    async fn due_removals(&self, limit: u32, now: Timestamp) -> Result<Vec<FileRemoval>>;
    /// Puts a removal off, and returns it as it is due then; `None` where the article is on its way to that folder again, so that its
    /// file is to stay.
    async fn postpone_removal(&self, removal: &FileRemoval, until: Timestamp) -> Result<Option<FileRemoval>>;
    /// The file is gone.
    async fn record_removal(&self, removal: &FileRemoval) -> Result<()>;
}

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
