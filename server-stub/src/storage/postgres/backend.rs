//! PostgreSQL as a [`Backend`]: which pool of threads does which work.

use std::io;
use std::sync::Arc;

use tokio::sync::oneshot;

use crate::domain::randomness::Randomness;
use crate::domain::slewed_clock::SlewedClock;
use crate::domain::store::{JobCompletion, LeaseOutcome, Result, Submission, Submitted};
use crate::domain::wakeup::Wakeups;
use crate::storage::OpenError;
use crate::storage::backend::{Backend, Hint};
use crate::storage::operation::{Operation, operation, unavailable};
use crate::storage::sql::Session;
use crate::storage::statements::{completion, submission};

use super::address::Address;
use super::hints::Hints;
use super::migration;
use super::reconnecting::Reconnecting;
use super::worker_pool::{Asked, WorkerPool, write_batch, write_group};

/// Threads that read.
const READERS: usize = 3;
/// Threads that read many rows, so that lists do not hold up what every request reads.
const SCANNERS: usize = 2;
/// Threads that write small things in groups.
const WRITERS: usize = 2;
/// Threads that write what stands alone: claims, attempts, failures.
const ALONE: usize = 3;
/// Operations in one transaction: more would not raise the rate and delay the first.
const GROUP: usize = 64;
/// Submissions or completions in one transaction.
const BATCH: usize = 128;

type Read = Box<dyn FnOnce(&mut Reconnecting) + Send>;

/// One database, over a handful of connections.
#[derive(Debug)]
pub(in crate::storage) struct Postgres {
    readers: WorkerPool<Read>,
    scanners: WorkerPool<Read>,
    writers: WorkerPool<Box<dyn Operation>>,
    alone: WorkerPool<Box<dyn Operation>>,
    submissions: WorkerPool<Asked<Submission, Submitted>>,
    completions: WorkerPool<Asked<JobCompletion, LeaseOutcome>>,
    hints: Hints,
}

impl Postgres {
    /// Refuses what is not ours or cannot be used, without changing it. Answers the check of the key for secrets, if the
    /// database has one.
    pub(in crate::storage) fn inspect(address: &Address) -> Result<Option<[u8; 32]>, OpenError> {
        migration::inspect(address)
    }

    /// Opens the database, bringing its schema up to date. Hints of other processes arrive at
    /// `wakeups`; `clock` is told the database's time, by which leases are counted.
    pub(in crate::storage) fn open(
        address: &Address,
        wakeups: &Arc<Wakeups>,
        clock: Option<&Arc<SlewedClock>>,
        randomness: &Arc<dyn Randomness>,
    ) -> Result<Self, OpenError> {
        let now = migration::migrate(address, &**randomness)?;
        if let Some(clock) = clock {
            clock.tell(now);
        }
        let connect = &|| Reconnecting::new(address.clone(), Arc::clone(randomness));
        let start = || -> io::Result<Self> {
            Ok(Self {
                readers: WorkerPool::start(connect, "reader", (READERS, 1), |connection, reads: Vec<Read>| {
                    for read in reads {
                        read(connection);
                    }
                })?,
                scanners: WorkerPool::start(connect, "scanner", (SCANNERS, 1), |connection, reads: Vec<Read>| {
                    for read in reads {
                        read(connection);
                    }
                })?,
                writers: WorkerPool::start(connect, "writer", (WRITERS, GROUP), write_group)?,
                alone: WorkerPool::start(connect, "alone", (ALONE, 1), write_group)?,
                submissions: WorkerPool::start(connect, "submit", (2, BATCH), |connection, asked| {
                    write_batch(connection, asked, |session, submissions| submission::submit(session, submissions));
                })?,
                completions: WorkerPool::start(connect, "complete", (1, BATCH), |connection, asked| {
                    write_batch(connection, asked, |session, completions| {
                        Ok(completion::complete(session, completions)?.into_iter().map(Ok).collect())
                    });
                })?,
                hints: Hints::start(address, Arc::clone(wakeups), clock.cloned())?,
            })
        };
        start().map_err(|error| OpenError::PostgresAway { host: address.host(), source: error.into() })
    }

    /// The schema version that every opened database has.
    pub(in crate::storage) const fn schema_version() -> u32 {
        migration::NEWEST
    }
}

impl Backend for Postgres {
    async fn point<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        read(&self.readers, work).await
    }

    async fn scan<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        read(&self.scanners, work).await
    }

    async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        let (operation, answer) = operation(work);
        self.writers.send(operation)?;
        answer.await.unwrap_or_else(|_| Err(unavailable("the database writer stopped")))
    }

    async fn write_alone<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        let (operation, answer) = operation(work);
        self.alone.send(operation)?;
        answer.await.unwrap_or_else(|_| Err(unavailable("the database writer stopped")))
    }

    async fn submit(&self, submission: Submission) -> Result<Submitted> {
        let (reply, answer) = oneshot::channel();
        self.submissions.send((submission, reply))?;
        answer.await.unwrap_or_else(|_| Err(unavailable("the database writer stopped")))
    }

    async fn complete(&self, completion: JobCompletion) -> Result<LeaseOutcome> {
        let (reply, answer) = oneshot::channel();
        self.completions.send((completion, reply))?;
        answer.await.unwrap_or_else(|_| Err(unavailable("the database writer stopped")))
    }

    fn waiting(&self) -> u64 {
        let writers = self.writers.waiting() + self.alone.waiting();
        writers
            + self.submissions.waiting()
            + self.completions.waiting()
            + self.readers.waiting()
            + self.scanners.waiting()
    }

    fn hint(&self, hint: Hint) {
        self.hints.send(hint);
    }
}

async fn read<T, F>(pool: &WorkerPool<Read>, mut work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    pool.send(Box::new(move |connection| drop(reply.send(connection.read(&mut |session| work(session))))))?;
    answer.await.unwrap_or_else(|_| Err(unavailable("the database reader stopped")))
}
