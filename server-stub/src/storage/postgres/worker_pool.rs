//! Threads that serve one queue, each with its own connection. Whoever starts a pool says what is done with the items.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use tokio::sync::{mpsc, oneshot};

use crate::domain::store::{Error, Result};
use crate::storage::operation::{Operation, unavailable};

use super::reconnecting::Reconnecting;
use super::session::PostgresSession;

/// Items that may wait. Further callers are refused, so that waiting stays short.
const QUEUE_CAPACITY: usize = 4096;

/// A queue and the threads that serve it. They end when this is dropped and all that waited is done.
pub(super) struct WorkerPool<I> {
    queue: Option<mpsc::Sender<I>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    is_closing: Arc<AtomicBool>,
}

impl<I: Send + 'static> WorkerPool<I> {
    /// Starts `count` threads that take up to `at_once` items at a time, each with a connection that `connect` makes.
    pub(super) fn start(
        connect: &dyn Fn() -> Reconnecting,
        name: &str,
        (count, at_once): (usize, usize),
        serve: fn(&mut Reconnecting, Vec<I>),
    ) -> io::Result<Self> {
        let (queue, waiting) = mpsc::channel(QUEUE_CAPACITY);
        let waiting = Arc::new(Mutex::new(waiting));
        let is_closing = Arc::new(AtomicBool::new(false));
        let start = |_| {
            let (waiting, is_closing, connection) = (Arc::clone(&waiting), Arc::clone(&is_closing), connect());
            Builder::new()
                .name(format!("postgres-{name}"))
                .spawn(move || run(&waiting, &is_closing, connection, (at_once, serve)))
        };
        let threads = (0..count).map(start).collect::<io::Result<_>>()?;
        Ok(Self { queue: Some(queue), threads: Mutex::new(threads), is_closing })
    }

    /// Items that were added and not taken yet.
    pub(super) fn waiting(&self) -> u64 {
        self.queue.as_ref().map_or(0, |queue| (queue.max_capacity() - queue.capacity()) as u64)
    }

    /// Adds an item.
    pub(super) fn send(&self, item: I) -> Result<()> {
        let queue = self.queue.as_ref().expect("the queue is there until drop");
        queue.try_send(item).map_err(|_| unavailable("too many operations wait for the database"))
    }
}

fn run<I>(
    waiting: &Mutex<mpsc::Receiver<I>>,
    is_closing: &AtomicBool,
    mut connection: Reconnecting,
    (at_once, serve): (usize, fn(&mut Reconnecting, Vec<I>)),
) {
    loop {
        let mut taken = Vec::new();
        // Whoever has the lock waits for work; the others wait for the lock.
        waiting.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv_many(&mut taken, at_once);
        if taken.is_empty() {
            return;
        }
        if is_closing.load(Ordering::Relaxed) && connection.is_down() {
            // The store closes and the database does not answer: it is not tried once more for each item.
            continue;
        }
        serve(&mut connection, taken);
    }
}

impl<I> Drop for WorkerPool<I> {
    // Waiting for the threads makes the end of a store definite: all is written and the connections are closed.
    fn drop(&mut self) {
        self.is_closing.store(true, Ordering::Relaxed);
        drop(self.queue.take());
        for thread in self.threads.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // A panic of the thread was reported when it happened.
            drop(thread.join());
        }
    }
}

impl<I> fmt::Debug for WorkerPool<I> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WorkerPool").finish_non_exhaustive()
    }
}

/// Runs operations in one transaction, because a durable commit costs milliseconds however much it holds; one after the other
/// when one of them fails.
pub(super) fn write_group(connection: &mut Reconnecting, mut group: Vec<Box<dyn Operation>>) {
    let committed = connection.transaction(&mut |session| {
        let has_failed = group.iter_mut().any(|operation| !operation.run(session));
        if has_failed { Err(unavailable("one of a group failed")) } else { Ok(()) }
    });
    // What may have been committed is not run again: it would find its own rows and fail.
    if committed.is_ok() || group.len() == 1 || connection.is_down() {
        for operation in group {
            operation.answer(committed.is_ok());
        }
        return;
    }
    for mut operation in group {
        let committed = connection.transaction(&mut |session| {
            if operation.run(session) { Ok(()) } else { Err(unavailable("it failed")) }
        });
        operation.answer(committed.is_ok());
    }
}

/// An input, and where its answer is sent.
pub(super) type Asked<I, O> = (I, oneshot::Sender<Result<O>>);

/// Handles many inputs in one transaction and answers each. An error concerns all of them.
type Batch<I, O> = fn(&mut PostgresSession<'_>, &[I]) -> Result<Vec<Result<O>>>;

/// Runs many inputs of one kind in one transaction, one after the other when that fails.
pub(super) fn write_batch<I, O>(connection: &mut Reconnecting, asked: Vec<Asked<I, O>>, run: Batch<I, O>) {
    let (inputs, replies): (Vec<_>, Vec<_>) = asked.into_iter().unzip();
    if inputs.len() > 1
        && let Ok(outcomes) = connection.transaction(&mut |session| run(session, &inputs))
    {
        replies.into_iter().zip(outcomes).for_each(|(reply, outcome)| drop(reply.send(outcome)));
        return;
    }
    if inputs.len() > 1 && connection.is_down() {
        let gone = || Err(unavailable("the connection to the database broke"));
        for reply in replies {
            drop(reply.send(gone()));
        }
        return;
    }
    for (input, reply) in inputs.iter().zip(replies) {
        let outcome = connection.transaction(&mut |session| {
            let outcome = run(session, std::slice::from_ref(input))?.pop();
            outcome.unwrap_or_else(|| Err(Error::Broken("a batch has no answer".into())))
        });
        drop(reply.send(outcome));
    }
}
