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
use super::migration;
use super::quota_windows::{WaitingLease, lease_each};
use super::reconnecting::Reconnecting;
use super::threads::Threads;
use super::worker_pool::{Request, WorkerPool, write_batch, write_group};

/// Number of threads that read.
const READERS: usize = 3;
/// Number of threads that read many rows. They are separate so that lists do not delay the reads of every request.
const SCANNERS: usize = 2;
/// Number of threads that write many tasks in one transaction.
const WRITERS: usize = 2;
/// Number of threads that write one task per transaction: claims, attempts, and changes that take named locks.
const LONE_WRITERS: usize = 3;
/// Number of threads that store captured leads, one per transaction. They are separate so that claims and attempts do not wait
/// behind a burst of forms: sending a form needs no key.
const CAPTURERS: usize = 1;
/// Number of threads that lease parts of keys' quotas.
const KEY_LEASERS: usize = 2;
/// Number of threads that lease parts of addresses' quotas. They are separate so that keys do not wait behind addresses:
/// sending from many addresses needs no key.
const ADDRESS_LEASERS: usize = 1;
/// Maximum number of tasks in one transaction. More would not raise the throughput, but would delay the first.
const MAX_GROUP: usize = 64;
/// Maximum number of submissions, starts or completions in one transaction.
const MAX_BATCH: usize = 128;

type Read = Box<dyn FnOnce(&mut Reconnecting) + Send>;

/// One database, with a few connections.
#[derive(Debug)]
pub(in crate::storage) struct Postgres {
    readers: WorkerPool<Read>,
    scanners: WorkerPool<Read>,
    writers: WorkerPool<Box<dyn WriteTask>>,
    lone_writers: WorkerPool<Box<dyn WriteTask>>,
    captures: WorkerPool<Box<dyn WriteTask>>,
    pub(in crate::storage) submissions: WorkerPool<Request<Submission, Submitted>>,
    pub(in crate::storage) starts: WorkerPool<Request<JobStart, Option<Job>>>,
    pub(in crate::storage) completions: WorkerPool<Request<JobCompletion, LeaseOutcome>>,
    key_leases: WorkerPool<WaitingLease>,
    address_leases: WorkerPool<WaitingLease>,
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
    ) -> Result<Self, OpenError> {
        let now = migration::migrate(address, &**randomness)?;
        if let Some(clock) = clock {
            clock.set_reference(now);
        }
        Self::start(address, wakeups, clock, randomness)
            .map_err(|error| OpenError::PostgresAway { host: address.host(), source: error.into() })
    }

    fn start(
        address: &Address,
        wakeups: &Arc<Wakeups>,
        clock: Option<&Arc<SlewedClock>>,
        randomness: &Arc<dyn Randomness>,
    ) -> io::Result<Self> {
        let threads = Threads::new();
        let connect = &|| Reconnecting::new(address.clone(), Arc::clone(randomness), threads.cut_off());
        Ok(Self {
            readers: WorkerPool::start(&threads, connect, "reader", (READERS, 1), read_each)?,
            scanners: WorkerPool::start(&threads, connect, "scanner", (SCANNERS, 1), read_each)?,
            writers: WorkerPool::start(&threads, connect, "writer", (WRITERS, MAX_GROUP), write_group)?,
            lone_writers: WorkerPool::start(&threads, connect, "lone-writer", (LONE_WRITERS, 1), write_group)?,
            captures: WorkerPool::start(&threads, connect, "capture", (CAPTURERS, 1), write_group)?,
            submissions: WorkerPool::start(&threads, connect, "submit", (2, MAX_BATCH), |connection, requests| {
                write_batch(connection, requests, |session, submissions| submission::submit(session, submissions));
            })?,
            starts: WorkerPool::start(&threads, connect, "begin", (1, MAX_BATCH), |connection, requests| {
                write_batch(connection, requests, |session, starts| {
                    Ok(claims::begin(session, starts)?.into_iter().map(Ok).collect())
                });
            })?,
            completions: WorkerPool::start(&threads, connect, "complete", (1, MAX_BATCH), |connection, requests| {
                write_batch(connection, requests, |session, completions| {
                    Ok(completion::complete(session, completions)?.into_iter().map(Ok).collect())
                });
            })?,
            key_leases: WorkerPool::start(&threads, connect, "key-leaser", (KEY_LEASERS, 1), lease_each)?,
            address_leases: WorkerPool::start(&threads, connect, "address-leaser", (ADDRESS_LEASERS, 1), lease_each)?,
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
