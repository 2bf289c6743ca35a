//! Deletes expired records, a few hundred rows per transaction, so that no caller waits for long. `domain::retention` decides
//! how long records are kept.

use crate::domain::clock::Timestamp;
use crate::domain::retention::RecordKind;
use crate::domain::store::{PurgedBatch, Result};

use super::sql::{BatchStatement, Session, Statement, locking, read, values};
use super::store::Store;
use super::{deletion, erasure};

/// Maximum number of records of the kind that a transaction reads.
pub(super) const RECORDS_AT_ONCE: u32 = 500;
/// Maximum number of events, leads, articles or jobs. Dependent records are deleted with them, and an event may have a body of 64 KiB.
pub(super) const TREES_AT_ONCE: u32 = 100;

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
                RecordKind::Post => purge_posts(session, cutoff, &after),
                RecordKind::Job => purge_jobs(session, cutoff, &after),
                RecordKind::AuditEntry => purge_audit_entries(session, cutoff),
                RecordKind::DeletedWebsite => deletion::remove_websites(session),
                RecordKind::DeletedAccount => deletion::remove_accounts(session),
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
/// down every delivery. Waiting ones, for example of a paused endpoint, are skipped once. PostgreSQL could read the whole queue for
/// `EXISTS`.
fn purge_deliveries(session: &mut dyn Session, cutoff: Timestamp, after: &str) -> Result<PurgedBatch> {
    let oldest = session.rows(
        "SELECT id, created_at,
            CASE WHEN (SELECT delivery_id FROM delivery_queue WHERE delivery_id = deliveries.id) IS NULL THEN 1 ELSE 0 END
         FROM deliveries WHERE id > $1 ORDER BY id LIMIT $2",
        values![after, RECORDS_AT_ONCE],
        |row| Ok((row.text()?, row.time()?, row.flag()?)),
    )?;
    let (ended, next) = expired(oldest, RECORDS_AT_ONCE, cutoff);
    let mut batch = PurgedBatch::default();
    batch.next = if erasure::delete_ended_deliveries(session, &ended, &mut batch.purged)? {
        next
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

/// Deletes expired posts in the order of their ids. A failed post with an article is kept: only with it can the article be
/// published.
fn purge_posts(session: &mut dyn Session, cutoff: Timestamp, after: &str) -> Result<PurgedBatch> {
    let oldest = session.rows(
        "SELECT id, created_at, CASE WHEN updated_at <= $1 AND (status IN ('published', 'cancelled')
            OR status = 'failed' AND article_id IS NULL) THEN 1 ELSE 0 END
         FROM scheduled_posts WHERE id > $2 ORDER BY id LIMIT $3",
        values![cutoff, after, RECORDS_AT_ONCE],
        |row| Ok((row.text()?, row.time()?, row.flag()?)),
    )?;
    let (expired, next) = expired(oldest, RECORDS_AT_ONCE, cutoff);
    let mut batch = PurgedBatch { next, ..PurgedBatch::default() };
    // A user may have tried a failed one again in the meantime.
    let inputs: Vec<_> = expired.iter().map(|id| values![id].to_vec()).collect();
    let deleted = session.update_batch(&DELETE_ENDED_POSTS, &inputs)?;
    batch.purged.posts = deleted.into_iter().filter(|is_deleted| *is_deleted).count() as u64;
    Ok(batch)
}

const DELETE_ENDED_POSTS: BatchStatement = BatchStatement {
    sqlite_each: "DELETE FROM scheduled_posts WHERE id = $1 AND status IN ('published', 'cancelled', 'failed')",
    postgres_all: "DELETE FROM scheduled_posts USING unnest($1::text[]) WITH ORDINALITY AS input (id, number)
         WHERE scheduled_posts.id = input.id AND status IN ('published', 'cancelled', 'failed')
         RETURNING input.number",
};

/// Deletes expired jobs with their events, in the order of their ids. Keeps the job of a post that exists.
fn purge_jobs(session: &mut dyn Session, cutoff: Timestamp, after: &str) -> Result<PurgedBatch> {
    let oldest = session.rows(
        "SELECT id, created_at, CASE WHEN finished_at <= $1
            AND (SELECT scheduled_posts.id FROM scheduled_posts WHERE scheduled_posts.job_id = jobs.id) IS NULL THEN 1 ELSE 0 END
         FROM jobs WHERE id > $2 ORDER BY id LIMIT $3",
        values![cutoff, after, TREES_AT_ONCE],
        |row| Ok((row.text()?, row.time()?, row.flag()?)),
    )?;
    let (expired, next) = expired(oldest, TREES_AT_ONCE, cutoff);
    let mut batch = PurgedBatch::default();
    let is_done = erasure::delete_jobs(session, &expired, &mut batch.purged)?;
    batch.next = if is_done { next } else { Some(after.to_owned()) };
    Ok(batch)
}

/// Returns the expired ones of the oldest records, and the id behind which the next batch begins. `oldest` has the id, the time of
/// creation, and whether the record has expired.
fn expired(oldest: Vec<(String, Timestamp, bool)>, limit: u32, cutoff: Timestamp) -> (Vec<String>, Option<String>) {
    let old: Vec<_> = oldest.into_iter().take_while(|(_, created_at, _)| *created_at <= cutoff).collect();
    let next = old.last().filter(|_| old.len() >= limit as usize).map(|(id, ..)| id.clone());
    (old.into_iter().filter(|(.., has_expired)| *has_expired).map(|(id, ..)| id).collect(), next)
}

/// Deletes expired entries of the audit trail. Their ids are in the order of their times.
fn purge_audit_entries(session: &mut dyn Session, cutoff: Timestamp) -> Result<PurgedBatch> {
    let deleted = session.execute(
        Statement {
            sqlite: "DELETE FROM audit_entries WHERE at <= $1
                AND id IN (SELECT id FROM audit_entries WHERE id > '' ORDER BY id LIMIT $2)",
            postgres: "DELETE FROM audit_entries WHERE ctid = ANY (ARRAY(
                SELECT oldest.ctid FROM (SELECT ctid, at FROM audit_entries WHERE id > '' ORDER BY id LIMIT $2) AS oldest
                WHERE at <= $1))",
        },
        values![cutoff, RECORDS_AT_ONCE],
    )?;
    let mut batch = PurgedBatch { next: from_the_oldest(deleted >= RECORDS_AT_ONCE.into()), ..PurgedBatch::default() };
    batch.purged.audit_entries = deleted;
    Ok(batch)
}

/// Starts the next batch with the oldest record again, if there are more.
pub(super) fn from_the_oldest(is_there_more: bool) -> Option<String> {
    is_there_more.then(String::new)
}
