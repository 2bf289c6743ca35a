//! Submissions, many at once: the service's busiest write takes one statement for each table, whatever their number.

use std::collections::HashMap;

use tokio_postgres::Row;

use crate::domain::clock::Timestamp;
use crate::domain::store::{Error, IdempotencyRecord, Result, Submission, Submitted};
use crate::storage::sql::{Columns, to_json};
use crate::storage::statements::{idempotency, submission::kept_since};

use super::session::PostgresSession;

/// Queues what may be queued, and says of each what became of it.
pub(super) fn submit(session: &mut PostgresSession<'_>, submissions: &[Submission]) -> Result<Vec<Result<Submitted>>> {
    // Who holds these rows queues alone for these accounts, so the counts and the kept answers stay true until the commit.
    let mut depths = Depths::lock(session, submissions)?;
    let mut kept = kept(session, submissions)?;
    let mut queued = Vec::with_capacity(submissions.len());
    let mut outcomes = Vec::with_capacity(submissions.len());
    for submission in submissions {
        let key = submission.idempotency.as_ref().map(name);
        let outcome = match key.as_ref().and_then(|key| kept.get(key)) {
            Some(first) => Ok(Submitted::Replayed(first.clone())),
            None => depths.take(submission),
        };
        if matches!(outcome, Ok(Submitted::Queued)) {
            if let (Some(key), Some(record)) = (key, &submission.idempotency) {
                kept.insert(key, record.clone());
            }
            queued.push(submission);
        }
        outcomes.push(outcome);
    }
    if !queued.is_empty() {
        insert_jobs(session, &queued)?;
        insert_posts(session, &queued)?;
        keep_answers(session, &queued)?;
    }
    Ok(outcomes)
}

fn name(record: &IdempotencyRecord) -> (String, String, String) {
    (record.account_id.clone(), record.operation.to_owned(), record.key.clone())
}

/// How many jobs have not ended, by website and by account.
struct Depths {
    of_websites: HashMap<String, i64>,
    of_accounts: HashMap<String, i64>,
}

impl Depths {
    fn lock(session: &mut PostgresSession<'_>, submissions: &[Submission]) -> Result<Self> {
        let mut accounts: Vec<_> = submissions.iter().map(|one| one.job.account_id.as_str()).collect();
        accounts.sort_unstable();
        accounts.dedup();
        // In one order for everybody, or two processes could wait for each other.
        let rows = session.query(
            "SELECT website_id, account_id, unfinished FROM queue_depths WHERE account_id = ANY($1)
             ORDER BY website_id FOR UPDATE",
            &[&accounts],
        )?;
        let mut depths = Self { of_websites: HashMap::new(), of_accounts: HashMap::new() };
        for row in &rows {
            let (website_id, account_id, unfinished): (String, String, i64) =
                (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            depths.of_websites.insert(website_id, unfinished);
            *depths.of_accounts.entry(account_id).or_default() += unfinished;
        }
        Ok(depths)
    }

    /// Counts the submission, unless a queue is full.
    fn take(&mut self, submission: &Submission) -> Result<Submitted> {
        let (job, limits) = (&submission.job, submission.limits);
        let of_website = self.of_websites.get_mut(&job.website_id).ok_or(Error::MissingReference)?;
        let of_account = self.of_accounts.entry(job.account_id.clone()).or_default();
        if *of_website >= limits.per_website.into() || *of_account >= limits.per_account.into() {
            return Ok(Submitted::QueueFull);
        }
        *of_website += 1;
        *of_account += 1;
        Ok(Submitted::Queued)
    }
}

/// The answers that are kept for the submissions' idempotency keys.
fn kept(
    session: &mut PostgresSession<'_>,
    submissions: &[Submission],
) -> Result<HashMap<(String, String, String), IdempotencyRecord>> {
    let records: Vec<_> = submissions.iter().filter_map(|one| one.idempotency.as_ref()).collect();
    if records.is_empty() {
        return Ok(HashMap::new());
    }
    let texts = |of: fn(&IdempotencyRecord) -> &str| records.iter().map(|record| of(record)).collect::<Vec<_>>();
    let since: Vec<_> = records.iter().map(|record| kept_since(record).millis()).collect();
    let rows = session.query(
        concat!(
            "SELECT ",
            idempotency::record_columns!(),
            " FROM idempotency_keys
             JOIN unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
                AS wanted (of_account, of_operation, of_key, since)
                ON account_id = of_account AND operation = of_operation AND key = of_key AND created_at > since"
        ),
        &[&texts(|one| &one.account_id), &texts(|one| one.operation), &texts(|one| &one.key), &since],
    )?;
    let read = |row: &Row| {
        let record = idempotency::record(&mut Columns::new(row))?;
        Ok((name(&record), record))
    };
    rows.iter().map(read).collect()
}

fn insert_jobs(session: &mut PostgresSession<'_>, queued: &[&Submission]) -> Result<()> {
    let texts = |of: fn(&Submission) -> &str| queued.iter().map(|one| of(one)).collect::<Vec<_>>();
    let numbers = |of: fn(&Submission) -> i64| queued.iter().map(|one| of(one)).collect::<Vec<_>>();
    let requests: Vec<_> = queued.iter().map(|one| to_json(&one.job.request)).collect();
    session.query(
        "INSERT INTO jobs (id, account_id, website_id, scheduled_post_id, request, status, progress, attempts, deadline_at,
            created_at, run_at)
         SELECT id, account_id, website_id, scheduled_post_id, request, status, progress, attempts, deadline_at, created_at,
            created_at
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
                $9::bigint[], $10::bigint[])
            AS job (id, account_id, website_id, scheduled_post_id, request, status, progress, attempts, deadline_at,
                created_at)",
        &[
            &texts(|one| &one.job.id),
            &texts(|one| &one.job.account_id),
            &texts(|one| &one.job.website_id),
            &texts(|one| &one.job.scheduled_post_id),
            &requests,
            &texts(|one| one.job.status.as_str()),
            &numbers(|one| one.job.progress.into()),
            &numbers(|one| one.job.attempts.into()),
            &numbers(|one| one.job.deadline_at.millis()),
            &numbers(|one| one.job.created_at.millis()),
        ],
    )?;
    Ok(())
}

fn insert_posts(session: &mut PostgresSession<'_>, queued: &[&Submission]) -> Result<()> {
    let texts = |of: fn(&Submission) -> &str| queued.iter().map(|one| of(one)).collect::<Vec<_>>();
    let numbers = |of: fn(&Submission) -> i64| queued.iter().map(|one| of(one)).collect::<Vec<_>>();
    let job_ids: Vec<_> = queued.iter().map(|one| one.post.job_id.as_deref()).collect();
    let topics: Vec<_> = queued.iter().map(|one| one.post.topic.replace('\0', "\u{fffd}")).collect();
    let publish_at: Vec<_> = queued.iter().map(|one| one.post.publish_at.map(Timestamp::millis)).collect();
    session.query(
        "INSERT INTO scheduled_posts (id, account_id, website_id, job_id, topic, status, publish_at, auto_publish, attempts,
            created_at, updated_at)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[],
            $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])",
        &[
            &texts(|one| &one.post.id),
            &texts(|one| &one.post.account_id),
            &texts(|one| &one.post.website_id),
            &job_ids,
            &topics,
            &texts(|one| one.post.status.as_str()),
            &publish_at,
            &numbers(|one| one.post.auto_publish.into()),
            &numbers(|one| one.post.attempts.into()),
            &numbers(|one| one.post.created_at.millis()),
            &numbers(|one| one.post.updated_at.millis()),
        ],
    )?;
    Ok(())
}

fn keep_answers(session: &mut PostgresSession<'_>, queued: &[&Submission]) -> Result<()> {
    let records: Vec<_> = queued.iter().filter_map(|one| one.idempotency.as_ref()).collect();
    if records.is_empty() {
        return Ok(());
    }
    let texts = |of: fn(&IdempotencyRecord) -> &str| records.iter().map(|record| of(record)).collect::<Vec<_>>();
    let fingerprints: Vec<_> = records.iter().map(|record| record.fingerprint.as_slice()).collect();
    let created: Vec<_> = records.iter().map(|record| record.created_at.millis()).collect();
    let bodies: Vec<_> = records.iter().map(|record| record.body.as_ref()).collect();
    session.query(
        "INSERT INTO idempotency_keys (account_id, operation, key, fingerprint, job_id, created_at, body)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::text[], $6::bigint[], $7::bytea[])
         ON CONFLICT (account_id, operation, key) DO UPDATE SET fingerprint = excluded.fingerprint,
            job_id = excluded.job_id, created_at = excluded.created_at, body = excluded.body",
        &[
            &texts(|one| &one.account_id),
            &texts(|one| one.operation),
            &texts(|one| &one.key),
            &fingerprints,
            &texts(|one| &one.job_id),
            &created,
            &bodies,
        ],
    )?;
    Ok(())
}
