//! Reads single jobs and ends them. `claims` claims jobs, `submission` queues them, and `completion` completes them.

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::event::{Event, EventType};
use crate::domain::failure::Failure;
use crate::domain::id;
use crate::domain::job::{CancelDecision, Job, JobStatus, decide_cancel};
use crate::domain::store::{Cancelled, Error, JobFailure, JobStatusChange, LeaseOutcome, Queue, Result};
use crate::wakeups::Announcement;

use super::deletion::website_exists;
use super::events;
use super::set_aside::{Unreadable, readable_rows, set_aside};
use super::sql::{BatchStatement, Columns, Session, locking, to_json, values};
use super::store::Store;

/// Maximum number of jobs that one call fails. The next call follows within a second.
const MAX_FAILED_AT_ONCE: u32 = 100;
/// The columns of a job in the order in which [`job`] reads them.
macro_rules! job_columns {
    () => {
        "id, account_id, website_id, scheduled_post_id, request, status, progress, article_id, attempts,
            interruptions, error, deadline_at, expires_at, created_at, started_at, finished_at"
    };
}
pub(super) use job_columns;

impl Store {
    /// Returns the job of any account.
    pub async fn find_job(&self, job_id: &str) -> Result<Option<Job>> {
        tracing::trace!(name: "job.read", job_id);
        let job_id = job_id.to_owned();
        self.read_few(move |session| {
            session.first(
                concat!("SELECT ", job_columns!(), " FROM jobs WHERE id = $1 AND ", website_exists!()),
                values![&job_id],
                job,
            )
        })
        .await
    }

    /// Returns the jobs in the list that have ended.
    pub async fn ended_jobs(&self, job_ids: &[String]) -> Result<Vec<String>> {
        let job_ids = job_ids.to_owned();
        self.read_many(move |session| {
            let inputs: Vec<_> = job_ids.iter().map(|job_id| values![job_id].to_vec()).collect();
            let mut ended = Vec::new();
            session.query_batch(&FIND_ENDED, &inputs, &mut |number, _| {
                ended.push(job_ids[number].clone());
                Ok(())
            })?;
            Ok(ended)
        })
        .await
    }

    /// Cancels a job with its post, if it has not ended. `now` is wall time.
    pub async fn cancel_job(&self, job_id: &str, now: Timestamp) -> Result<Cancelled> {
        let id = job_id.to_owned();
        let cancelled = self
            .change_exclusive(move |session| {
                let found = session.first(
                    locking!("SELECT ", job_columns!(), " FROM jobs WHERE id = $1"; "FOR UPDATE"),
                    values![&id],
                    job,
                )?;
                let Some(job) = found else { return Ok(Cancelled::NotFound) };
                match decide_cancel(job.status) {
                    CancelDecision::AlreadyCancelled => return Ok(Cancelled::AlreadyDone(job)),
                    CancelDecision::TooLate => return Ok(Cancelled::TooLate(job)),
                    CancelDecision::Cancel => {}
                }
                let job = job.ended(JobStatus::Cancelled, now);
                session.execute(
                    "UPDATE jobs SET status = 'cancelled', finished_at = $2, deadline_at = $3, run_at = NULL,
                        lease_token = NULL, claim_token = NULL
                     WHERE id = $1",
                    values![&id, job.finished_at, job.deadline_at],
                )?;
                session.execute(
                    "UPDATE scheduled_posts SET status = 'cancelled', updated_at = $2 WHERE id = $1",
                    values![&job.scheduled_post_id, now],
                )?;
                Ok(Cancelled::Done(job))
            })
            .await?;
        // Also if the job was cancelled before: that call may have committed without a response.
        if matches!(cancelled, Cancelled::Done(_) | Cancelled::AlreadyDone(_)) {
            self.announce(Announcement::JobEnded(job_id.to_owned()));
        }
        Ok(cancelled)
    }

    /// Extends the lease of a job in progress, unless another worker claimed it after the lease lapsed.
    pub async fn renew_job(&self, job_id: &str, lease_token: &str, lease_until: Timestamp) -> Result<LeaseOutcome> {
        let (job_id, lease_token) = (job_id.to_owned(), lease_token.to_owned());
        self.write(move |session| {
            let changed = session.execute(
                "UPDATE jobs SET run_at = $3, is_set_aside = 0
                 WHERE id = $1 AND lease_token = $2 AND claim_token IS NULL AND status = 'in_progress'",
                values![&job_id, &lease_token, lease_until],
            )?;
            Ok(lease_outcome(changed))
        })
        .await
    }

    /// Records a failed attempt.
    pub async fn fail_job(&self, failure: JobFailure) -> Result<LeaseOutcome> {
        let ended = failure.retry_at.is_none().then(|| failure.job_id.clone());
        let outcome = self.write_exclusive(move |session| record_failure(session, failure.clone())).await?;
        // Also if the lease is lost: an earlier call may have committed without a response.
        if let Some(job_id) = ended {
            self.announce_failed(&job_id);
        }
        Ok(outcome)
    }

    /// Fails every job whose deadline has passed (`generation_timeout`), with its post. Returns these jobs.
    pub async fn fail_overdue_jobs(&self, now: Moment) -> Result<Vec<JobStatusChange>> {
        let (ended, unreadable) = self.write_exclusive(move |session| fail_overdue(session, now)).await?;
        self.unreadable_rows.add(Queue::Jobs, &unreadable);
        for job in &ended {
            self.announce_failed(&job.job_id);
        }
        Ok(ended)
    }

    /// Announces the end of a failed job, and the delivery that may report it.
    pub(super) fn announce_failed(&self, job_id: &str) {
        self.announce(Announcement::JobEnded(job_id.to_owned()));
        self.announce(Announcement::DeliveryDue);
    }
}

const FIND_ENDED: BatchStatement = BatchStatement {
    sqlite_each: "SELECT 1 FROM jobs WHERE id = $1 AND status IN ('completed', 'failed', 'cancelled')",
    postgres_all: "SELECT input.number FROM unnest($1::text[]) WITH ORDINALITY AS input (id, number)
         JOIN jobs ON jobs.id = input.id
         WHERE jobs.status IN ('completed', 'failed', 'cancelled')",
};

/// Reads the columns of `job_columns`.
pub(super) fn job(row: &mut Columns<'_>) -> Result<Job> {
    Ok(Job {
        id: row.text()?,
        account_id: row.text()?,
        website_id: row.text()?,
        scheduled_post_id: row.text()?,
        request: row.json()?,
        status: row.named(JobStatus::parse)?,
        progress: row.number()?,
        article_id: row.maybe_text()?,
        attempts: row.number()?,
        interruptions: row.number()?,
        error: row.maybe_json()?,
        deadline_at: row.time()?,
        expires_at: row.time()?,
        created_at: row.time()?,
        started_at: row.maybe_time()?,
        finished_at: row.maybe_time()?,
    })
}

pub(super) const fn lease_outcome(changed: u64) -> LeaseOutcome {
    if changed == 1 { LeaseOutcome::Recorded } else { LeaseOutcome::Lost }
}

fn record_failure(session: &mut dyn Session, failed: JobFailure) -> Result<LeaseOutcome> {
    let JobFailure { job_id, lease_token, failure, retry_at, event_id, now } = failed;
    let leased = session.first(
        locking!(
            "SELECT ", job_columns!(), " FROM jobs WHERE id = $1 AND lease_token = $2 AND status = 'in_progress'";
            "FOR UPDATE"
        ),
        values![&job_id, &lease_token],
        job,
    )?;
    let Some(job) = leased else { return Ok(LeaseOutcome::Lost) };
    if let Some(retry_at) = retry_at {
        // If another worker claimed the job because this attempt seemed dead, that worker loses it: the pause before
        // the next attempt starts now.
        session.execute(
            "UPDATE jobs SET run_at = $2, lease_token = NULL, claim_token = NULL, is_set_aside = 0 WHERE id = $1",
            values![&job_id, retry_at],
        )?;
    } else {
        fail(session, job, failure, event_id, now)?;
    }
    Ok(LeaseOutcome::Recorded)
}

/// Fails a job with its post, and stores the event if an endpoint is subscribed to it.
pub(super) fn fail(
    session: &mut dyn Session,
    job: Job,
    failure: Failure,
    event_id: String,
    now: Moment,
) -> Result<JobStatusChange> {
    let (error, mut job) = (to_json(&failure), job.ended(JobStatus::Failed, now.wall));
    session.execute(
        "UPDATE jobs SET status = 'failed', error = $2, finished_at = $3, deadline_at = $4, run_at = NULL,
            lease_token = NULL, claim_token = NULL
         WHERE id = $1",
        values![&job.id, &error, job.finished_at, job.deadline_at],
    )?;
    session.execute(
        "UPDATE scheduled_posts SET status = 'failed', error = $2, updated_at = $3 WHERE id = $1",
        values![&job.scheduled_post_id, &error, now.wall],
    )?;
    job.error = Some(failure);
    events::insert_if_subscribed(session, EventType::JobFailed, &job.account_id, &job.website_id, now.steady, || {
        Event::job_failed(event_id, &job, now.wall)
    })?;
    Ok(JobStatusChange { job_id: job.id, status: JobStatus::Failed })
}

fn fail_overdue(session: &mut dyn Session, now: Moment) -> Result<(Vec<JobStatusChange>, Vec<Unreadable>)> {
    let (overdue, unreadable) = readable_rows(
        session,
        // Skips attempts whose lease lapsed; the next claim handles them, because no worker worked on them until their
        // deadline. A job that is claimed but not begun counts as waiting, so it can fail. Also skips jobs that were
        // set aside, and jobs whose next attempt is due before their deadline.
        locking!(
            "SELECT id, run_at, ", job_columns!(), " FROM jobs
             WHERE run_at IS NOT NULL AND expires_at <= $1 AND CASE WHEN lease_token IS NULL
                THEN run_at <= $1 OR claim_token IS NOT NULL
                ELSE run_at > $1 AND claim_token IS NULL AND is_set_aside = 0 END
             ORDER BY expires_at LIMIT $2";
            "FOR UPDATE SKIP LOCKED"
        ),
        values![now.steady, MAX_FAILED_AT_ONCE],
        |row| {
            let is_held = row.time()? > now.steady;
            match job(row) {
                // The worker that holds the job can read it.
                Err(Error::Broken(_)) if is_held => Ok(None),
                read => read.map(Some),
            }
        },
    )?;
    let mut overdue: Vec<_> = overdue.into_iter().flatten().collect();
    set_aside(session, Queue::Jobs, &unreadable, now.steady)?;
    // Ending a job locks the counter of its website. All transactions take these locks in the same order, so they do not
    // deadlock.
    overdue.sort_by(|one, other| one.website_id.cmp(&other.website_id));
    let failed = overdue.into_iter().map(|job| {
        let event_id = id::new(id::Kind::Event, now.wall, session.randomness());
        fail(session, job, Failure::timeout(), event_id, now)
    });
    Ok((failed.collect::<Result<_>>()?, unreadable))
}
