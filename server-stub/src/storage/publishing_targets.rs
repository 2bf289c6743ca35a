//! [`PublishingTargets`] on a database.

use crate::domain::clock::Timestamp;
use crate::domain::publishing_target::PublishingTarget;
use crate::domain::store::{FileRemoval, Result, StoredTarget};
use crate::storage::statements::targets::{self, SealedTarget};

use super::store::Store;

impl Store {
    /// Where the website's articles go; the hosted site unless it was set.
    pub async fn find_target(&self, website_id: &str) -> Result<StoredTarget> {
        let id = website_id.to_owned();
        let sealed = self.read_few(move |session| targets::find(session, &id)).await?;
        Ok(self.open_target(website_id, sealed))
    }

    /// Sets where they go from now on. [`AlreadyExists`](crate::domain::store::Error::AlreadyExists) when another website has the folder. Returns
    /// whether there is such a website.
    pub async fn set_target(&self, website_id: &str, target: &PublishingTarget, now: Timestamp) -> Result<bool> {
        let sealed = target.clone().map_secret(|secret| self.cipher.seal(&owner(website_id), &secret));
        let website_id = website_id.to_owned();
        self.change(move |session| targets::set(session, &website_id, &sealed, now)).await
    }

    /// The files of articles that were taken down, up to `limit` of those that are due.
    pub async fn due_removals(&self, limit: u32, now: Timestamp) -> Result<Vec<FileRemoval>> {
        self.read_many(move |session| targets::due_removals(session, limit, now)).await
    }

    /// Puts a removal off, and returns it as it is due then; `None` where the article is on its way to that folder again, so that its
    /// file is to stay.
    pub async fn postpone_removal(&self, removal: &FileRemoval, until: Timestamp) -> Result<Option<FileRemoval>> {
        let removal = removal.clone();
        self.change(move |session| targets::postpone_removal(session, &removal, until)).await
    }

    /// The file is gone.
    pub async fn record_removal(&self, removal: &FileRemoval) -> Result<()> {
        let removal = removal.clone();
        self.change(move |session| targets::record_removal(session, &removal)).await
    }
}

impl Store {
    /// The target of a website with its secret opened, or why that cannot be.
    pub(super) fn open_target(&self, website_id: &str, sealed: SealedTarget) -> StoredTarget {
        sealed.map_secret(|secret| self.cipher.open(&owner(website_id), &secret))
    }
}

/// Whose secret it is: no endpoint of hooks has such an id.
fn owner(website_id: &str) -> String {
    format!("push:{website_id}")
}
