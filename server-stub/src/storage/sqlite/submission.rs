//! The statements of a submission: the service's busiest write, so as few as there can be.

use rusqlite::{Connection, named_params};

use crate::domain::clock::Timestamp;
use crate::domain::idempotency::KEPT_FOR;
use crate::domain::job::Job;
use crate::domain::post::ScheduledPost;
use crate::domain::store::{Error, QueueLimits, Result, Submission, Submitted};

use super::idempotency;
use super::row::to_json;

pub(super) fn submit(connection: &Connection, submission: &Submission) -> Result<Submitted> {
    let Submission { job, post, idempotency: record, limits } = submission;
    if let Some(record) = record {
        let kept_for = i64::try_from(KEPT_FOR.as_millis()).unwrap_or(i64::MAX);
        let since = record.created_at.plus_millis(-kept_for);
        if let Some(first) = idempotency::find(connection, &record.account_id, record.operation, &record.key, since)? {
            return Ok(Submitted::Replayed(first));
        }
    }
    if is_full(connection, job, *limits)? {
        return Ok(Submitted::QueueFull);
    }
    insert_job(connection, job, job.created_at)?;
    insert_post(connection, post)?;
    if let Some(record) = record {
        idempotency::put(connection, record)?;
    }
    Ok(Submitted::Queued)
}

fn is_full(connection: &Connection, job: &Job, limits: QueueLimits) -> Result<bool> {
    let mut statement = connection.prepare_cached(
        "SELECT unfinished, (SELECT sum(unfinished) FROM queue_depths WHERE account_id = ?2) FROM queue_depths
         WHERE website_id = ?1",
    )?;
    let mut rows = statement.query([&job.website_id, &job.account_id])?;
    let row = rows.next()?.ok_or(Error::MissingReference)?;
    let (of_website, of_account): (u32, Option<u32>) = (row.get(0)?, row.get(1)?);
    Ok(of_website >= limits.per_website || of_account.unwrap_or_default() >= limits.per_account)
}

fn insert_job(connection: &Connection, job: &Job, run_at: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO jobs (id, account_id, website_id, scheduled_post_id, request, status, progress, attempts,
                deadline_at, created_at, run_at)
             VALUES (:id, :account_id, :website_id, :scheduled_post_id, :request, :status, :progress, :attempts,
                :deadline_at, :created_at, :run_at)",
        )?
        .execute(named_params! {
            ":id": job.id,
            ":account_id": job.account_id,
            ":website_id": job.website_id,
            ":scheduled_post_id": job.scheduled_post_id,
            ":request": to_json(&job.request),
            ":status": job.status.as_str(),
            ":progress": job.progress,
            ":attempts": job.attempts,
            ":deadline_at": job.deadline_at.millis(),
            ":created_at": job.created_at.millis(),
            ":run_at": run_at.millis(),
        })?;
    Ok(())
}

fn insert_post(connection: &Connection, post: &ScheduledPost) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO scheduled_posts (id, account_id, website_id, job_id, topic, status, publish_at, auto_publish,
                attempts, created_at, updated_at)
             VALUES (:id, :account_id, :website_id, :job_id, :topic, :status, :publish_at, :auto_publish, :attempts,
                :created_at, :updated_at)",
        )?
        .execute(named_params! {
            ":id": post.id,
            ":account_id": post.account_id,
            ":website_id": post.website_id,
            ":job_id": post.job_id,
            ":topic": post.topic,
            ":status": post.status.as_str(),
            ":publish_at": post.publish_at.map(Timestamp::millis),
            ":auto_publish": post.auto_publish,
            ":attempts": post.attempts,
            ":created_at": post.created_at.millis(),
            ":updated_at": post.updated_at.millis(),
        })?;
    Ok(())
}
