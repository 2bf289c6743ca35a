//! The one thread that writes. It takes what waits and commits it as one transaction, because a durable commit costs
//! milliseconds however much it holds. What is written is none of its business.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::domain::store::{Error, Result};

/// Operations in one transaction: more would not raise the rate and delay the first.
const BATCH: usize = 128;
/// Operations that wait; a caller beyond that is turned away, so that waiting stays short.
const WAITING: usize = 4096;

/// A handle to the writing thread, which ends when the handle is dropped and all that waited is done.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn Operation>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    /// Starts the thread, which owns `connection` from then on.
    pub(super) fn start(connection: Connection) -> std::io::Result<Self> {
        let (queue, waiting) = mpsc::channel(WAITING);
        let thread =
            std::thread::Builder::new().name("sqlite-writer".to_owned()).spawn(move || run(&connection, waiting))?;
        Ok(Self { queue: Some(queue), thread: Mutex::new(Some(thread)) })
    }

    /// Runs `work` in a transaction and answers when it is durable. When `work` fails nothing of it remains. It may be run
    /// twice, with everything undone in between.
    pub(super) async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let task = Task { work, outcome: None, reply: Some(reply) };
        let queue = self.queue.as_ref().expect("the queue is there until drop");
        queue.try_send(Box::new(task)).map_err(|_| unavailable("too many operations wait for the database"))?;
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

fn unavailable(reason: &'static str) -> Error {
    Error::Unavailable(reason.into())
}

/// One caller's work, its outcome and the way back to the caller.
trait Operation: Send {
    /// Runs the work. `false` when it failed and must be undone.
    fn run(&mut self, connection: &Connection) -> bool;
    /// Answers the caller, now that it is known whether the transaction was committed.
    fn answer(self: Box<Self>, is_committed: bool);
}

struct Task<T, F> {
    work: F,
    outcome: Option<Result<T>>,
    reply: Option<oneshot::Sender<Result<T>>>,
}

impl<T, F> Operation for Task<T, F>
where
    T: Send,
    F: FnMut(&Connection) -> Result<T> + Send,
{
    fn run(&mut self, connection: &Connection) -> bool {
        let work = &mut self.work;
        // A panic must not take the thread away from all other callers.
        let outcome = catch_unwind(AssertUnwindSafe(|| work(connection)))
            .unwrap_or_else(|_| Err(Error::Broken("a database operation panicked".into())));
        self.outcome.insert(outcome).is_ok()
    }

    fn answer(mut self: Box<Self>, is_committed: bool) {
        let outcome = match self.outcome.take() {
            Some(Err(error)) => Err(error),
            Some(Ok(value)) if is_committed => Ok(value),
            _ => Err(unavailable("the transaction could not be committed")),
        };
        if let Some(reply) = self.reply.take() {
            // The caller may have gone away; the work stands all the same.
            drop(reply.send(outcome));
        }
    }
}

fn run(connection: &Connection, mut waiting: mpsc::Receiver<Box<dyn Operation>>) {
    let mut batch = Vec::with_capacity(BATCH);
    while waiting.blocking_recv_many(&mut batch, BATCH) > 0 {
        let committed = commit(connection, &mut batch);
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

fn commit(connection: &Connection, batch: &mut [Box<dyn Operation>]) -> rusqlite::Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    if !batch.iter_mut().all(|operation| operation.run(connection)) {
        // One failed, which is rare: undo all and run them again, each so that it can be undone alone. Savepoints for every
        // operation would cost a third of the rate.
        if !connection.is_autocommit() {
            connection.prepare_cached("ROLLBACK")?.execute([])?;
        }
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for operation in batch {
            connection.prepare_cached("SAVEPOINT operation")?.execute([])?;
            if !operation.run(connection) {
                // A full disk makes SQLite roll back everything; then the next statement fails, and with it the group.
                connection.prepare_cached("ROLLBACK TO operation")?.execute([])?;
            }
            connection.prepare_cached("RELEASE operation")?.execute([])?;
        }
    }
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(())
}
