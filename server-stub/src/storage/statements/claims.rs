//! Claiming jobs: which may be claimed, under which token, and which fail instead.

use std::collections::HashMap;

use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::id;
use crate::domain::job::{Failure, Job, JobStatus, MAX_INTERRUPTIONS, PROGRESS_DEADLINE};
use crate::domain::store::{ClaimedJob, ClaimedJobs, Error, Queue, Result};
use crate::domain::voice::BrandVoice;
use crate::failpoints;
use crate::storage::sql::{BatchStatement, Session, locking, values};

use super::lease_token::lease_token;
use super::set_aside::{Unreadable, readable_rows, set_aside};
use super::{accounts, jobs};

/// The progress that a job shows once it was begun.
const STARTED_PROGRESS: u8 = 10;

pub(in crate::storage) fn claim(
    session: &mut dyn Session,
    limit: u32,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<(ClaimedJobs, Vec<Unreadable>)> {
    let mut outcome = ClaimedJobs::default();
    let mut ending = Vec::new();
    let (due, mut unreadable) = due(session, limit, now)?;
    let websites = accounts::websites_with_voices(session, due.iter().map(|(job, _)| job.website_id.as_str()))?;
    for (job, lease_lapsed) in due {
        let (website, voice) = match website_of(&websites, &job) {
            Ok(found) => found,
            Err(row) => {
                unreadable.push(row);
                continue;
            }
        };
        if let Some(failure) = permanent_failure(&job, website) {
            ending.push((job, failure));
        } else {
            outcome.claimed.push(ClaimedJob {
                job: as_claimed(job, lease_lapsed, now),
                lease_token: lease_token(session.randomness()),
                website: website.clone(),
                voice: voice.clone(),
            });
        }
    }
    write(session, &outcome.claimed, now, lease_until)?;
    set_aside(session, Queue::Jobs, &unreadable, now)?;
    // Ending a job locks the counter of its website. All transactions take these locks in the same order, so none deadlock.
    ending.sort_by(|one, other| one.0.website_id.cmp(&other.0.website_id));
    for (job, failure) in ending {
        let event_id = id::new(id::Kind::Event, now, session.randomness());
        outcome.ended.push(jobs::fail(session, job, failure, event_id, now)?);
    }
    Ok((outcome, unreadable))
}

/// The jobs that may be claimed, each with whether an earlier lease of it lapsed, and those that cannot be read.
fn due(session: &mut dyn Session, limit: u32, now: Timestamp) -> Result<(Vec<(Job, bool)>, Vec<Unreadable>)> {
    readable_rows(
        session,
        locking!(
            "SELECT id, ", jobs::job_columns!(), ", CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END FROM jobs
             WHERE run_at <= $1 AND (deadline_at > $1 OR lease_token IS NOT NULL) ORDER BY run_at, id LIMIT $2";
            "FOR UPDATE SKIP LOCKED"
        ),
        values![now, limit],
        |row| Ok((jobs::job(row)?, row.flag()?)),
    )
}

/// The website of a job, with the voice to write in.
fn website_of<'w>(
    websites: &'w HashMap<String, Result<(Website, BrandVoice), Unreadable>>,
    job: &Job,
) -> Result<&'w (Website, BrandVoice), Unreadable> {
    let reason = match websites.get(&job.website_id) {
        Some(Ok(website)) => return Ok(website),
        Some(Err(unreadable)) => unreadable.reason.clone(),
        None => Error::MissingReference.to_string(),
    };
    Err(Unreadable { id: job.id.clone(), reason })
}

/// Why another attempt cannot help, if it cannot.
fn permanent_failure(job: &Job, website: &Website) -> Option<Failure> {
    if website.status != WebsiteStatus::Active {
        Some(Failure {
            code: "website_inactive".to_owned(),
            message: "The website is not active any more.".to_owned(),
            retryable: false,
        })
    } else if job.interruptions >= failpoints::interruptions(MAX_INTERRUPTIONS) {
        Some(Failure {
            code: "internal".to_owned(),
            message: "Writing was interrupted too often.".to_owned(),
            retryable: true,
        })
    } else {
        None
    }
}

/// The job as it is once it is claimed.
fn as_claimed(mut job: Job, lease_lapsed: bool, now: Timestamp) -> Job {
    let working = now.plus(PROGRESS_DEADLINE);
    // After a lapsed lease the deadline starts anew. A retry goes on in the time that is left.
    job.deadline_at = if lease_lapsed { working } else { job.deadline_at.min(working) };
    job.status = JobStatus::InProgress;
    job.attempts += 1;
    // A lapsed lease means that the process died, not that the work failed.
    job.interruptions += u32::from(lease_lapsed);
    job.progress = job.progress.max(STARTED_PROGRESS);
    job.started_at.get_or_insert(now);
    job
}

fn write(session: &mut dyn Session, claimed: &[ClaimedJob], now: Timestamp, lease_until: Timestamp) -> Result<()> {
    let inputs: Vec<_> = claimed
        .iter()
        .map(|ClaimedJob { job, lease_token, .. }| {
            values![
                &job.id,
                job.attempts,
                job.interruptions,
                job.progress,
                job.started_at,
                job.deadline_at,
                lease_until,
                lease_token,
            ]
            .to_vec()
        })
        .collect();
    session.execute_batch(&LEASE_JOBS, &inputs)?;
    let begun = claimed.iter().filter(|claimed| claimed.job.started_at == Some(now));
    let inputs: Vec<_> = begun.map(|claimed| values![&claimed.job.scheduled_post_id, now].to_vec()).collect();
    session.execute_batch(&BEGIN_POSTS, &inputs)
}

const LEASE_JOBS: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE jobs SET status = 'in_progress', attempts = $2, interruptions = $3, progress = $4,
            started_at = $5, deadline_at = $6, run_at = $7, lease_token = $8
         WHERE id = $1",
    postgres_all: "UPDATE jobs SET status = 'in_progress', attempts = input.attempts,
            interruptions = input.interruptions, progress = input.progress, started_at = input.started_at,
            deadline_at = input.deadline_at, run_at = input.run_at, lease_token = input.lease_token
         FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::text[])
            AS input (id, attempts, interruptions, progress, started_at, deadline_at, run_at, lease_token)
         WHERE jobs.id = input.id",
};

const BEGIN_POSTS: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE scheduled_posts SET status = 'generating', updated_at = $2
         WHERE id = $1 AND status = 'queued'",
    postgres_all: "UPDATE scheduled_posts SET status = 'generating', updated_at = input.updated_at
         FROM unnest($1::text[], $2::int8[]) AS input (id, updated_at)
         WHERE scheduled_posts.id = input.id AND status = 'queued'",
};
