//! The statements of a submission: the service's busiest write, so as few as there can be.

use crate::domain::clock::Timestamp;
use crate::domain::idempotency::KEPT_FOR;
use crate::domain::job::Job;
use crate::domain::post::ScheduledPost;
use crate::domain::store::{Error, IdempotencyRecord, QueueLimits, Result, Submission, Submitted};
use crate::storage::sql::{Session, locking, to_json, values};

use super::idempotency;

pub(in crate::storage) fn submit(session: &mut dyn Session, submission: &Submission) -> Result<Submitted> {
    let Submission { job, post, idempotency: record, limits } = submission;
    if let Some(record) = record {
        session.lock(&format!("key:{}:{}", record.account_id, record.key))?;
        let since = kept_since(record);
        if let Some(first) = idempotency::find(session, &record.account_id, record.operation, &record.key, since)? {
            return Ok(Submitted::Replayed(first));
        }
    }
    if is_full(session, job, *limits)? {
        return Ok(Submitted::QueueFull);
    }
    insert_job(session, job)?;
    insert_post(session, post)?;
    if let Some(record) = record {
        idempotency::put(session, record)?;
    }
    Ok(Submitted::Queued)
}

/// Answers made after this moment are still kept when `record` is made.
pub(in crate::storage) fn kept_since(record: &IdempotencyRecord) -> Timestamp {
    record.created_at.plus_millis(-i64::try_from(KEPT_FOR.as_millis()).unwrap_or(i64::MAX))
}

fn is_full(session: &mut dyn Session, job: &Job, limits: QueueLimits) -> Result<bool> {
    let depths = session.first(
        locking!(
            "SELECT unfinished,
                (SELECT CAST(sum(unfinished) AS BIGINT) FROM queue_depths WHERE account_id = $2)
             FROM queue_depths WHERE website_id = $1";
            "FOR UPDATE"
        ),
        values![&job.website_id, &job.account_id],
        |row| Ok((row.number::<u32>()?, row.maybe_number::<u32>()?)),
    )?;
    let (of_website, of_account) = depths.ok_or(Error::MissingReference)?;
    Ok(of_website >= limits.per_website || of_account.unwrap_or_default() >= limits.per_account)
}

fn insert_job(session: &mut dyn Session, job: &Job) -> Result<()> {
    session.execute(
        "INSERT INTO jobs (id, account_id, website_id, scheduled_post_id, request, status, progress, attempts, deadline_at,
            created_at, run_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)",
        values![
            &job.id,
            &job.account_id,
            &job.website_id,
            &job.scheduled_post_id,
            &to_json(&job.request),
            job.status.as_str(),
            job.progress,
            job.attempts,
            job.deadline_at,
            job.created_at,
        ],
    )?;
    Ok(())
}

fn insert_post(session: &mut dyn Session, post: &ScheduledPost) -> Result<()> {
    session.execute(
        "INSERT INTO scheduled_posts (id, account_id, website_id, job_id, topic, status, publish_at, auto_publish, attempts,
            created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        values![
            &post.id,
            &post.account_id,
            &post.website_id,
            &post.job_id,
            &post.topic,
            post.status.as_str(),
            post.publish_at,
            post.auto_publish,
            post.attempts,
            post.created_at,
            post.updated_at,
        ],
    )?;
    Ok(())
}
