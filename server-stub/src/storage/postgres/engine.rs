//! One PostgreSQL database, and the pools of threads for each kind of work.

use std::io;
use std::sync::Arc;

use tokio::sync::oneshot;

use crate::clock::SlewedClock;
use crate::domain::job::Job;
use crate::domain::randomness::Randomness;
use crate::domain::store::{
    JobCompletion, JobStart, LeaseOutcome, QuotaLease, QuotaLeaseRequest, QuotaSubject, Result, Submission, Submitted,
};
use crate::storage::OpenError;
use crate::storage::hint::Hint;
use crate::storage::panics::panicked;
use crate::storage::sql::{ExclusiveSession, Session};
use crate::storage::write_task::{WriteTask, write_task};
use crate::storage::{claims, completion, submission};
use crate::wakeups::Wakeups;

use super::address::Address;
use super::hints::Hints;
use super::lane::Lane;
use super::migration;
use super::quota_windows::{WaitingLease, lease_each};
use super::reconnecting::Reconnecting;
use super::threads::Threads;
use super::worker_pool::{Request, WorkerPool, write_batch, write_group};

/// Minimum number of connections of a process: one for each lane, one for hints.
pub const MIN_CONNECTIONS: u16 = 4;
/// Maximum number of connections of a process: one for each thread of each queue, one for hints.
pub const MAX_CONNECTIONS: u16 = 19;

/// Maximum number of tasks in one transaction. More would not raise the throughput, but would delay the first.
const MAX_GROUP: usize = 64;
/// Maximum number of submissions, starts or completions in one transaction.
const MAX_BATCH: usize = 128;

type Read = Box<dyn FnOnce(&mut Reconnecting) + Send>;

/// One database. Each kind of work has a queue with its own threads. The queues of a lane share its connections; with all
/// connections, no thread waits for another.
///
/// | Lane | Queues, with the numbers of their threads | Connections of 4, 7, 10, 14, 19 |
/// |---|---|---|
/// | reading | readers 3, scanners 2, key leases 2, address leases 1 | 1, 3, 4, 6, 8 |
/// | writing | writers 2, submissions 2, starts 1, completions 1 | 1, 2, 3, 5, 6 |
/// | alone | lone writers 3, captures 1 | 1, 1, 2, 2, 4 |
/// | hints | | 1, 1, 1, 1, 1 |
#[derive(Debug)]
pub(in crate::storage) struct Postgres {
    /// Reads of one or a few rows.
    readers: WorkerPool<Read>,
    /// Reads of many rows. They are separate so that lists do not delay the reads of every request.
    scanners: WorkerPool<Read>,
    /// Leases of parts of keys' quotas.
    key_leases: WorkerPool<WaitingLease>,
    /// Leases of parts of addresses' quotas. They are separate so that keys do not wait behind addresses: sending from many
    /// addresses needs no key.
    address_leases: WorkerPool<WaitingLease>,
    /// Writes, many in one transaction.
    writers: WorkerPool<Box<dyn WriteTask>>,
    pub(in crate::storage) submissions: WorkerPool<Request<Submission, Submitted>>,
    pub(in crate::storage) starts: WorkerPool<Request<JobStart, Option<Job>>>,
    pub(in crate::storage) completions: WorkerPool<Request<JobCompletion, LeaseOutcome>>,
    /// Writes, one per transaction: claims, attempts, and changes that take named locks.
    lone_writers: WorkerPool<Box<dyn WriteTask>>,
    /// Captured leads, one per transaction. They are separate so that claims and attempts do not wait behind a burst of
    /// forms: sending a form needs no key.
    captures: WorkerPool<Box<dyn WriteTask>>,
    hints: Hints,
    /// The last field: all queues are closed before it is dropped.
    _threads: Threads,
}

impl Postgres {
    /// Checks that the database is ours and can be used, without changing it. Returns the check of the key for secrets, if
    /// the database has one.
    pub(in crate::storage) fn inspect(address: &Address) -> Result<Option<[u8; 32]>, OpenError> {
        if address.is_exposed() {
            tracing::warn!(
                host = address.host(),
                "connections to PostgreSQL are not encrypted; add sslmode=verify-full to the address, or sslmode=disable if the \
                 network is trusted"
            );
        }
        migration::inspect(address)
    }

    /// Opens the database and brings its schema up to date. Hints of other processes arrive at `wakeups`. `clock` follows
    /// the database's time, because leases use it.
    pub(in crate::storage) fn open(
        address: &Address,
        wakeups: &Arc<Wakeups>,
        clock: Option<&Arc<SlewedClock>>,
        randomness: &Arc<dyn Randomness>,
        connections: u16,
    ) -> Result<Self, OpenError> {
        let now = migration::migrate(address, &**randomness)?;
        if let Some(clock) = clock {
            clock.set_reference(now);
        }
        Self::start(address, wakeups, clock, randomness, connections)
            .map_err(|error| OpenError::PostgresAway { host: address.host(), source: error.into() })
    }

    fn start(
        address: &Address,
        wakeups: &Arc<Wakeups>,
        clock: Option<&Arc<SlewedClock>>,
        randomness: &Arc<dyn Randomness>,
        connections: u16,
    ) -> io::Result<Self> {
        let threads = Threads::new();
        let connect = || Reconnecting::new(address.clone(), Arc::clone(randomness), threads.cut_off());
        let [reading, writing, alone] = lane_sizes(connections).map(|size| Arc::new(Lane::new(size, connect)));
        Ok(Self {
            readers: WorkerPool::start(&threads, &reading, "reader", (3, 1), read_each)?,
            scanners: WorkerPool::start(&threads, &reading, "scanner", (2, 1), read_each)?,
            key_leases: WorkerPool::start(&threads, &reading, "key-leaser", (2, 1), lease_each)?,
            address_leases: WorkerPool::start(&threads, &reading, "address-leaser", (1, 1), lease_each)?,
            writers: WorkerPool::start(&threads, &writing, "writer", (2, MAX_GROUP), write_group)?,
            submissions: WorkerPool::start(&threads, &writing, "submit", (2, MAX_BATCH), |connection, requests| {
                write_batch(connection, requests, |session, submissions| submission::submit(session, submissions));
            })?,
            starts: WorkerPool::start(&threads, &writing, "begin", (1, MAX_BATCH), |connection, requests| {
                write_batch(connection, requests, |session, starts| {
                    Ok(claims::begin(session, starts)?.into_iter().map(Ok).collect())
                });
            })?,
            completions: WorkerPool::start(&threads, &writing, "complete", (1, MAX_BATCH), |connection, requests| {
                write_batch(connection, requests, |session, completions| {
                    Ok(completion::complete(session, completions)?.into_iter().map(Ok).collect())
                });
            })?,
            lone_writers: WorkerPool::start(&threads, &alone, "lone-writer", (3, 1), write_group)?,
            captures: WorkerPool::start(&threads, &alone, "capture", (1, 1), write_group)?,
            hints: Hints::start(&threads, address, Arc::clone(wakeups), clock.cloned())?,
            _threads: threads,
        })
    }

    /// Leases requests of `subject`, the caller's id in the database.
    pub(in crate::storage) async fn lease(&self, subject: String, request: QuotaLeaseRequest) -> Result<QuotaLease> {
        let leases = match request.subject {
            QuotaSubject::Key(_) => &self.key_leases,
            QuotaSubject::Address(_) => &self.address_leases,
        };
        leases.call((subject, request)).await
    }

    /// Returns the schema version of every opened database.
    pub(in crate::storage) const fn schema_version() -> u32 {
        migration::NEWEST
    }

    /// Reads one or a few rows by key.
    pub(in crate::storage) async fn read_few<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        read(&self.readers, work).await
    }

    /// Reads many rows.
    pub(in crate::storage) async fn read_many<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        read(&self.scanners, work).await
    }

    /// Runs `work` in one transaction with other work.
    pub(in crate::storage) async fn write<T, F>(&self, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        write_in(&self.writers, move |session| work(session)).await
    }

    /// Runs `work` in a separate transaction.
    pub(in crate::storage) async fn write_alone<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn ExclusiveSession) -> Result<T> + Send + 'static,
    {
        write_in(&self.lone_writers, work).await
    }

    /// Stores a captured lead like [`Postgres::write_alone`].
    pub(in crate::storage) async fn capture<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn ExclusiveSession) -> Result<T> + Send + 'static,
    {
        write_in(&self.captures, work).await
    }

    /// Returns how many tasks wait for a thread.
    pub(in crate::storage) fn waiting(&self) -> u64 {
        let writers = self.writers.waiting() + self.lone_writers.waiting() + self.captures.waiting();
        writers
            + self.submissions.waiting()
            + self.starts.waiting()
            + self.completions.waiting()
            + self.key_leases.waiting()
            + self.address_leases.waiting()
            + self.readers.waiting()
            + self.scanners.waiting()
    }

    /// Sends a hint to other processes.
    pub(in crate::storage) fn hint(&self, hint: Hint) {
        self.hints.send(hint);
    }
}

/// Returns the sizes of the lanes reading, writing and alone. They have 4, 3 and 2 of 9 connections, as far as that is possible.
fn lane_sizes(connections: u16) -> [usize; 3] {
    // One connection is for hints.
    let connections = usize::from(connections.clamp(MIN_CONNECTIONS, MAX_CONNECTIONS)) - 1;
    let reading = (connections * 4 + 4) / 9;
    let alone = (connections * 2 / 9).max(1);
    [reading, connections - reading - alone, alone]
}

fn read_each(connection: &mut Reconnecting, reads: Vec<Read>) {
    for read in reads {
        read(connection);
    }
}

async fn write_in<T, F>(pool: &WorkerPool<Box<dyn WriteTask>>, work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnMut(&mut dyn ExclusiveSession) -> Result<T> + Send + 'static,
{
    let (task, outcome) = write_task(work);
    pool.send(task)?;
    outcome.await.unwrap_or_else(|_| Err(panicked()))
}

async fn read<T, F>(pool: &WorkerPool<Read>, mut work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
{
    let (sender, outcome) = oneshot::channel();
    pool.send(Box::new(move |connection| drop(sender.send(connection.read(&mut |session| work(session))))))?;
    outcome.await.unwrap_or_else(|_| Err(panicked()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_share_all_connections() {
        for connections in MIN_CONNECTIONS..=MAX_CONNECTIONS {
            let sizes = lane_sizes(connections);
            assert_eq!(sizes.iter().sum::<usize>(), usize::from(connections) - 1, "{connections}");
            let fewer = lane_sizes(connections - 1);
            assert!(sizes.iter().zip(fewer).all(|(size, fewer)| *size >= fewer && fewer > 0), "{connections}");
        }
        let examples = [[1, 1, 1], [3, 2, 1], [4, 3, 2], [6, 5, 2], [8, 6, 4]];
        assert_eq!([4, 7, 10, 14, 19].map(lane_sizes), examples);
    }
}
