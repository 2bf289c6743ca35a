//! Connections that read, concurrently with each other and with the writer. Each read sees all earlier commits.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::Semaphore;

use crate::domain::randomness::Randomness;
use crate::domain::store::{Error, Result};
use crate::storage::panics::caught;
use crate::storage::sql::Session;

use super::connection;
use super::error::is_busy;
use super::session::SqliteSession;

/// Maximum number of reads of many rows at a time. They leave the other threads that may block to other work.
const MAX_READS: usize = 8;
/// Maximum number of idle connections that stay open. Each has a page cache.
const MAX_IDLE: usize = MAX_READS;

/// A stack of idle connections: the last used has the warmest cache. Clones share the stack.
#[derive(Clone)]
pub(in crate::storage) struct Readers {
    path: Arc<PathBuf>,
    randomness: Arc<dyn Randomness>,
    idle: Arc<Mutex<Vec<Connection>>>,
    turns: Arc<Semaphore>,
}

impl Readers {
    /// Returns readers of the database at `path`. Connections are opened when needed.
    pub(super) fn new(path: PathBuf, randomness: Arc<dyn Randomness>) -> Self {
        Self { path: Arc::new(path), randomness, idle: Arc::default(), turns: Arc::new(Semaphore::new(MAX_READS)) }
    }

    /// Reads one or a few rows by key, on the calling thread. This takes a few microseconds, less than moving the work to
    /// another thread. Only if the read must wait for a lock, `work` runs again on a thread that may block.
    pub(in crate::storage) async fn read_few<T, F>(&self, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        match self.read(Duration::ZERO, &mut work) {
            Err(error) if is_busy(&error) => self.read_many(work).await,
            outcome => outcome,
        }
    }

    /// Reads many rows, on a thread that may block. Waits while too many others read.
    pub(in crate::storage) async fn read_many<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        let turn = Arc::clone(&self.turns).acquire_owned().await.expect("the semaphore is never closed");
        let readers = self.clone();
        let reading = tokio::task::spawn_blocking(move || {
            // Keep the turn until the read is done, even if the caller is gone.
            let _turn = turn;
            readers.read(connection::BUSY_TIMEOUT, work)
        });
        let read = reading.await;
        read.unwrap_or_else(|error| Err(Error::Broken(error.into())))
    }

    /// Reads on an idle or new connection, and waits up to `busy_timeout` for another process's lock.
    fn read<T>(&self, busy_timeout: Duration, work: impl FnOnce(&mut dyn Session) -> Result<T>) -> Result<T> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection.busy_timeout(busy_timeout).map(|()| connection)?,
            None => connection::reading(&self.path, busy_timeout)?,
        };
        let mut session = SqliteSession { connection: &connection, randomness: &*self.randomness };
        let outcome = caught(|| work(&mut session));
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MAX_IDLE {
            idle.push(connection);
        }
        outcome
    }
}

impl fmt::Debug for Readers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Readers").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;

    use tokio::task::JoinSet;

    use super::*;
    use crate::storage::no_randomness::NoRandomness;
    use crate::storage::sql::read;

    /// Returns a file that another connection has locked exclusively. It is not in WAL mode, where readers wait only in
    /// rare moments that a test cannot produce.
    fn locked() -> (tempfile::TempDir, Connection, Readers) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.db");
        let other = Connection::open(&path).unwrap();
        other
            .execute_batch("CREATE TABLE notes (words TEXT); INSERT INTO notes VALUES ('kept'); BEGIN EXCLUSIVE")
            .unwrap();
        (folder, other, Readers::new(path, Arc::new(NoRandomness)))
    }

    fn words(session: &mut dyn Session) -> Result<Option<String>> {
        session.first("SELECT words FROM notes", &[], read::text)
    }

    /// The thread that runs requests tries once without waiting; another thread waits.
    #[tokio::test]
    async fn a_read_that_waits_for_a_lock_delays_no_other_task() {
        let (_folder, other, readers) = locked();
        other.execute_batch("COMMIT").unwrap();
        assert!(readers.read_few(words).await.is_ok());
        other.execute_batch("BEGIN EXCLUSIVE").unwrap();
        let caller = std::thread::current().id();
        let runs = Arc::new(Mutex::new(Vec::new()));
        let run = Arc::clone(&runs);
        let reading = readers.read_few(move |session| {
            let wait_ms = session.first("PRAGMA busy_timeout", &[], read::number)?.unwrap();
            run.lock().unwrap().push((std::thread::current().id() == caller, wait_ms));
            words(session)
        });
        let (words, ()) = tokio::join!(reading, async { other.execute_batch("COMMIT").unwrap() });
        assert_eq!(words.unwrap().as_deref(), Some("kept"));
        let longest = i64::try_from(connection::BUSY_TIMEOUT.as_millis()).unwrap();
        assert_eq!(
            *runs.lock().unwrap(),
            [(true, 0), (false, longest)],
            "whether the caller's thread ran it, and its wait"
        );
    }

    #[tokio::test]
    async fn only_some_reads_of_many_rows_run_at_a_time_and_they_delay_no_read_of_a_few() {
        let (_folder, other, readers) = locked();
        other.execute_batch("COMMIT").unwrap();
        let (go_on, wait) = channel::<()>();
        let (running, wait) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(wait)));
        let mut reads = JoinSet::new();
        for _ in 0..4 * MAX_READS {
            let (readers, running, wait) = (readers.clone(), Arc::clone(&running), Arc::clone(&wait));
            reads.spawn(async move {
                let read = readers.read_many(move |session| {
                    let at_once = running.fetch_add(1, Ordering::SeqCst) + 1;
                    assert!(wait.lock().unwrap().recv().is_err());
                    words(session)?;
                    running.fetch_sub(1, Ordering::SeqCst);
                    Ok(at_once)
                });
                read.await.unwrap()
            });
        }
        while running.load(Ordering::SeqCst) < MAX_READS {
            tokio::task::yield_now().await;
        }
        assert_eq!(readers.read_few(words).await.unwrap().as_deref(), Some("kept"));
        tokio::task::spawn_blocking(|| ()).await.unwrap();
        drop(go_on);
        assert_eq!(reads.join_all().await.into_iter().max(), Some(MAX_READS), "reads at a time");
    }

    #[tokio::test]
    async fn a_panic_fails_its_own_read() {
        let (_folder, other, readers) = locked();
        other.execute_batch("COMMIT").unwrap();
        let panicking = |_: &mut dyn Session| -> Result<()> { panic!("planted") };
        for _ in 0..10 {
            assert!(matches!(readers.read_few(panicking).await, Err(Error::Broken(_))));
            assert!(matches!(readers.read_many(panicking).await, Err(Error::Broken(_))));
            assert_eq!(readers.read_few(words).await.unwrap().as_deref(), Some("kept"));
        }
    }
}
