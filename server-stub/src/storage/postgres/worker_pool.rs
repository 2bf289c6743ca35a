//! Threads that serve one queue, with connections of a lane. The caller passes in the function that handles the items.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot};

use crate::domain::store::Result;
use crate::storage::panics::{caught, panicked};
use crate::storage::sql::{ExclusiveSession, Session};
use crate::storage::write_task::{NotCommitted, WriteTask, unavailable, write_task};

use super::lane::Lane;
use super::reconnecting::Reconnecting;
use super::session::PostgresSession;
use super::threads::Threads;

/// Maximum number of waiting items. Further calls are refused, so that no caller waits for long.
const QUEUE_CAPACITY: usize = 4096;

/// A queue that threads serve. When it is dropped, they finish the waiting items and end.
pub(in crate::storage) struct WorkerPool<I> {
    queue: mpsc::Sender<I>,
}

impl<I: Send + 'static> WorkerPool<I> {
    /// Starts up to `count` threads that take up to `max_items` items at a time, and serve them with a connection of `lane`.
    pub(super) fn start(
        threads: &Threads,
        lane: &Arc<Lane>,
        name: &'static str,
        (count, max_items): (usize, usize),
        serve: fn(&mut Reconnecting, Vec<I>),
    ) -> io::Result<Self> {
        let (queue, waiting) = mpsc::channel(QUEUE_CAPACITY);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..lane.threads(count) {
            let (waiting, lane) = (Arc::clone(&waiting), Arc::clone(lane));
            threads.start(name, move || run(&waiting, &lane, name, (max_items, serve)))?;
        }
        Ok(Self { queue })
    }

    /// Returns the number of waiting items.
    pub(super) fn waiting(&self) -> u64 {
        (self.queue.max_capacity() - self.queue.capacity()) as u64
    }

    /// Adds an item.
    pub(super) fn send(&self, item: I) -> Result<()> {
        self.queue.try_send(item).map_err(|_| unavailable("too many operations wait for the database"))
    }
}

/// Work that needs no transaction.
pub(in crate::storage) type Read = Box<dyn FnOnce(&mut Reconnecting) + Send>;

impl WorkerPool<Read> {
    /// Runs `work` without a transaction. It may run twice.
    pub(in crate::storage) async fn read<T, F>(&self, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        let (sender, outcome) = oneshot::channel();
        self.send(Box::new(move |connection| {
            // Without a caller, the outcome would be lost.
            if !sender.is_closed() {
                drop(sender.send(connection.read(&mut |session| work(session))));
            }
        }))?;
        outcome.await.unwrap_or_else(|_| Err(panicked()))
    }
}

impl WorkerPool<Box<dyn WriteTask>> {
    /// Runs `work` in a transaction. It may run several times, each time after a rollback.
    pub(in crate::storage) async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn ExclusiveSession) -> Result<T> + Send + 'static,
    {
        let (task, outcome) = write_task(work);
        self.send(task)?;
        outcome.await.unwrap_or_else(|_| Err(panicked()))
    }
}

/// An input, and the channel for its outcome.
pub(in crate::storage) type Request<I, O> = (I, oneshot::Sender<Result<O>>);

impl<I: Send + 'static, O: Send + 'static> WorkerPool<Request<I, O>> {
    /// Handles an input in a transaction with others.
    pub(in crate::storage) async fn call(&self, input: I) -> Result<O> {
        let (sender, outcome) = oneshot::channel();
        self.send((input, sender))?;
        outcome.await.unwrap_or_else(|_| Err(panicked()))
    }
}

fn run<I>(
    waiting: &Mutex<mpsc::Receiver<I>>,
    lane: &Lane,
    name: &'static str,
    (max_items, serve): (usize, fn(&mut Reconnecting, Vec<I>)),
) {
    loop {
        // The thread with the lock waits for work. The other threads wait for the lock.
        let mut queue = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(first) = queue.blocking_recv() else { return };
        let mut connection = lane.take(name);
        // More items may have come while no connection was idle.
        let more = std::iter::from_fn(|| queue.try_recv().ok()).take(max_items - 1);
        let taken = std::iter::once(first).chain(more).collect();
        let is_closing = queue.is_closed();
        drop(queue);
        // If the database is unavailable, connecting again for each item would take too long.
        if !(is_closing && connection.is_down())
            && catch_unwind(AssertUnwindSafe(|| serve(&mut connection, taken))).is_err()
        {
            // The callers of the taken items see the error through their closed channels. The state of the
            // connection is unknown.
            connection.disconnect();
        }
        lane.put_back(name, connection);
    }
}

impl<I> fmt::Debug for WorkerPool<I> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WorkerPool").finish_non_exhaustive()
    }
}

pub(super) fn read_each(connection: &mut Reconnecting, reads: Vec<Read>) {
    for read in reads {
        read(connection);
    }
}

/// Runs tasks in one transaction, because a durable commit takes milliseconds whatever its size. If a task fails, runs each
/// task in a separate transaction.
pub(super) fn write_group(connection: &mut Reconnecting, mut group: Vec<Box<dyn WriteTask>>) {
    let committed = connection.transaction(&mut |session| {
        let is_done = group.iter_mut().all(|task| task.run(session));
        if is_done { Ok(()) } else { Err(unavailable("a task failed")) }
    });
    if committed.is_err() && group.len() > 1 && !connection.is_down() {
        for task in group {
            write_group(connection, vec![task]);
        }
        return;
    }
    // If the connection broke, the transaction may have been committed. A second run would find its rows and fail.
    let committed = committed.map_err(NotCommitted::from);
    for task in group {
        task.reply(&committed);
    }
}

/// Handles many inputs in one transaction, with an outcome for each. An error applies to all of them.
type Batch<I, O> = fn(&mut PostgresSession<'_>, &[I]) -> Result<Vec<Result<O>>>;

/// Handles many inputs of one kind in one transaction. If that fails, handles each in a separate transaction.
pub(super) fn write_batch<I, O>(connection: &mut Reconnecting, requests: Vec<Request<I, O>>, run: Batch<I, O>) {
    let (inputs, senders): (Vec<_>, Vec<_>) = requests.into_iter().unzip();
    let outcomes = match connection.transaction(&mut |session| caught(|| run(session, &inputs))) {
        Ok(outcomes) => outcomes,
        Err(error) if inputs.len() == 1 => vec![Err(error)],
        // The transaction may have been committed, so it is not run again.
        Err(error) if connection.is_down() => {
            let cause = NotCommitted::from(error);
            inputs.iter().map(|_| Err(cause.clone().into())).collect()
        }
        // One input may have caused the error.
        Err(_) => {
            return inputs.into_iter().zip(senders).for_each(|request| write_batch(connection, vec![request], run));
        }
    };
    senders.into_iter().zip(outcomes).for_each(|(sender, outcome)| drop(sender.send(outcome)));
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use crate::storage::no_randomness::NoRandomness;
    use crate::storage::postgres::Address;

    type Item = Box<dyn FnOnce() + Send>;

    /// Starts a pool with this number of threads. Its items use no connection.
    fn pool(threads: &Threads, count: usize) -> WorkerPool<Item> {
        let address = Address::parse("postgres://nobody@127.0.0.1:1/nowhere").unwrap();
        let connect = || Reconnecting::new(address.clone(), Arc::new(NoRandomness), threads.cut_off());
        let lane = Arc::new(Lane::new(2, connect));
        let serve = |_: &mut Reconnecting, items: Vec<Item>| items.into_iter().for_each(|item| item());
        WorkerPool::start(threads, &lane, "test", (count, 1), serve).unwrap()
    }

    #[test]
    fn a_panic_costs_one_item_and_no_thread() {
        let threads = Threads::new();
        let pool = pool(&threads, 2);
        for _ in 0..10 {
            pool.send(Box::new(|| panic!("planted"))).unwrap();
        }
        let (sender, done) = channel();
        pool.send(Box::new(move || sender.send(()).unwrap())).unwrap();
        assert_eq!(done.recv_timeout(Duration::from_mins(1)), Ok(()));
        drop((pool, threads));
    }

    #[test]
    fn a_pool_that_closes_before_its_first_connection_serves_what_waits() {
        let threads = Threads::new();
        let pool = pool(&threads, 1);
        let ((go_on, wait), (sender, done)) = (channel::<()>(), channel());
        pool.send(Box::new(move || wait.recv().unwrap())).unwrap();
        pool.send(Box::new(move || sender.send(()).unwrap())).unwrap();
        drop(pool);
        go_on.send(()).unwrap();
        assert_eq!(done.recv_timeout(Duration::from_mins(1)), Ok(()));
    }
}
