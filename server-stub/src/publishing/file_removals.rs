//! Loop that removes the files of archived articles.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::Directory;
use crate::domain::backoff::Backoff;
use crate::domain::clock::Clock;
use crate::domain::error_chain::ErrorChain;
use crate::domain::publishing_target::FolderName;
use crate::domain::store::{FileRemoval, Result};
use crate::storage::Store;

/// Delay between two polls for due removals.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of files removed in one batch.
const MAX_BATCH: u32 = 64;
/// Delay before the next attempt to remove a file.
const RETRY_PAUSE: Duration = Duration::from_mins(1);

/// Removes files until it is stopped.
pub struct FileRemovals {
    store: Store,
    clock: Arc<dyn Clock>,
    directory: Directory,
}

impl FileRemovals {
    /// Creates a loop that removes files from `directory` when their removal in `store` is due.
    pub fn new(store: Store, clock: Arc<dyn Clock>, directory: Directory) -> Self {
        Self { store, clock, directory }
    }

    /// Runs until `stop` is cancelled. A failing database slows the loop down but never ends it.
    pub async fn run(self, stop: CancellationToken) {
        let mut backoff = Backoff::default();
        while !stop.is_cancelled() {
            let pause = match self.remove_due().await {
                Ok(()) => {
                    backoff.reset();
                    POLL_INTERVAL
                }
                Err(error) => {
                    tracing::warn!(error = %ErrorChain(&error), "cannot read which files to remove; retrying");
                    backoff.next_pause()
                }
            };
            tokio::select! {
                () = stop.cancelled() => {},
                () = sleep(pause) => {},
            }
        }
    }

    async fn remove_due(&self) -> Result<()> {
        for removal in self.store.due_removals(MAX_BATCH, self.clock.steady()).await? {
            if let Err(error) = self.remove(&removal).await? {
                let article_id = &removal.article_id;
                tracing::error!(%article_id, %error, "cannot remove an article's file below --publish-root");
            }
        }
        Ok(())
    }

    /// Removes one file while writers are locked out. If the article is published again meanwhile, its file is written either
    /// before the lock, and `postpone_removal` then returns `None`, or after the removal.
    async fn remove(&self, removal: &FileRemoval) -> Result<io::Result<()>> {
        let Some(folder) = FolderName::parse(&removal.folder) else { return Ok(Ok(())) };
        let until = self.clock.steady().plus(RETRY_PAUSE);
        let locked = self.directory.keep_writers_out(&folder).await;
        let Some(removal) = self.store.postpone_removal(removal, until).await? else { return Ok(Ok(())) };
        if let Err(error) = locked {
            return Ok(Err(error));
        }
        let removed = self.directory.remove(&folder, &removal).await;
        if removed.is_ok() {
            self.store.record_removal(&removal).await?;
        }
        Ok(removed)
    }
}

impl fmt::Debug for FileRemovals {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FileRemovals").field("directory", &self.directory).finish_non_exhaustive()
    }
}
