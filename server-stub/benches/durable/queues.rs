//! What can take submissions: the store, or a pool that uses one transaction for each. The pools are in `single_sqlite` and
//! `single_postgres`.

use std::sync::Arc;

use async_trait::async_trait;
use contentgen_server_stub::domain::store::{Submission, Submitted};
use contentgen_server_stub::storage::Store;

use crate::database::Database;
use crate::single_postgres::PostgresPool;
use crate::single_sqlite::SqlitePool;

/// Takes submissions durably.
#[async_trait]
pub(crate) trait Queue: Send + Sync {
    /// Answers when the submission is on disk.
    async fn submit(&self, submission: Submission) -> anyhow::Result<()>;
}

/// The store, which commits what waits together.
pub(crate) struct Grouped(pub(crate) Store);

#[async_trait]
impl Queue for Grouped {
    async fn submit(&self, submission: Submission) -> anyhow::Result<()> {
        let submitted = self.0.submit(submission).await?;
        anyhow::ensure!(submitted == Submitted::Queued, "not queued: {submitted:?}");
        Ok(())
    }
}

/// A pool on a database whose tables the store has made.
pub(crate) async fn single(database: &Database) -> anyhow::Result<Arc<dyn Queue>> {
    Ok(match database {
        Database::Sqlite(_) => Arc::new(SqlitePool::open(&database.path())?),
        Database::Postgres(schema) => Arc::new(PostgresPool::connect(&schema.address()).await?),
    })
}
