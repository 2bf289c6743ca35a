//! Statements about kept answers. When a key may be used again is decided by the caller's `since`.

use crate::domain::clock::Timestamp;
use crate::domain::store::{IdempotencyRecord, Result};
use crate::storage::sql::{Columns, Session, values};

/// The operations whose answers are kept.
const OPERATIONS: [&str; 1] = ["generate"];
/// The columns of a kept answer in the order in which [`record`] reads them.
macro_rules! record_columns {
    () => {
        "account_id, operation, key, fingerprint, job_id, created_at, body"
    };
}
pub(in crate::storage) use record_columns;

pub(in crate::storage) fn find(
    session: &mut dyn Session,
    account_id: &str,
    operation: &str,
    key: &str,
    since: Timestamp,
) -> Result<Option<IdempotencyRecord>> {
    session.first(
        concat!(
            "SELECT ",
            record_columns!(),
            " FROM idempotency_keys
             WHERE account_id = $1 AND operation = $2 AND key = $3 AND created_at > $4"
        ),
        values![account_id, operation, key, since],
        record,
    )
}

/// Reads the columns of `record_columns`.
pub(in crate::storage) fn record(row: &mut Columns<'_>) -> Result<IdempotencyRecord> {
    Ok(IdempotencyRecord {
        account_id: row.text()?,
        operation: row.named(|name| OPERATIONS.into_iter().find(|known| *known == name))?,
        key: row.text()?,
        fingerprint: row.array()?,
        job_id: row.text()?,
        created_at: row.time()?,
        body: row.bytes()?,
    })
}

/// Keeps an answer in place of one that expired.
pub(super) fn put(session: &mut dyn Session, record: &IdempotencyRecord) -> Result<()> {
    session.execute(
        "INSERT INTO idempotency_keys (account_id, operation, key, fingerprint, job_id, created_at, body)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (account_id, operation, key) DO UPDATE SET fingerprint = excluded.fingerprint,
            job_id = excluded.job_id, created_at = excluded.created_at, body = excluded.body",
        values![
            &record.account_id,
            record.operation,
            &record.key,
            record.fingerprint.as_slice(),
            &record.job_id,
            record.created_at,
            &record.body,
        ],
    )?;
    Ok(())
}
