//! The one thread that writes. It commits all tasks that wait as one transaction, because a durable commit costs
//! milliseconds however much it holds.

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

/// Most tasks in one transaction. More would not raise the rate, and would delay the first.
const MAX_GROUP: usize = 128;
/// Most tasks that may wait. Further callers are refused, so that nobody waits for long.
const QUEUE_CAPACITY: usize = 4096;

/// A handle to the writing thread. Dropping it waits until all tasks are done and the thread has ended.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn WriteTask>>>,
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

    /// Runs `work` in a transaction and returns when it is durable. When `work` fails, everything is rolled back. `work` may be
    /// called twice, the second time after a rollback.
    pub(super) async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn ExclusiveSession) -> Result<T> + Send + 'static,
    {
        let (task, outcome) = write_task(work);
        let queue = self.queue.as_ref().expect("the queue is there until drop");
        queue.try_send(task).map_err(|_| unavailable("too many operations wait for the database"))?;
        outcome.await.unwrap_or_else(|_| Err(unavailable("the database writer stopped")))
    }

    /// How many tasks wait.
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

fn run(connection: &Connection, randomness: &dyn Randomness, mut waiting: mpsc::Receiver<Box<dyn WriteTask>>) {
    let mut group = Vec::with_capacity(MAX_GROUP);
    while waiting.blocking_recv_many(&mut group, MAX_GROUP) > 0 {
        let committed = commit(connection, randomness, &mut group);
        if committed.is_err() && !connection.is_autocommit() {
            // Without this the next BEGIN would fail, and all after it.
            drop(connection.execute_batch("ROLLBACK"));
        }
        // Each caller gets the cause, and logs it with what it was doing.
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
        // One failed, which is rare. All are rolled back and run again, each behind a savepoint so that it can be rolled back
        // alone. Savepoints in every transaction would cost a third of the rate.
        if !connection.is_autocommit() {
            connection.prepare_cached("ROLLBACK")?.execute([])?;
        }
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for task in group {
            connection.prepare_cached("SAVEPOINT task")?.execute([])?;
            if !task.run(session) {
                // A full disk makes SQLite roll back everything; then the next statement fails, and with it the group.
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
