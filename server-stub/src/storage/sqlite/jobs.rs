//! Statements about single jobs and how they end. Claiming is in `claims`, queueing in `submission`.

use rusqlite::{Connection, Row};

use crate::domain::clock::Timestamp;
use crate::domain::event::{Event, EventType};
use crate::domain::id;
use crate::domain::job::{CancelDecision, Failure, Job, JobStatus, decide_cancel};
use crate::domain::post::PostStatus;
use crate::domain::publication::ArticleStatus;
use crate::domain::store::{Cancelled, Fenced, JobCompletion, JobFailure, JobStatusChange, Result};

use super::row::{json, maybe_json, maybe_time, named, time, to_json};
use super::{articles, events};

/// Jobs that one sweep fails at most; the next one follows within a second.
const SWEPT_AT_ONCE: u32 = 100;

pub(super) fn find(connection: &Connection, job_id: &str) -> Result<Option<Job>> {
    let mut statement = connection.prepare_cached("SELECT * FROM jobs WHERE id = ?1")?;
    let mut rows = statement.query([job_id])?;
    rows.next()?.map(job).transpose()
}

/// Reads a row of `jobs`.
pub(super) fn job(row: &Row<'_>) -> Result<Job> {
    Ok(Job {
        id: row.get("id")?,
        account_id: row.get("account_id")?,
        website_id: row.get("website_id")?,
        scheduled_post_id: row.get("scheduled_post_id")?,
        request: json(row, "request")?,
        status: named(row, "status", JobStatus::parse)?,
        progress: row.get("progress")?,
        article_id: row.get("article_id")?,
        attempts: row.get("attempts")?,
        error: maybe_json(row, "error")?,
        deadline_at: time(row, "deadline_at")?,
        created_at: time(row, "created_at")?,
        started_at: maybe_time(row, "started_at")?,
        finished_at: maybe_time(row, "finished_at")?,
    })
}

/// The job, if the token is still that of its claim.
fn find_leased(connection: &Connection, job_id: &str, lease_token: &str) -> Result<Option<Job>> {
    let mut statement = connection
        .prepare_cached("SELECT * FROM jobs WHERE id = ?1 AND lease_token = ?2 AND status = 'in_progress'")?;
    let mut rows = statement.query([job_id, lease_token])?;
    rows.next()?.map(job).transpose()
}

/// Moves the end of a lease, which fences by its token like everything else.
pub(super) fn renew(connection: &Connection, job_id: &str, lease_token: &str, until: Timestamp) -> Result<Fenced> {
    let changed = connection
        .prepare_cached("UPDATE jobs SET run_at = ?3 WHERE id = ?1 AND lease_token = ?2 AND status = 'in_progress'")?
        .execute((job_id, lease_token, until.millis()))?;
    Ok(if changed == 1 { Fenced::Recorded } else { Fenced::Lost })
}

pub(super) fn release(connection: &Connection, job_id: &str, lease_token: &str, now: Timestamp) -> Result<Fenced> {
    let changed = connection
        .prepare_cached(
            "UPDATE jobs SET run_at = ?3, lease_token = NULL, attempts = attempts - 1
             WHERE id = ?1 AND lease_token = ?2 AND status = 'in_progress'",
        )?
        .execute((job_id, lease_token, now.millis()))?;
    Ok(if changed == 1 { Fenced::Recorded } else { Fenced::Lost })
}

pub(super) fn complete(connection: &Connection, completion: JobCompletion) -> Result<Fenced> {
    let JobCompletion { job_id, lease_token, article, finished_at } = completion;
    let Some(job) = find_leased(connection, &job_id, &lease_token)? else { return Ok(Fenced::Lost) };
    let goes_out = article.status == ArticleStatus::Scheduled;
    let article_id = article.id.clone();
    articles::insert(connection, &job.account_id, article)?;
    connection
        .prepare_cached(
            "UPDATE jobs SET status = 'completed', progress = 100, article_id = ?2, finished_at = ?3, run_at = NULL,
                lease_token = NULL
             WHERE id = ?1",
        )?
        .execute((&job_id, &article_id, finished_at.millis()))?;
    let (status, run_at) = if goes_out {
        let due = job.request.publish_at.unwrap_or(finished_at).max(finished_at);
        (PostStatus::Scheduled, Some(due.millis()))
    } else {
        (PostStatus::Ready, None)
    };
    connection
        .prepare_cached(
            "UPDATE scheduled_posts SET status = ?2, article_id = ?3, run_at = ?4, updated_at = ?5 WHERE id = ?1",
        )?
        .execute((&job.scheduled_post_id, status.as_str(), &article_id, run_at, finished_at.millis()))?;
    Ok(Fenced::Recorded)
}

pub(super) fn record_failure(connection: &Connection, failed: JobFailure) -> Result<Fenced> {
    let JobFailure { job_id, lease_token, failure, retry_at, event_id, now } = failed;
    let Some(job) = find_leased(connection, &job_id, &lease_token)? else { return Ok(Fenced::Lost) };
    if let Some(retry_at) = retry_at {
        connection
            .prepare_cached("UPDATE jobs SET run_at = ?2, lease_token = NULL WHERE id = ?1")?
            .execute((&job_id, retry_at.millis()))?;
    } else {
        fail(connection, job, failure, event_id, now)?;
    }
    Ok(Fenced::Recorded)
}

/// Fails a job with its pipeline entry, and announces it where somebody asked for that.
pub(super) fn fail(
    connection: &Connection,
    mut job: Job,
    failure: Failure,
    event_id: String,
    now: Timestamp,
) -> Result<JobStatusChange> {
    let error = to_json(&failure);
    connection
        .prepare_cached(
            "UPDATE jobs SET status = 'failed', error = ?2, finished_at = ?3, run_at = NULL, lease_token = NULL
             WHERE id = ?1",
        )?
        .execute((&job.id, &error, now.millis()))?;
    connection
        .prepare_cached("UPDATE scheduled_posts SET status = 'failed', error = ?2, updated_at = ?3 WHERE id = ?1")?
        .execute((&job.scheduled_post_id, &error, now.millis()))?;
    job.status = JobStatus::Failed;
    job.error = Some(failure);
    job.finished_at = Some(now);
    if events::is_wanted(connection, &job.account_id, &job.website_id, EventType::JobFailed)? {
        events::insert(connection, &Event::job_failed(event_id, &job, now))?;
    }
    Ok(JobStatusChange { job_id: job.id, status: JobStatus::Failed })
}

pub(super) fn cancel(connection: &Connection, job_id: &str, now: Timestamp) -> Result<Cancelled> {
    let Some(mut job) = find(connection, job_id)? else { return Ok(Cancelled::NotFound) };
    match decide_cancel(job.status) {
        CancelDecision::AlreadyCancelled => return Ok(Cancelled::Done(job)),
        CancelDecision::TooLate => return Ok(Cancelled::TooLate(job)),
        CancelDecision::Cancel => {}
    }
    connection
        .prepare_cached(
            "UPDATE jobs SET status = 'cancelled', finished_at = ?2, run_at = NULL, lease_token = NULL WHERE id = ?1",
        )?
        .execute((job_id, now.millis()))?;
    connection
        .prepare_cached("UPDATE scheduled_posts SET status = 'cancelled', updated_at = ?2 WHERE id = ?1")?
        .execute((&job.scheduled_post_id, now.millis()))?;
    job.status = JobStatus::Cancelled;
    job.finished_at = Some(now);
    Ok(Cancelled::Done(job))
}

pub(super) fn fail_overdue(connection: &Connection, now: Timestamp) -> Result<Vec<JobStatusChange>> {
    let mut statement = connection.prepare_cached(
        "SELECT * FROM jobs WHERE run_at IS NOT NULL AND deadline_at <= ?1 ORDER BY deadline_at LIMIT ?2",
    )?;
    let mut rows = statement.query((now.millis(), SWEPT_AT_ONCE))?;
    let mut overdue = Vec::new();
    while let Some(row) = rows.next()? {
        overdue.push(job(row)?);
    }
    overdue
        .into_iter()
        .map(|job| {
            let failure = Failure {
                code: "generation_timeout".to_owned(),
                message: "The article was not written before the job's deadline.".to_owned(),
                retryable: true,
            };
            fail(connection, job, failure, id::new(id::Kind::Event, now), now)
        })
        .collect()
}
