//! Statements that count the queues. Each reads a partial index, which holds only what has not ended.

use rusqlite::{Connection, Row};

use crate::domain::clock::Timestamp;
use crate::domain::store::{QueueStatistics, Result};

pub(super) fn queues(connection: &Connection) -> Result<QueueStatistics> {
    let (jobs_queued, jobs_in_progress, oldest_job) = connection
        .prepare_cached(
            "SELECT count(*) FILTER (WHERE status = 'queued'), count(*) FILTER (WHERE status = 'in_progress'),
                min(run_at)
             FROM jobs WHERE run_at IS NOT NULL",
        )?
        .query_row([], |row| Ok((count(row, 0)?, count(row, 1)?, row.get::<_, Option<i64>>(2)?)))?;
    let (posts_due, oldest_post) = connection
        .prepare_cached(
            "SELECT count(*) FILTER (WHERE run_at <= unixepoch('subsec') * 1000), min(run_at)
             FROM scheduled_posts WHERE run_at IS NOT NULL",
        )?
        .query_row([], |row| Ok((count(row, 0)?, row.get::<_, Option<i64>>(1)?)))?;
    let (deliveries_pending, oldest_delivery) = connection
        .prepare_cached(
            "SELECT count(*), min(run_at) FROM deliveries
             JOIN hook_endpoints ON hook_endpoints.id = deliveries.endpoint_id
             WHERE run_at IS NOT NULL AND hook_endpoints.status = 'active'",
        )?
        .query_row([], |row| Ok((count(row, 0)?, row.get::<_, Option<i64>>(1)?)))?;
    Ok(QueueStatistics {
        jobs_queued,
        jobs_in_progress,
        oldest_job_due: oldest_job.map(Timestamp::from_millis),
        posts_due,
        oldest_post_due: oldest_post.map(Timestamp::from_millis),
        deliveries_pending,
        oldest_delivery_due: oldest_delivery.map(Timestamp::from_millis),
    })
}

fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, u32>(column).map(u64::from)
}
