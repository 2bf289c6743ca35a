//! [`Maintenance`] on a database.

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::retention::RecordKind;
use crate::domain::store::{PurgedBatch, Queue, QueueStatistics, Result};
use crate::storage::statements::{queue_statistics, retention, settings};

use super::store::{Engine, Store};

impl Store {
    /// Succeeds when the database can be written to and read.
    pub async fn check(&self) -> Result<()> {
        // An empty transaction goes all the way: the writer lives, and the database can be written to.
        self.write(|_| Ok(())).await?;
        // So does a row that is always there: what reads has connections of its own.
        self.token_secret().await.map(drop)
    }

    /// 32 random bytes made with the database: they sign page tokens.
    pub async fn token_secret(&self) -> Result<[u8; 32]> {
        self.read_few(settings::token_secret).await
    }

    /// How full the queues are, all accounts together.
    pub async fn queue_statistics(&self, now: Moment) -> Result<QueueStatistics> {
        self.read_many(move |session| queue_statistics::queues(session, now)).await
    }

    /// Tasks of this process that wait for the database now; 0 where that is unknown.
    pub fn tasks_waiting(&self) -> u64 {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.waiting(),
            Engine::Postgres(postgres) => postgres.waiting(),
        }
    }

    /// How many rows of the queue this process could not read and set aside, each counted every time; 0 where that is unknown.
    pub fn rows_set_aside(&self, queue: Queue) -> u64 {
        self.unreadable_rows.count(queue)
    }

    /// Deletes some hundred records of this kind at most, in one short transaction: those that are not newer than `cutoff`, and
    /// of the leads those whose website's retention had ended by then. What hangs on a record goes with it. `after` is empty
    /// at first, and then where the batch before said that the next one begins. Only one process deletes at a time.
    pub async fn purge(&self, kind: RecordKind, cutoff: Timestamp, after: &str) -> Result<PurgedBatch> {
        let after = after.to_owned();
        self.write_alone(move |session| retention::purge(session, kind, cutoff, &after)).await
    }
}
