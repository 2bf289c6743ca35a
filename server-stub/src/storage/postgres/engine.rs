//! One PostgreSQL database, with queues, threads and connections for each kind of work.

use std::io;
use std::sync::Arc;

use crate::domain::job::Job;
use crate::domain::store::{
    JobCompletion, JobStart, LeaseOutcome, QuotaLease, QuotaLeaseRequest, QuotaSubject, Result, Submission, Submitted,
};
use crate::storage::write_task::WriteTask;
use crate::storage::{OpenError, Options};
use crate::storage::{completion, job_claims, submission};
use crate::wakeups::{Announcement, Wakeups};

use super::address::Address;
use super::announcements::Announcements;
use super::lane::{self, Lane};
use super::reconnecting::Reconnecting;
use super::threads::Threads;
use super::worker_pool::{Read, Request, WorkerPool, read_each, write_batch, write_group};
use super::{migration, quota_windows};

/// Maximum number of tasks in one transaction. More would not raise the throughput, but would delay the first.
const MAX_GROUP: usize = 64;
/// Maximum number of submissions, starts or completions in one transaction.
const MAX_BATCH: usize = 128;

/// One database. Each kind of work has a queue with its own threads. The queues of a lane share its connections; with all
/// connections, no thread waits for another.
///
/// | Lane | Queues, with the numbers of their threads | Connections of 4, 7, 10, 14, 19 |
/// |---|---|---|
/// | reading | readers 3, scanners 2, key leases 2, address leases 1 | 1, 3, 4, 6, 8 |
/// | writing | writers 2, submissions 2, starts 1, completions 1 | 1, 2, 3, 5, 6 |
/// | alone | lone writers 3, captures 1 | 1, 1, 2, 2, 4 |
/// | announcements | | 1, 1, 1, 1, 1 |
#[derive(Debug)]
pub(in crate::storage) struct Postgres {
    /// Reads of one or a few rows.
    pub(in crate::storage) readers: WorkerPool<Read>,
    /// Reads of many rows. They are separate so that lists do not delay the reads of every request.
    pub(in crate::storage) scanners: WorkerPool<Read>,
    /// Leases of parts of keys' quotas.
    key_leases: WorkerPool<Read>,
    /// Leases of parts of addresses' quotas. They are separate so that keys do not wait behind addresses: sending from many
    /// addresses needs no key.
    address_leases: WorkerPool<Read>,
    /// Writes, many in one transaction.
    pub(in crate::storage) writers: WorkerPool<Box<dyn WriteTask>>,
    pub(in crate::storage) submissions: WorkerPool<Request<Submission, Submitted>>,
    pub(in crate::storage) starts: WorkerPool<Request<JobStart, Option<Job>>>,
    pub(in crate::storage) completions: WorkerPool<Request<JobCompletion, LeaseOutcome>>,
    /// Writes, one per transaction: claims, attempts, and changes that take named locks.
    pub(in crate::storage) lone_writers: WorkerPool<Box<dyn WriteTask>>,
    /// Captured leads, one per transaction. They are separate so that claims and attempts do not wait behind a burst of
    /// forms: sending a form needs no key.
    pub(in crate::storage) captures: WorkerPool<Box<dyn WriteTask>>,
    announcements: Announcements,
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
                "connections to PostgreSQL are not encrypted; add sslmode=verify-full to the address, or sslmode=disable if \
                 the network is trusted"
            );
        }
        migration::inspect(address)
    }

    /// Opens the database and brings its schema up to date. Announcements of other processes arrive at `wakeups`.
    /// `options.clock` follows the database's time, because leases use it.
    pub(in crate::storage) fn open(
        address: &Address,
        wakeups: &Arc<Wakeups>,
        options: &Options,
    ) -> Result<Self, OpenError> {
        let now = migration::migrate(address)?;
        if let Some(clock) = &options.clock {
            clock.set_reference(now);
        }
        Self::start(address, wakeups, options)
            .map_err(|error| OpenError::PostgresAway { host: address.host(), source: error.into() })
    }

    fn start(address: &Address, wakeups: &Arc<Wakeups>, options: &Options) -> io::Result<Self> {
        let threads = Threads::new();
        let connect = || Reconnecting::new(address.clone(), Arc::clone(&options.randomness), threads.cut_off());
        let [reading, writing, alone] = lane::sizes(options.connections).map(|size| Arc::new(Lane::new(size, connect)));
        Ok(Self {
            readers: WorkerPool::start(&threads, &reading, "reader", (3, 1), read_each)?,
            scanners: WorkerPool::start(&threads, &reading, "scanner", (2, 1), read_each)?,
            key_leases: WorkerPool::start(&threads, &reading, "key-leaser", (2, 1), read_each)?,
            address_leases: WorkerPool::start(&threads, &reading, "address-leaser", (1, 1), read_each)?,
            writers: WorkerPool::start(&threads, &writing, "writer", (2, MAX_GROUP), write_group)?,
            submissions: WorkerPool::start(&threads, &writing, "submit", (2, MAX_BATCH), |connection, requests| {
                write_batch(connection, requests, |session, submissions| submission::submit(session, submissions));
            })?,
            starts: WorkerPool::start(&threads, &writing, "begin", (1, MAX_BATCH), |connection, requests| {
                write_batch(connection, requests, |session, starts| {
                    Ok(job_claims::begin(session, starts)?.into_iter().map(Ok).collect())
                });
            })?,
            completions: WorkerPool::start(&threads, &writing, "complete", (1, MAX_BATCH), |connection, requests| {
                write_batch(connection, requests, |session, completions| {
                    Ok(completion::complete(session, completions)?.into_iter().map(Ok).collect())
                });
            })?,
            lone_writers: WorkerPool::start(&threads, &alone, "lone-writer", (3, 1), write_group)?,
            captures: WorkerPool::start(&threads, &alone, "capture", (1, 1), write_group)?,
            announcements: Announcements::start(&threads, address, Arc::clone(wakeups), options.clock.clone())?,
            _threads: threads,
        })
    }

    /// Returns the schema version of every opened database.
    pub(in crate::storage) const fn schema_version() -> u32 {
        migration::NEWEST
    }

    /// Leases requests of `subject`, the caller's id in the database.
    pub(in crate::storage) async fn lease(&self, subject: String, request: QuotaLeaseRequest) -> Result<QuotaLease> {
        let leases = match request.subject {
            QuotaSubject::Key(_) => &self.key_leases,
            QuotaSubject::Address(_) => &self.address_leases,
        };
        // If the first try is lost with its connection, its lease is lost too: too few requests are admitted, never too many.
        let lease = leases.read(move |session| quota_windows::lease(session, &subject, &request)).await?;
        if lease.granted == lease.leased {
            // The window is new. If the queue is full, another new window deletes the ended ones.
            drop(leases.send(Box::new(quota_windows::delete_ended)));
        }
        Ok(lease)
    }

    /// Returns how many tasks wait for a thread.
    pub(in crate::storage) fn waiting(&self) -> u64 {
        let reads = [&self.readers, &self.scanners, &self.key_leases, &self.address_leases].map(WorkerPool::waiting);
        let writes = [&self.writers, &self.lone_writers, &self.captures].map(WorkerPool::waiting);
        let batches = [self.submissions.waiting(), self.starts.waiting(), self.completions.waiting()];
        [&reads[..], &writes, &batches].concat().iter().sum()
    }

    /// Announces a change to other processes.
    pub(in crate::storage) fn announce(&self, announcement: Announcement) {
        self.announcements.send(announcement);
    }
}
