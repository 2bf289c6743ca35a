//! Claiming jobs: which may be taken, under which token, and which end instead of being taken.

use rusqlite::Connection;
use uuid::Uuid;

use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::id;
use crate::domain::job::{Failure, Job, JobStatus, MAX_ATTEMPTS, PROGRESS_DEADLINE};
use crate::domain::store::{ClaimedJob, ClaimedJobs, Error, Result};

use super::{accounts, jobs};

/// What a job that was begun shows: it moved, no more is known.
const STARTED_PROGRESS: u8 = 10;

/// A token that no other claim has.
pub(super) fn lease_token() -> String {
    Uuid::new_v4().simple().to_string()
}

pub(super) fn claim(
    connection: &Connection,
    limit: u32,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<ClaimedJobs> {
    let mut outcome = ClaimedJobs::default();
    for job in due(connection, limit, now)? {
        let website = accounts::find_website(connection, &job.website_id)?.ok_or(Error::MissingReference)?;
        if let Some(failure) = hopeless(&job, &website) {
            outcome.ended.push(jobs::fail(connection, job, failure, id::new(id::Kind::Event, now), now)?);
        } else {
            outcome.claimed.push(take(connection, job, website, now, lease_until)?);
        }
    }
    Ok(outcome)
}

fn due(connection: &Connection, limit: u32, now: Timestamp) -> Result<Vec<Job>> {
    let mut statement = connection
        .prepare_cached("SELECT * FROM jobs WHERE run_at <= ?1 AND deadline_at > ?1 ORDER BY run_at, id LIMIT ?2")?;
    let mut rows = statement.query((now.millis(), limit))?;
    let mut due = Vec::new();
    while let Some(row) = rows.next()? {
        due.push(jobs::job(row)?);
    }
    Ok(due)
}

/// Why no attempt can help, if none can.
fn hopeless(job: &Job, website: &Website) -> Option<Failure> {
    if website.status != WebsiteStatus::Active {
        Some(Failure {
            code: "website_inactive".to_owned(),
            message: "The website is not active any more.".to_owned(),
            retryable: false,
        })
    } else if job.attempts >= MAX_ATTEMPTS {
        Some(Failure {
            code: "internal".to_owned(),
            message: "Writing was interrupted too often.".to_owned(),
            retryable: true,
        })
    } else {
        None
    }
}

fn take(
    connection: &Connection,
    mut job: Job,
    website: Website,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<ClaimedJob> {
    if job.status == JobStatus::Queued {
        connection
            .prepare_cached("UPDATE scheduled_posts SET status = 'generating', updated_at = ?2 WHERE id = ?1")?
            .execute((&job.scheduled_post_id, now.millis()))?;
        job.deadline_at = now.plus(PROGRESS_DEADLINE);
    }
    let lease_token = lease_token();
    job.status = JobStatus::InProgress;
    job.attempts += 1;
    job.progress = job.progress.max(STARTED_PROGRESS);
    job.started_at.get_or_insert(now);
    connection
        .prepare_cached(
            "UPDATE jobs SET status = 'in_progress', attempts = ?2, progress = ?3, started_at = ?4, deadline_at = ?5,
                run_at = ?6, lease_token = ?7
             WHERE id = ?1",
        )?
        .execute((
            &job.id,
            job.attempts,
            job.progress,
            job.started_at.map(Timestamp::millis),
            job.deadline_at.millis(),
            lease_until.millis(),
            &lease_token,
        ))?;
    let voice = accounts::voice_for(connection, &website)?;
    Ok(ClaimedJob { job, lease_token, website, voice })
}
