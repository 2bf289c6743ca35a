//! [`PublishingTargets`] on a database.

use async_trait::async_trait;

use crate::domain::clock::Timestamp;
use crate::domain::publishing_target::PublishingTarget;
use crate::domain::store::{FileRemoval, PublishingTargets, Result, StoredTarget};
use crate::storage::backend::Backend;
use crate::storage::statements::targets::{self, SealedTarget};

use super::SqlStore;

#[async_trait]
impl<B: Backend> PublishingTargets for SqlStore<B> {
    async fn find_target(&self, website_id: &str) -> Result<StoredTarget> {
        let id = website_id.to_owned();
        let sealed = self.backend.read_few(move |session| targets::find(session, &id)).await?;
        Ok(self.open_target(website_id, sealed))
    }

    async fn set_target(&self, website_id: &str, target: &PublishingTarget, now: Timestamp) -> Result<bool> {
        let sealed = target.clone().map_secret(|secret| self.cipher.seal(&owner(website_id), &secret));
        let website_id = website_id.to_owned();
        self.write(move |session| targets::set(session, &website_id, &sealed, now)).await
    }

    async fn due_removals(&self, limit: u32, now: Timestamp) -> Result<Vec<FileRemoval>> {
        self.backend.read_many(move |session| targets::due_removals(session, limit, now)).await
    }

    async fn postpone_removal(&self, removal: &FileRemoval, until: Timestamp) -> Result<Option<FileRemoval>> {
        let removal = removal.clone();
        self.write(move |session| targets::postpone_removal(session, &removal, until)).await
    }

    async fn record_removal(&self, removal: &FileRemoval) -> Result<()> {
        let removal = removal.clone();
        self.write(move |session| targets::record_removal(session, &removal)).await
    }
}

impl<B: Backend> SqlStore<B> {
    /// The target of a website with its secret opened, or why that cannot be.
    pub(super) fn open_target(&self, website_id: &str, sealed: SealedTarget) -> StoredTarget {
        sealed.map_secret(|secret| self.cipher.open(&owner(website_id), &secret))
    }
}

/// Whose secret it is: no endpoint of hooks has such an id.
fn owner(website_id: &str) -> String {
    format!("push:{website_id}")
}
