//! The two sides that accept submissions: the store, and a pool that uses one transaction for each. The pools are in `single_sqlite` and
//! `single_postgres`.

use std::sync::Arc;

use async_trait::async_trait;
use contentgen_server_stub::domain::store::{Submission, Submitted};
use contentgen_server_stub::storage::Store;

use crate::database::Database;
use crate::single_postgres::PostgresPool;
use crate::single_sqlite::SqlitePool;

/// Accepts submissions durably.
#[async_trait]
pub(crate) trait Queue: Send + Sync {
    /// Returns when the submission is on disk.
    async fn submit(&self, submission: Submission) -> anyhow::Result<()>;
}

/// The store, which commits pending submissions together.
pub(crate) struct Grouped(pub(crate) Store);

#[async_trait]
impl Queue for Grouped {
    async fn submit(&self, submission: Submission) -> anyhow::Result<()> {
        let submitted = self.0.submit(submission).await?;
        anyhow::ensure!(submitted == Submitted::Queued, "not queued: {submitted:?}");
        Ok(())
    }
}

/// Opens a pool on a database whose tables the store has created.
pub(crate) async fn single(database: &Database) -> anyhow::Result<Arc<dyn Queue>> {
    Ok(match database {
        Database::Sqlite(_) => Arc::new(SqlitePool::open(&database.path())?),
        Database::Postgres(schema) => Arc::new(PostgresPool::connect(&schema.address()).await?),
    })
}
