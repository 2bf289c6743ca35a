//! Deletes expired records, a few hundred rows per transaction, so that no caller waits for long. `domain::retention` decides
//! how long records are kept.

use crate::domain::clock::Timestamp;
use crate::domain::retention::RecordKind;
use crate::domain::store::{PurgedBatch, Result};

use super::erasure;
use super::sql::{Session, Statement, locking, read, values};
use super::store::Store;

/// Maximum number of records of the kind that a transaction reads.
const RECORDS_AT_ONCE: u32 = 500;
/// Maximum number of events or leads. Dependent records are deleted with them, and an event may have a body of 64 KiB.
const TREES_AT_ONCE: u32 = 100;

/// Lets only one process at a time delete from this schema. Several processes may share a database, and a database may contain
/// several schemas.
const TAKE_TURN: Statement<'_> = Statement {
    sqlite: "SELECT 1",
    postgres: "SELECT 1 WHERE pg_try_advisory_xact_lock(hashtextextended('purge:' || current_schema(), 0))",
};

impl Store {
    /// Deletes at most a few hundred records of this kind in one short transaction: those not newer than `cutoff`; for
    /// leads, those whose website's retention had ended by then. Deletes dependent records too. `after` is empty at first,
    /// then the `next` value of the previous batch. Only one process deletes at a time.
    pub async fn purge(&self, kind: RecordKind, cutoff: Timestamp, after: &str) -> Result<PurgedBatch> {
        let after = after.to_owned();
        self.write_exclusive(move |session| {
            if !session.exists(TAKE_TURN, &[])? {
                return Ok(PurgedBatch::default());
            }
            match kind {
                RecordKind::IdempotencyKey => purge_idempotency_keys(session, cutoff),
                RecordKind::Lead => purge_leads(session, cutoff, &after),
                RecordKind::UnconfirmedLead => purge_unconfirmed_leads(session, cutoff),
                RecordKind::Event => purge_events(session, cutoff),
                RecordKind::Delivery => purge_deliveries(session, cutoff, &after),
                RecordKind::Attempt => purge_attempts(session, cutoff),
            }
        })
        .await
    }
}

fn purge_idempotency_keys(session: &mut dyn Session, cutoff: Timestamp) -> Result<PurgedBatch> {
    let deleted = session.execute(
        Statement {
            sqlite: "DELETE FROM idempotency_keys WHERE (account_id, website_id, operation, key) IN
                (SELECT account_id, website_id, operation, key FROM idempotency_keys WHERE created_at <= $1
                 ORDER BY created_at LIMIT $2)",
            // For a join with the keys, PostgreSQL reads the whole table.
            postgres: "DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM idempotency_keys WHERE created_at <= $1
                ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
        },
        values![cutoff, RECORDS_AT_ONCE],
    )?;
    let mut batch = PurgedBatch { next: from_the_oldest(deleted >= RECORDS_AT_ONCE.into()), ..PurgedBatch::default() };
    batch.purged.idempotency_keys = deleted;
    Ok(batch)
}

/// Deletes expired leads of the websites from `after` on: those before it have none.
fn purge_leads(session: &mut dyn Session, now: Timestamp, after: &str) -> Result<PurgedBatch> {
    let expired = session.rows(
        Statement {
            sqlite: "SELECT leads.id, websites.id FROM websites
                CROSS JOIN leads
                WHERE websites.lead_retention IS NOT NULL AND websites.id >= $2
                    AND leads.website_id = websites.id AND leads.captured_at <= $1 - websites.lead_retention
                ORDER BY websites.id LIMIT $3",
            // Without the subquery, PostgreSQL may read the leads of all websites.
            postgres: "SELECT expired.id, websites.id FROM websites
                CROSS JOIN LATERAL (SELECT id FROM leads
                    WHERE website_id = websites.id AND captured_at <= $1 - websites.lead_retention
                    ORDER BY captured_at LIMIT $3 FOR UPDATE SKIP LOCKED) AS expired
                WHERE websites.lead_retention IS NOT NULL AND websites.id >= $2
                ORDER BY websites.id LIMIT $3",
        },
        values![now, after, TREES_AT_ONCE],
        |row| Ok((row.text()?, row.text()?)),
    )?;
    let (leads, websites): (Vec<_>, Vec<_>) = expired.into_iter().unzip();
    let mut batch = PurgedBatch::default();
    let is_done = erasure::delete_leads(session, &leads, &mut batch.purged)? && leads.len() < TREES_AT_ONCE as usize;
    batch.next = websites.into_iter().next().filter(|_| !is_done);
    Ok(batch)
}

fn purge_unconfirmed_leads(session: &mut dyn Session, cutoff: Timestamp) -> Result<PurgedBatch> {
    let expired = session.rows(
        // A concurrent confirmation waits for this lock, or its lead is skipped.
        locking!(
            "SELECT id FROM leads WHERE is_pending = 1 AND captured_at <= $1 ORDER BY captured_at LIMIT $2";
            "FOR UPDATE SKIP LOCKED"
        ),
        values![cutoff, TREES_AT_ONCE],
        read::text,
    )?;
    let mut batch = PurgedBatch::default();
    let is_done = erasure::delete_leads(session, &expired, &mut batch.purged)?;
    batch.purged.unconfirmed_leads = std::mem::take(&mut batch.purged.leads);
    batch.next = from_the_oldest(!is_done || expired.len() >= TREES_AT_ONCE as usize);
    Ok(batch)
}

fn purge_events(session: &mut dyn Session, cutoff: Timestamp) -> Result<PurgedBatch> {
    let expired = session.rows(
        locking!("SELECT id FROM events WHERE created_at <= $1 ORDER BY created_at LIMIT $2"; "FOR UPDATE SKIP LOCKED"),
        values![cutoff, TREES_AT_ONCE],
        read::text,
    )?;
    let mut batch = PurgedBatch::default();
    let is_done = erasure::delete_events(session, &expired, &mut batch.purged)?;
    batch.next = from_the_oldest(!is_done || expired.len() >= TREES_AT_ONCE as usize);
    Ok(batch)
}

/// Scans deliveries in the order of their ids, which is the order of their creation. An index of ended deliveries would slow
/// down every delivery. Waiting ones, for example of a paused endpoint, are skipped once.
fn purge_deliveries(session: &mut dyn Session, cutoff: Timestamp, after: &str) -> Result<PurgedBatch> {
    let oldest = session.rows(
        "SELECT id, created_at, CASE WHEN run_at IS NULL THEN 1 ELSE 0 END FROM delivery_states
         WHERE id > $1 ORDER BY id LIMIT $2",
        values![after, RECORDS_AT_ONCE],
        |row| Ok((row.text()?, row.time()?, row.flag()?)),
    )?;
    let found = oldest.len();
    let old: Vec<_> = oldest.into_iter().take_while(|(_, created_at, _)| *created_at <= cutoff).collect();
    let is_last = old.len() < RECORDS_AT_ONCE as usize || old.len() < found;
    let last = old.last().map(|(id, ..)| id.clone());
    let ended: Vec<_> = old.into_iter().filter(|(.., has_ended)| *has_ended).map(|(id, ..)| id).collect();
    let mut batch = PurgedBatch::default();
    batch.next = if erasure::delete_ended_deliveries(session, &ended, &mut batch.purged)? {
        last.filter(|_| !is_last)
    } else {
        Some(after.to_owned())
    };
    Ok(batch)
}

/// Deletes expired attempts. Attempts are numbered in the order in which they are recorded, so the oldest have the lowest
/// numbers.
fn purge_attempts(session: &mut dyn Session, cutoff: Timestamp) -> Result<PurgedBatch> {
    let deleted = session.execute(
        "DELETE FROM attempts WHERE started_at <= $1 AND id IN (SELECT id FROM attempts ORDER BY id LIMIT $2)",
        values![cutoff, RECORDS_AT_ONCE],
    )?;
    let mut batch = PurgedBatch { next: from_the_oldest(deleted >= RECORDS_AT_ONCE.into()), ..PurgedBatch::default() };
    batch.purged.attempts = deleted;
    Ok(batch)
}

/// Starts the next batch with the oldest record again, if there are more.
fn from_the_oldest(is_there_more: bool) -> Option<String> {
    is_there_more.then(String::new)
}
