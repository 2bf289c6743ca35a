//! Loop that removes the files of articles that are not published any more, or whose publication was cancelled or failed.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::Directory;
use crate::domain::clock::Clock;
use crate::domain::publishing_target::FolderName;
use crate::domain::store::{FileRemoval, Result};
use crate::queue::{self, Consumer, Next, POLL_INTERVAL};
use crate::storage::Store;

/// Maximum number of files removed in one batch.
const MAX_BATCH: u32 = 64;
/// Delay before the next attempt to remove a file.
const RETRY_PAUSE: Duration = Duration::from_mins(1);

/// Removes files until it is stopped.
#[derive(Debug)]
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

    /// Runs until `stop` is cancelled.
    pub async fn run(self, stop: CancellationToken) {
        // There are no tasks, so nothing is drained.
        queue::consume(self, &Notify::new(), Duration::ZERO, stop).await;
    }

    /// Removes one file while writers are locked out. If the article is published again meanwhile, its file is written either
    /// before the lock, and `postpone_removal` then returns `None`, or after the removal.
    async fn remove(&self, removal: &FileRemoval) -> Result<io::Result<()>> {
        let until = self.clock.steady().plus(RETRY_PAUSE);
        let Some(folder) = FolderName::parse(&removal.folder) else {
            self.store.postpone_removal(removal, until).await?;
            return Ok(Err(io::ErrorKind::InvalidFilename.into()));
        };
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

impl Consumer for FileRemovals {
    const NAME: &'static str = "the remover of files";

    /// Removes the due files here, one after the other, because each removal locks a folder.
    async fn claim(&mut self, _tasks: &mut JoinSet<()>, stop: &CancellationToken) -> Result<Next> {
        let due = self.store.due_removals(MAX_BATCH, self.clock.steady()).await?;
        for removal in due.into_iter().take_while(|_| !stop.is_cancelled()) {
            if let Err(error) = self.remove(&removal).await? {
                let article_id = &removal.article_id;
                tracing::error!(%article_id, %error, "cannot remove an article's file below --publish-root");
            }
        }
        Ok(Next { pause: POLL_INTERVAL, after_end: false })
    }
}
