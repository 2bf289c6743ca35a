//! The store: one database, and the cipher for secrets. Its methods are in the other files, one file per subject.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use crate::domain::article::EditRefusal;
use crate::domain::audit::AuditEntry;
use crate::domain::store::{Cancelled, RedeliveredBatch, Redelivery, Requeued, Result, Submitted, VoiceRemoval};
use crate::wakeups::{Announcement, Wakeups};

use super::audit;
use super::postgres::Postgres;
use super::secret_cipher::SecretCipher;
use super::sql::{ExclusiveSession, Session};
use super::sqlite::Sqlite;
use super::unreadable_rows::UnreadableRows;

/// One database with all of the service's state. Each method that writes is one transaction: state, event and deliveries together,
/// or nothing. Reads see everything that any process has committed. Clones share the connections.
#[derive(Debug, Clone)]
pub struct Store {
    pub(super) engine: Engine,
    pub(super) cipher: Arc<SecretCipher>,
    pub(super) unreadable_rows: Arc<UnreadableRows>,
    wakeups: Arc<Wakeups>,
    /// Account of the job that was claimed last; empty at first. The next claim begins behind it.
    pub(super) last_served: Arc<Mutex<String>>,
    /// Account of the post that was claimed last, or of the last push if that claim contained any.
    pub(super) last_published: Arc<Mutex<String>>,
    pub(super) posts_failed: Arc<AtomicU64>,
    /// Entry of the audit trail, stored in the transaction of each change.
    audit_entry: Option<Arc<AuditEntry>>,
}

/// The database engine.
#[derive(Debug, Clone)]
pub(super) enum Engine {
    Sqlite(Arc<Sqlite>),
    Postgres(Arc<Postgres>),
}

impl Store {
    /// Returns the store on `engine` that seals secrets with `cipher` and wakes the tasks in `wakeups`.
    pub(super) fn new(engine: Engine, cipher: SecretCipher, wakeups: Arc<Wakeups>) -> Self {
        Self {
            engine,
            cipher: Arc::new(cipher),
            unreadable_rows: Arc::default(),
            wakeups,
            last_served: Arc::default(),
            last_published: Arc::default(),
            posts_failed: Arc::default(),
            audit_entry: None,
        }
    }

    /// Returns the waiting tasks of this process. The store wakes them after each commit that makes work for them, or that ends a
    /// job, in this process or in another one.
    pub fn wakeups(&self) -> &Arc<Wakeups> {
        &self.wakeups
    }

    /// Returns the same store for one change. That change stores `entry` in its transaction, if it changes anything.
    #[must_use]
    pub fn audited(&self, entry: AuditEntry) -> Self {
        Self { audit_entry: Some(Arc::new(entry)), ..self.clone() }
    }

    /// Returns true if changes are recorded in the audit trail.
    pub(super) fn is_audited(&self) -> bool {
        self.audit_entry.is_some()
    }

    /// Reads one or a few rows by key. `work` may be called twice.
    pub(super) async fn read_few<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.readers.read_few(work).await,
            Engine::Postgres(postgres) => postgres.readers.read(work).await,
        }
    }

    /// Reads many rows. `work` may be called twice.
    pub(super) async fn read_many<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.readers.read_many(work).await,
            Engine::Postgres(postgres) => postgres.scanners.read(work).await,
        }
    }

    /// Reads a page of a list. SQLite reads a page that `is_short` on the calling thread: it takes microseconds.
    pub(super) async fn read_page<T, F>(&self, is_short: bool, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        match &self.engine {
            Engine::Sqlite(sqlite) if is_short => sqlite.readers.read_few(work).await,
            _ => self.read_many(work).await,
        }
    }

    /// Runs `work` in a transaction, perhaps together with other work, and returns when it is durable. If `work` fails, its changes
    /// are rolled back. `work` may be called several times, each time after a rollback.
    pub(super) async fn write<T, F>(&self, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.writer.write(move |session| work(session)).await,
            Engine::Postgres(postgres) => postgres.writers.write(move |session| work(session)).await,
        }
    }

    /// Like [`Store::write`], but PostgreSQL never groups it with other work. Work that locks several rows or takes a named lock
    /// runs like this, because in groups it could deadlock.
    pub(super) async fn write_exclusive<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn ExclusiveSession) -> Result<T> + Send + 'static,
    {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.writer.write(work).await,
            Engine::Postgres(postgres) => postgres.lone_writers.write(work).await,
        }
    }

    /// Like [`Store::write`]. Also stores the entry of the audit trail, if `work` changed anything.
    pub(super) async fn change<T, F>(&self, mut work: F) -> Result<T>
    where
        T: ChangeOutcome + Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        let entry = self.audit_entry.clone();
        self.write(move |session| recorded(work(session)?, session, entry.as_deref())).await
    }

    /// Like [`Store::write_exclusive`]. Also stores the entry of the audit trail, if `work` changed anything.
    pub(super) async fn change_exclusive<T, F>(&self, mut work: F) -> Result<T>
    where
        T: ChangeOutcome + Send + 'static,
        F: FnMut(&mut dyn ExclusiveSession) -> Result<T> + Send + 'static,
    {
        let entry = self.audit_entry.clone();
        self.write_exclusive(move |session| recorded(work(session)?, session, entry.as_deref())).await
    }

    /// Stores an entry without a change in the store, for example when data is handed out.
    pub async fn append_audit_entry(&self, entry: &AuditEntry) -> Result<()> {
        let entry = entry.clone();
        self.write(move |session| audit::insert(session, &entry)).await
    }

    /// Announces a committed change: wakes the tasks of this process, and of other processes if the database allows them.
    /// PostgreSQL sends it to this process too. A second wake-up is harmless, because it finds nothing to do.
    pub(super) fn announce(&self, announcement: Announcement) {
        self.wakeups.wake(&announcement);
        if let Engine::Postgres(postgres) = &self.engine {
            postgres.announce(announcement);
        }
    }
}

/// Stores `entry` if `outcome` reports a change.
fn recorded<T: ChangeOutcome>(outcome: T, session: &mut dyn Session, entry: Option<&AuditEntry>) -> Result<T> {
    if let Some(entry) = entry.filter(|_| outcome.has_changed()) {
        audit::insert(session, entry)?;
    }
    Ok(outcome)
}

/// The outcome of a change.
pub(super) trait ChangeOutcome {
    /// Returns true if anything changed.
    fn has_changed(&self) -> bool;
}

impl ChangeOutcome for bool {
    fn has_changed(&self) -> bool {
        *self
    }
}

impl<T> ChangeOutcome for Option<T> {
    fn has_changed(&self) -> bool {
        self.is_some()
    }
}

impl ChangeOutcome for Result<u32, EditRefusal> {
    fn has_changed(&self) -> bool {
        self.is_ok()
    }
}

/// Implements [`ChangeOutcome`] with the outcomes of each type that report a change.
macro_rules! change_outcomes {
    ($($outcome:ty: $changed:pat),+ $(,)?) => {
        $(impl ChangeOutcome for $outcome {
            fn has_changed(&self) -> bool {
                matches!(self, $changed)
            }
        })+
    };
}

change_outcomes! {
    (): (),
    u64: 1..,
    Redelivery: Redelivery::Queued,
    RedeliveredBatch: RedeliveredBatch { count: 1.., .. },
    Cancelled: Cancelled::Done(_),
    Submitted: Submitted::Queued,
    Requeued: Requeued::Queued,
    VoiceRemoval: VoiceRemoval::Done,
}
