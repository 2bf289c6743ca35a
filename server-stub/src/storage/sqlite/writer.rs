//! The one thread that writes. It takes what waits and commits it as one transaction, because a durable commit costs
//! milliseconds however much it holds. What is written is none of its business.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::mpsc;

use crate::domain::failpoint::{self, Point};
use crate::domain::randomness::Randomness;
use crate::domain::store::Result;
use crate::storage::operation::{Operation, operation, unavailable};
use crate::storage::sql::Session;

use super::session::SqliteSession;

/// Operations in one transaction: more would not raise the rate and delay the first.
const BATCH: usize = 128;
/// Operations that may wait. Further callers are refused, so that waiting stays short.
const QUEUE_CAPACITY: usize = 4096;

/// A handle to the writing thread, which ends when the handle is dropped and all that waited is done.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn Operation>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    /// Starts the thread, which owns `connection` from then on.
    pub(super) fn start(connection: Connection, randomness: Arc<dyn Randomness>) -> std::io::Result<Self> {
        let (queue, waiting) = mpsc::channel(QUEUE_CAPACITY);
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || run(&connection, &*randomness, waiting))?;
        Ok(Self { queue: Some(queue), thread: Mutex::new(Some(thread)) })
    }

    /// Runs `work` in a transaction and answers when it is durable. When `work` fails nothing of it remains. It may be run
    /// twice, with everything undone in between.
    pub(super) async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        let (operation, answer) = operation(work);
        let queue = self.queue.as_ref().expect("the queue is there until drop");
        queue.try_send(operation).map_err(|_| unavailable("too many operations wait for the database"))?;
        answer.await.unwrap_or_else(|_| Err(unavailable("the database writer stopped")))
    }

    /// Operations that were handed over and not taken yet.
    pub(super) fn waiting(&self) -> u64 {
        self.queue.as_ref().map_or(0, |queue| (queue.max_capacity() - queue.capacity()) as u64)
    }
}

impl Drop for Writer {
    // Waiting for the thread makes the end of a store definite: all is written and the file's locks are free.
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // A panic of the thread was reported when it happened.
            drop(thread.join());
        }
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Writer").finish_non_exhaustive()
    }
}

fn run(connection: &Connection, randomness: &dyn Randomness, mut waiting: mpsc::Receiver<Box<dyn Operation>>) {
    let mut batch = Vec::with_capacity(BATCH);
    while waiting.blocking_recv_many(&mut batch, BATCH) > 0 {
        let committed = commit(connection, randomness, &mut batch);
        if let Err(error) = &committed {
            tracing::warn!(%error, operations = batch.len(), "a group of database operations was not committed");
            if !connection.is_autocommit() {
                // Without this the next BEGIN would fail, and all after it.
                drop(connection.execute_batch("ROLLBACK"));
            }
        }
        for operation in batch.drain(..) {
            operation.answer(committed.is_ok());
        }
    }
}

fn commit(
    connection: &Connection,
    randomness: &dyn Randomness,
    batch: &mut [Box<dyn Operation>],
) -> rusqlite::Result<()> {
    let session = &mut SqliteSession { connection, randomness };
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    if !batch.iter_mut().all(|operation| operation.run(session)) {
        // One failed, which is rare: undo all and run them again, each so that it can be undone alone. Savepoints for every
        // operation would cost a third of the rate.
        if !connection.is_autocommit() {
            connection.prepare_cached("ROLLBACK")?.execute([])?;
        }
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for operation in batch {
            connection.prepare_cached("SAVEPOINT operation")?.execute([])?;
            if !operation.run(session) {
                // A full disk makes SQLite roll back everything; then the next statement fails, and with it the group.
                connection.prepare_cached("ROLLBACK TO operation")?.execute([])?;
            }
            connection.prepare_cached("RELEASE operation")?.execute([])?;
        }
    }
    failpoint::hit(Point::WriterBeforeCommit);
    connection.prepare_cached("COMMIT")?.execute([])?;
    failpoint::hit(Point::WriterAfterCommit);
    Ok(())
}
