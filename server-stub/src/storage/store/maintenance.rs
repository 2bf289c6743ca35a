//! [`Maintenance`] on a database.

use async_trait::async_trait;

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::retention::RecordKind;
use crate::domain::store::{Maintenance, PurgedBatch, Queue, QueueStatistics, Result};
use crate::storage::backend::Backend;
use crate::storage::statements::{queue_statistics, retention, settings};

use super::SqlStore;

#[async_trait]
impl<B: Backend> Maintenance for SqlStore<B> {
    async fn check(&self) -> Result<()> {
        // An empty transaction goes all the way: the writer lives, and the database can be written to.
        self.backend.write(|_| Ok(())).await?;
        // So does a row that is always there: what reads has connections of its own.
        self.token_secret().await.map(drop)
    }

    async fn token_secret(&self) -> Result<[u8; 32]> {
        self.backend.read_few(settings::token_secret).await
    }

    async fn queue_statistics(&self, now: Moment) -> Result<QueueStatistics> {
        self.backend.read_many(move |session| queue_statistics::queues(session, now)).await
    }

    fn tasks_waiting(&self) -> u64 {
        self.backend.waiting()
    }

    fn rows_set_aside(&self, queue: Queue) -> u64 {
        self.unreadable_rows.count(queue)
    }

    async fn purge(&self, kind: RecordKind, cutoff: Timestamp, after: &str) -> Result<PurgedBatch> {
        let after = after.to_owned();
        self.backend.write_alone(move |session| retention::purge(session, kind, cutoff, &after)).await
    }
}
