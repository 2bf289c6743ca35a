//! Counts the queues. Each query reads a bounded number of rows of a partial index that has only unfinished rows.

use std::time::Duration;

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::store::{Queue, QueueStatistics, Result};

use super::posts;
use super::sql::{Columns, Statement, read, values};
use super::store::{Engine, Store};

/// Maximum number of rows of each queue that are counted.
const MAX_COUNTED: u32 = 100_000;

impl Store {
    /// Counts the queues over all accounts, each up to 100,000. The times of the oldest rows are exact.
    pub async fn queue_statistics(&self, now: Moment) -> Result<QueueStatistics> {
        self.read_many(move |session| {
            let jobs = "SELECT count(CASE WHEN status = 'queued' THEN 1 END), count(CASE WHEN status = 'in_progress' THEN 1 END)
                FROM (SELECT status FROM jobs WHERE run_at IS NOT NULL LIMIT $1) AS counted";
            let jobs = session.first(jobs, values![MAX_COUNTED], |row| Ok((row.number()?, row.number()?)))?;
            let (jobs_queued, jobs_in_progress) = jobs.unwrap_or_default();
            let posts = concat!(
                "SELECT count(*), min(run_at) FROM (
                    SELECT run_at, is_wall_time, publish_at FROM scheduled_posts
                    WHERE run_at <= $2 ORDER BY run_at, id LIMIT $4) AS counted
                 WHERE ",
                posts::is_due!()
            );
            let (posts_due, oldest_post_due) = session
                .first(posts, values![now.steady, now.steady.max(now.wall), now.wall, MAX_COUNTED], counted)?
                .unwrap_or_default();
            let deliveries = "SELECT count(*) FROM (
                    SELECT 1 FROM hook_endpoints CROSS JOIN delivery_queue
                    WHERE hook_endpoints.status = 'active' AND endpoint_id = hook_endpoints.id
                    LIMIT $1) AS counted";
            let deliveries_pending = session.first(deliveries, values![MAX_COUNTED], read::number)?.unwrap_or_default();
            Ok(QueueStatistics {
                jobs_queued,
                jobs_in_progress,
                oldest_job_due: session.first(OLDEST_JOB, &[], read::maybe_time)?.flatten(),
                posts_due,
                oldest_post_due,
                deliveries_pending: u64::try_from(deliveries_pending).unwrap_or_default(),
                oldest_delivery_due: session.first(OLDEST_DELIVERY, &[], read::maybe_time)?.flatten(),
            })
        })
        .await
    }

    /// Returns the age of the oldest open transaction in the PostgreSQL database, as far as the role of the server may see it; zero
    /// for SQLite. PostgreSQL keeps all rows that were deleted since it began, and claims must skip them.
    pub async fn oldest_transaction_age(&self) -> Result<Duration> {
        let age = self.read_few(|session| session.number(OLDEST_TRANSACTION, &[])).await?;
        Ok(Duration::from_millis(age.unsigned_abs()))
    }

    /// Returns the number of tasks of this process that are waiting for the database.
    pub fn tasks_waiting(&self) -> u64 {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.writer.waiting(),
            Engine::Postgres(postgres) => postgres.waiting(),
        }
    }

    /// Returns how many times this process set aside an unreadable row of the queue.
    pub fn rows_set_aside(&self, queue: Queue) -> u64 {
        self.unreadable_rows.count(queue)
    }
}

/// The index leads to the oldest job of each account that has any.
const OLDEST_JOB: &str = "SELECT min(oldest) FROM (
    SELECT (SELECT min(run_at) FROM jobs WHERE jobs.account_id = busy.account_id AND run_at IS NOT NULL) AS oldest
    FROM (SELECT DISTINCT account_id FROM queue_depths WHERE unfinished > 0) AS busy) AS of_each";

/// The index leads to the oldest delivery of each endpoint.
const OLDEST_DELIVERY: &str = "SELECT min(oldest) FROM (
    SELECT (SELECT min(run_at) FROM delivery_queue WHERE endpoint_id = hook_endpoints.id) AS oldest
    FROM hook_endpoints WHERE status = 'active') AS of_each";

const OLDEST_TRANSACTION: Statement<'_> = Statement {
    sqlite: "SELECT 0",
    postgres: "SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start) * 1000)::bigint, 0) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)",
};

fn counted(row: &mut Columns<'_>) -> Result<(u64, Option<Timestamp>)> {
    Ok((row.number()?, row.maybe_time()?))
}
