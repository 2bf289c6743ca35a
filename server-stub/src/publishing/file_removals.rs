//! The loop that removes the files of articles that were taken down.

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

/// How long until what is due is asked for again.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Files that are removed at a time.
const MAX_BATCH: u32 = 64;
/// When a file that cannot be removed is tried again.
const RETRY_PAUSE: Duration = Duration::from_mins(1);

/// Removes files until it is stopped.
pub struct FileRemovals {
    store: Store,
    clock: Arc<dyn Clock>,
    directory: Directory,
}

impl FileRemovals {
    /// Removes what is due in `store` from `directory`.
    pub fn new(store: Store, clock: Arc<dyn Clock>, directory: Directory) -> Self {
        Self { store, clock, directory }
    }

    /// Works until `stop` is cancelled. A failing database slows it down and never ends it.
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

    /// Removes one file while nobody writes there: an article that is published again meanwhile has its file written before, and is
    /// seen to be on its way, or after.
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
