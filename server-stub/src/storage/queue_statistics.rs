//! Counts the queues. Each query reads a partial index with only unfinished rows.

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::store::{Queue, QueueStatistics, Result};

use super::posts;
use super::sql::{Columns, values};
use super::store::{Engine, Store};

impl Store {
    /// Counts the queues over all accounts.
    pub async fn queue_statistics(&self, now: Moment) -> Result<QueueStatistics> {
        self.read_many(move |session| {
            let jobs = "SELECT count(CASE WHEN status = 'queued' THEN 1 END),
                count(CASE WHEN status = 'in_progress' THEN 1 END),
                min(run_at)
             FROM jobs WHERE run_at IS NOT NULL";
            let jobs = session.first(jobs, &[], |row| Ok((row.number()?, row.number()?, row.maybe_time()?)))?;
            let (jobs_queued, jobs_in_progress, oldest_job_due) = jobs.unwrap_or_default();
            let posts = concat!("SELECT count(*), min(run_at) FROM scheduled_posts WHERE ", posts::is_due!());
            let (posts_due, oldest_post_due) = session
                .first(posts, values![now.steady, now.steady.max(now.wall), now.wall], counted)?
                .unwrap_or_default();
            let deliveries = "SELECT count(*), min(run_at) FROM delivery_queue
                 JOIN hook_endpoints ON hook_endpoints.id = delivery_queue.endpoint_id
                 WHERE hook_endpoints.status = 'active'";
            let (deliveries_pending, oldest_delivery_due) =
                session.first(deliveries, &[], counted)?.unwrap_or_default();
            Ok(QueueStatistics {
                jobs_queued,
                jobs_in_progress,
                oldest_job_due,
                posts_due,
                oldest_post_due,
                deliveries_pending,
                oldest_delivery_due,
            })
        })
        .await
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

fn counted(row: &mut Columns<'_>) -> Result<(u64, Option<Timestamp>)> {
    Ok((row.number()?, row.maybe_time()?))
}
