//! Statements that delete what has expired, a few hundred rows in each transaction so that nobody waits for long.

use std::time::Duration;

use crate::domain::clock::Timestamp;
use crate::domain::event::KEPT_FOR as EVENTS_KEPT_FOR;
use crate::domain::idempotency::KEPT_FOR as IDEMPOTENCY_RECORDS_KEPT_FOR;
use crate::domain::store::Result;
use crate::storage::sql::{BatchStatement, Session, Statement, locking, read, values};

/// Rows of one purging transaction.
pub(in crate::storage) const PURGED_AT_ONCE: u32 = 500;

/// Deletes up to [`PURGED_AT_ONCE`] idempotency records that have expired, and says how many.
pub(in crate::storage) fn purge_idempotency_records(session: &mut dyn Session, now: Timestamp) -> Result<u64> {
    session.execute(
        Statement {
            sqlite: "DELETE FROM idempotency_keys WHERE (account_id, operation, key) IN
                (SELECT account_id, operation, key FROM idempotency_keys WHERE created_at <= $1
                 ORDER BY created_at LIMIT $2)",
            postgres: "DELETE FROM idempotency_keys WHERE (account_id, operation, key) IN
                (SELECT account_id, operation, key FROM idempotency_keys WHERE created_at <= $1
                 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        },
        values![cutoff(now, IDEMPOTENCY_RECORDS_KEPT_FOR), PURGED_AT_ONCE],
    )
}

/// Deletes up to [`PURGED_AT_ONCE`] events that have expired, with their deliveries and attempts, and says how many.
pub(in crate::storage) fn purge_events(session: &mut dyn Session, now: Timestamp) -> Result<u64> {
    let expired = session.rows(
        locking!("SELECT id FROM events WHERE created_at <= $1 ORDER BY created_at LIMIT $2"; "FOR UPDATE SKIP LOCKED"),
        values![cutoff(now, EVENTS_KEPT_FOR), PURGED_AT_ONCE],
        read::text,
    )?;
    let inputs: Vec<_> = expired.iter().map(|id| values![id].to_vec()).collect();
    session.execute_batch(&DELETE_DELIVERIES, &inputs)?;
    session.execute_batch(&DELETE_EVENTS, &inputs)?;
    Ok(expired.len() as u64)
}

/// Attempts go with their deliveries.
const DELETE_DELIVERIES: BatchStatement = BatchStatement {
    sqlite_each: "DELETE FROM deliveries WHERE event_id = $1",
    postgres_all: "DELETE FROM deliveries WHERE event_id = ANY($1::text[])",
};

const DELETE_EVENTS: BatchStatement = BatchStatement {
    sqlite_each: "DELETE FROM events WHERE id = $1",
    postgres_all: "DELETE FROM events WHERE id = ANY($1::text[])",
};

fn cutoff(now: Timestamp, kept_for: Duration) -> Timestamp {
    now.plus_millis(-i64::try_from(kept_for.as_millis()).unwrap_or(i64::MAX))
}
