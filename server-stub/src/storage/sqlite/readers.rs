//! Connections that read, several at a time and beside the writer. Each read sees all that was committed before it began.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use crate::domain::randomness::Randomness;
use crate::domain::store::{Error, Result};
use crate::storage::panics::caught;
use crate::storage::sql::Session;

use super::connection;
use super::session::SqliteSession;

/// Most idle connections that stay open. Each has a page cache.
const MAX_IDLE: usize = 8;

/// A stack of idle connections: the one used last has the warmest cache. Clones share it.
#[derive(Clone)]
pub(super) struct Readers {
    path: Arc<PathBuf>,
    randomness: Arc<dyn Randomness>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Readers {
    /// Connections to the database at `path`, opened as they are needed.
    pub(super) fn new(path: PathBuf, randomness: Arc<dyn Randomness>) -> Self {
        Self { path: Arc::new(path), randomness, idle: Arc::default() }
    }

    /// Reads a row or a few by key, on the calling thread: that takes some microseconds, less than handing the work to
    /// another thread would.
    pub(super) fn read_few<T>(&self, work: impl FnOnce(&mut dyn Session) -> Result<T>) -> Result<T> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connection::reading(&self.path, connection::BUSY_TIMEOUT)?,
        };
        let mut session = SqliteSession { connection: &connection, randomness: &*self.randomness };
        let outcome = caught(|| work(&mut session));
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MAX_IDLE {
            idle.push(connection);
        }
        outcome
    }

    /// Reads many rows, on a thread that may block.
    pub(super) async fn read_many<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        let readers = self.clone();
        let read = tokio::task::spawn_blocking(move || readers.read_few(work)).await;
        read.unwrap_or_else(|error| Err(Error::Broken(error.into())))
    }
}

impl fmt::Debug for Readers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Readers").finish_non_exhaustive()
    }
}
