//! The only thread that writes. It commits all waiting tasks in one transaction, because a durable commit takes milliseconds
//! whatever its size.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::mpsc;

use crate::domain::randomness::Randomness;
use crate::domain::store::{Error, Result};
use crate::failpoints::{self, Point};
use crate::storage::sql::ExclusiveSession;
use crate::storage::write_task::{NotCommitted, WriteTask, unavailable, write_task};

use super::session::SqliteSession;

/// Maximum number of tasks in one transaction. More would not raise the throughput, but would delay the first.
const MAX_GROUP: usize = 128;
/// Maximum number of waiting tasks. Further calls are refused, so that no caller waits for long.
const QUEUE_CAPACITY: usize = 4096;

/// A handle to the writing thread. Dropping it waits until all tasks are done and the thread has ended.
pub(in crate::storage) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn WriteTask>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    /// Starts the thread. It owns `connection`.
    pub(super) fn start(connection: Connection, randomness: Arc<dyn Randomness>) -> std::io::Result<Self> {
        let (queue, waiting) = mpsc::channel(QUEUE_CAPACITY);
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || run(&connection, &*randomness, waiting))?;
        Ok(Self { queue: Some(queue), thread: Mutex::new(Some(thread)) })
    }

    /// Runs `work` in a transaction, perhaps together with other work, and returns when it is durable. If `work` fails, all its
    /// changes are rolled back. `work` may be called twice, the second time after a rollback. It never waits for a named lock,
    /// because there is only one writer.
    pub(in crate::storage) async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn ExclusiveSession) -> Result<T> + Send + 'static,
    {
        let (task, outcome) = write_task(work);
        let queue = self.queue.as_ref().expect("the queue is there until drop");
        queue.try_send(task).map_err(|_| unavailable("too many operations wait for the database"))?;
        outcome.await.unwrap_or_else(|_| Err(unavailable("the database writer stopped")))
    }

    /// Returns the number of waiting tasks.
    pub(in crate::storage) fn waiting(&self) -> u64 {
        self.queue.as_ref().map_or(0, |queue| (queue.max_capacity() - queue.capacity()) as u64)
    }
}

impl Drop for Writer {
    // Waits for the thread. Then all tasks are written and the file's locks are released.
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // A panic of the thread has already been logged.
            drop(thread.join());
        }
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Writer").finish_non_exhaustive()
    }
}

fn run(connection: &Connection, randomness: &dyn Randomness, mut waiting: mpsc::Receiver<Box<dyn WriteTask>>) {
    let mut group = Vec::with_capacity(MAX_GROUP);
    while waiting.blocking_recv_many(&mut group, MAX_GROUP) > 0 {
        let committed = commit(connection, randomness, &mut group);
        if committed.is_err() && !connection.is_autocommit() {
            // Without this, the next BEGIN would fail, and all later ones.
            drop(connection.execute_batch("ROLLBACK"));
        }
        // Each caller receives the cause and logs it with its operation.
        let committed = committed.map_err(|error| NotCommitted::from(Error::from(error)));
        for task in group.drain(..) {
            task.reply(&committed);
        }
    }
}

fn commit(
    connection: &Connection,
    randomness: &dyn Randomness,
    group: &mut [Box<dyn WriteTask>],
) -> rusqlite::Result<()> {
    let session = &mut SqliteSession { connection, randomness };
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    if !group.iter_mut().all(|task| task.run(session)) {
        // A task failed, which is rare. Roll all back and run them again, each with a savepoint, so that the failed one
        // can be rolled back alone. Savepoints in every transaction would cost a third of the throughput.
        if !connection.is_autocommit() {
            connection.prepare_cached("ROLLBACK")?.execute([])?;
        }
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for task in group {
            connection.prepare_cached("SAVEPOINT task")?.execute([])?;
            if !task.run(session) {
                // On a full disk, SQLite rolls back everything. Then the next statement fails, and the whole
                // group with it.
                connection.prepare_cached("ROLLBACK TO task")?.execute([])?;
            }
            connection.prepare_cached("RELEASE task")?.execute([])?;
        }
    }
    failpoints::hit(Point::WriterBeforeCommit);
    connection.prepare_cached("COMMIT")?.execute([])?;
    failpoints::hit(Point::WriterAfterCommit);
    Ok(())
}
