//! Statements about kept answers. When a key may be used again is decided by the caller's `since`.

use bytes::Bytes;
use rusqlite::Connection;

use crate::domain::clock::Timestamp;
use crate::domain::idempotency::KEPT_FOR;
use crate::domain::store::{IdempotencyRecord, Result};

use super::error::unreadable;
use super::row::time;

/// Rows of one purging transaction: others wait no longer than for a few milliseconds.
pub(super) const PURGED_AT_ONCE: u32 = 500;
/// The operations whose answers are kept.
const OPERATIONS: [&str; 1] = ["generate"];

pub(super) fn find(
    connection: &Connection,
    account_id: &str,
    operation: &str,
    key: &str,
    since: Timestamp,
) -> Result<Option<IdempotencyRecord>> {
    let mut statement = connection.prepare_cached(
        "SELECT * FROM idempotency_keys WHERE account_id = ?1 AND operation = ?2 AND key = ?3 AND created_at > ?4",
    )?;
    let mut rows = statement.query((account_id, operation, key, since.millis()))?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let operation = row.get_ref("operation")?.as_str().map_err(rusqlite::Error::from)?;
    Ok(Some(IdempotencyRecord {
        account_id: row.get("account_id")?,
        operation: OPERATIONS.into_iter().find(|known| *known == operation).ok_or_else(|| unreadable("operation"))?,
        key: row.get("key")?,
        fingerprint: row.get("fingerprint")?,
        job_id: row.get("job_id")?,
        body: Bytes::from(row.get::<_, Vec<u8>>("body")?),
        created_at: time(row, "created_at")?,
    }))
}

/// Keeps an answer in place of one that expired.
pub(super) fn put(connection: &Connection, record: &IdempotencyRecord) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO idempotency_keys (account_id, operation, key, fingerprint, job_id, created_at, body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (account_id, operation, key) DO UPDATE SET fingerprint = excluded.fingerprint,
                job_id = excluded.job_id, created_at = excluded.created_at, body = excluded.body",
        )?
        .execute((
            &record.account_id,
            record.operation,
            &record.key,
            record.fingerprint,
            &record.job_id,
            record.created_at.millis(),
            record.body.as_ref(),
        ))?;
    Ok(())
}

/// Deletes up to [`PURGED_AT_ONCE`] expired answers and says how many.
pub(super) fn purge(connection: &Connection, now: Timestamp) -> Result<u64> {
    let expired = now.millis().saturating_sub(i64::try_from(KEPT_FOR.as_millis()).unwrap_or(i64::MAX));
    let deleted = connection
        .prepare_cached(
            "DELETE FROM idempotency_keys WHERE rowid IN
                (SELECT rowid FROM idempotency_keys WHERE created_at <= ?1 ORDER BY created_at LIMIT ?2)",
        )?
        .execute((expired, PURGED_AT_ONCE))?;
    Ok(deleted as u64)
}
