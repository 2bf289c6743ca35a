//! Stored responses for idempotency keys. A response that is not newer than `since` has expired.

use crate::domain::clock::Timestamp;
use crate::domain::idempotency::IdempotencyRecord;
use crate::domain::store::{Result, Submission};

use super::sql::{BatchStatement, Columns, Session, values};
use super::store::Store;

/// Operations whose responses are stored.
const OPERATIONS: [&str; 1] = ["generate"];

/// The columns of a stored response in the order in which [`record`] reads them.
macro_rules! record_columns {
    () => {
        "kept.account_id, kept.website_id, kept.operation, kept.key, kept.fingerprint, kept.job_id, kept.created_at, kept.body"
    };
}

/// True for a response whose website was not deleted.
macro_rules! website_exists {
    () => {
        "(SELECT websites.deleted_at FROM websites WHERE websites.id = kept.website_id) IS NULL"
    };
}

const FIND: &str = concat!(
    "SELECT ",
    record_columns!(),
    " FROM idempotency_keys AS kept
     WHERE account_id = $1 AND website_id = $2 AND operation = $3 AND key = $4 AND created_at > $5 AND ",
    website_exists!()
);

const FIND_ALL: BatchStatement = BatchStatement {
    sqlite_each: FIND,
    postgres_all: concat!(
        "SELECT input.number, ",
        record_columns!(),
        "
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int8[]) WITH ORDINALITY
            AS input (account_id, website_id, operation, key, since, number)
         JOIN idempotency_keys AS kept ON kept.account_id = input.account_id AND kept.website_id = input.website_id
            AND kept.operation = input.operation AND kept.key = input.key AND kept.created_at > input.since
         WHERE ",
        website_exists!()
    ),
};

impl Store {
    /// Returns the stored response, if it is newer than `since`.
    pub async fn find_idempotency(
        &self,
        (account_id, website_id): (&str, &str),
        operation: &str,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<IdempotencyRecord>> {
        let (account_id, website_id) = (account_id.to_owned(), website_id.to_owned());
        let (operation, key) = (operation.to_owned(), key.to_owned());
        self.read_few(move |session| {
            session.first(FIND, values![&account_id, &website_id, &operation, &key, since], record)
        })
        .await
    }
}

/// Returns the stored responses for the keys of these submissions.
pub(super) fn find_all(session: &mut dyn Session, submissions: &[Submission]) -> Result<Vec<IdempotencyRecord>> {
    let keyed = submissions.iter().filter_map(|one| Some((one.idempotency.as_ref()?, one.replays_since)));
    let inputs: Vec<_> = keyed
        .map(|(record, since)| {
            values![&record.account_id, &record.website_id, record.operation, &record.key, since].to_vec()
        })
        .collect();
    let mut kept = Vec::new();
    session.query_batch(&FIND_ALL, &inputs, &mut |_, row| {
        kept.push(record(row)?);
        Ok(())
    })?;
    Ok(kept)
}

/// Reads the columns of `record_columns`.
fn record(row: &mut Columns<'_>) -> Result<IdempotencyRecord> {
    Ok(IdempotencyRecord {
        account_id: row.text()?,
        website_id: row.text()?,
        operation: row.named(|name| OPERATIONS.into_iter().find(|known| *known == name))?,
        key: row.text()?,
        fingerprint: row.array()?,
        job_id: row.text()?,
        created_at: row.time()?,
        body: row.bytes()?,
    })
}

/// Stores responses and replaces expired ones. Each key may occur only once.
pub(super) fn put_all<'a>(
    session: &mut dyn Session,
    records: impl Iterator<Item = &'a IdempotencyRecord>,
) -> Result<()> {
    let inputs: Vec<_> = records
        .map(|record| {
            values![
                &record.account_id,
                &record.website_id,
                record.operation,
                &record.key,
                record.fingerprint.as_slice(),
                &record.job_id,
                record.created_at,
                &record.body,
            ]
            .to_vec()
        })
        .collect();
    session.execute_batch(&PUT_ALL, &inputs)
}

const PUT_ALL: BatchStatement = BatchStatement {
    sqlite_each:
        "INSERT INTO idempotency_keys (account_id, website_id, operation, key, fingerprint, job_id, created_at, body)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (account_id, website_id, operation, key) DO UPDATE SET fingerprint = excluded.fingerprint,
            job_id = excluded.job_id, created_at = excluded.created_at, body = excluded.body",
    postgres_all:
        "INSERT INTO idempotency_keys (account_id, website_id, operation, key, fingerprint, job_id, created_at, body)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[], $7::int8[],
            $8::bytea[])
         ON CONFLICT (account_id, website_id, operation, key) DO UPDATE SET fingerprint = excluded.fingerprint,
            job_id = excluded.job_id, created_at = excluded.created_at, body = excluded.body",
};
