//! Claims jobs: decides which jobs can be claimed, under which token, and which fail instead. A claim is only a lease. Clients
//! see a change when the work begins, but not if the claim is released.

use std::slice;
use std::sync::PoisonError;

use crate::domain::account::Website;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::id;
use crate::domain::job::{Job, MAX_INTERRUPTIONS};
use crate::domain::store::{ClaimedJob, ClaimedJobs, Error, JobStart, LeaseOutcome, Queue, Result};
use crate::domain::voice::BrandVoice;
use crate::failpoints;
use crate::wakeups::Announcement;

use super::due_jobs::{self, DueJob};
use super::lease_token::lease_token;
use super::set_aside::{Unreadable, past_unreadable, set_aside};
use super::sql::{BatchStatement, Session, values};
use super::store::{Engine, Store};
use super::{jobs, websites};

impl Store {
    /// Claims up to `limit` jobs that are queued, due for another attempt, or whose lease lapsed. Clients cannot see a
    /// claim: the job looks unchanged until its work begins. A job that cannot succeed (inactive website, attempts used up
    /// by crashes) fails instead. The accounts take turns, also over several claims of this process, so that the jobs of one do
    /// not delay those of another.
    pub async fn claim_jobs(&self, limit: u32, now: Moment, lease_until: Timestamp) -> Result<ClaimedJobs> {
        let last_served = self.last_served.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (jobs, unreadable, served) =
            self.write_exclusive(move |session| claim(session, limit, &last_served, now, lease_until)).await?;
        if let Some(served) = served {
            *self.last_served.lock().unwrap_or_else(PoisonError::into_inner) = served;
        }
        self.unreadable_rows.add(Queue::Jobs, &unreadable);
        for job in &jobs.ended {
            self.announce_failed(&job.job_id);
        }
        Ok(jobs)
    }

    /// Begins the work on a claimed job: it becomes `in_progress`, the attempt counts and the deadline starts. Returns
    /// `None` if the claim was lost, for example to a cancellation. A second start under the same claim returns the job of
    /// the first one.
    pub async fn begin_job(&self, start: JobStart) -> Result<Option<Job>> {
        match &self.engine {
            Engine::Sqlite(sqlite) => {
                sqlite.writer.write(move |session| Ok(begin(session, slice::from_ref(&start))?.pop().flatten())).await
            }
            Engine::Postgres(postgres) => postgres.starts.call(start).await,
        }
    }

    /// Releases a job that was claimed but not begun. It is due since `due_at` again, as before the claim.
    pub async fn release_job(&self, job_id: &str, lease_token: &str, due_at: Timestamp) -> Result<LeaseOutcome> {
        let (job_id, lease_token) = (job_id.to_owned(), lease_token.to_owned());
        let outcome = self
            .write(move |session| {
                let changed = session.execute(
                    "UPDATE jobs SET run_at = $3, claim_token = NULL WHERE id = $1 AND claim_token = $2
                        AND run_at IS NOT NULL",
                    values![&job_id, &lease_token, due_at],
                )?;
                Ok(jobs::lease_outcome(changed))
            })
            .await?;
        if outcome == LeaseOutcome::Recorded {
            self.announce(Announcement::JobDue);
        }
        Ok(outcome)
    }
}

/// Claims jobs. Also returns the rows that cannot be read, and the account of the last job, behind which the next claim begins.
fn claim(
    session: &mut dyn Session,
    limit: u32,
    last_served: &str,
    now: Moment,
    lease_until: Timestamp,
) -> Result<(ClaimedJobs, Vec<Unreadable>, Option<String>)> {
    let mut outcome = ClaimedJobs::default();
    let mut ending = Vec::new();
    let (due, unreadable) = past_unreadable(limit, |limit| due_with_websites(session, limit, last_served, now.steady))?;
    let served = due.last().map(|claimed| claimed.job.account_id.clone());
    for claimed in due {
        let max_interruptions = failpoints::interruptions(MAX_INTERRUPTIONS);
        match claimed.job.permanent_failure(claimed.website.status, max_interruptions) {
            Some(failure) => ending.push((claimed.job, failure)),
            None => outcome.claimed.push(claimed),
        }
    }
    let claimed =
        outcome.claimed.iter().map(|claimed| values![&claimed.job.id, &claimed.lease_token, lease_until].to_vec());
    session.execute_batch(&CLAIM_JOBS, &claimed.collect::<Vec<_>>())?;
    set_aside(session, Queue::Jobs, &unreadable, now.steady)?;
    // Ending a job locks the counter of its website. All transactions take these locks in the same order, so they do not
    // deadlock.
    ending.sort_by(|one, other| one.0.website_id.cmp(&other.0.website_id));
    for (job, failure) in ending {
        let event_id = id::new(id::Kind::Event, now.wall, session.randomness());
        outcome.ended.push(jobs::fail(session, job, failure, event_id, now)?);
    }
    Ok((outcome, unreadable, served))
}

const CLAIM_JOBS: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE jobs SET claim_token = $2, run_at = $3, is_set_aside = 0 WHERE id = $1",
    postgres_all: "UPDATE jobs SET claim_token = input.claim_token, run_at = input.run_at, is_set_aside = 0
         FROM unnest($1::text[], $2::text[], $3::int8[]) AS input (id, claim_token, run_at)
         WHERE jobs.id = input.id",
};

/// Returns the jobs that can be claimed, each with a new token. Also returns those whose job, website or voice cannot be read.
fn due_with_websites(
    session: &mut dyn Session,
    limit: u32,
    last_served: &str,
    now: Timestamp,
) -> Result<(Vec<ClaimedJob>, Vec<Unreadable>)> {
    let (due, mut unreadable) = due_jobs::find(session, limit, last_served, now)?;
    let websites = websites::websites_with_voices(session, due.iter().map(|due| due.job.website_id.as_str()))?;
    let mut readable = Vec::new();
    for DueJob { job, due_at, has_lapsed, was_interrupted } in due {
        match website_of(&websites, &job) {
            Ok((website, voice)) => readable.push(ClaimedJob {
                job,
                lease_token: lease_token(session.randomness()),
                due_at,
                has_lapsed,
                was_interrupted,
                website: website.clone(),
                voice: voice.clone(),
            }),
            Err(row) => unreadable.push(row),
        }
    }
    Ok((readable, unreadable))
}

/// Returns the website of a job, with its voice.
fn website_of<'w>(
    websites: &'w websites::WebsitesWithVoices,
    job: &Job,
) -> Result<&'w (Website, BrandVoice), Unreadable> {
    let reason = match websites.get(&job.website_id) {
        Some(Ok(website)) => return Ok(website),
        Some(Err(unreadable)) => unreadable.reason.clone(),
        None => Error::MissingReference.to_string(),
    };
    Err(Unreadable { id: job.id.clone(), reason })
}

/// Stores the starts of claimed jobs: they are in progress and their deadlines start. Returns `None` for a lost claim.
pub(super) fn begin(session: &mut dyn Session, starts: &[JobStart]) -> Result<Vec<Option<Job>>> {
    let inputs: Vec<_> = starts
        .iter()
        .map(|JobStart { job, lease_token, lease_until }| {
            values![
                &job.id,
                lease_token,
                job.attempts,
                job.interruptions,
                job.progress,
                job.started_at,
                job.deadline_at,
                job.expires_at,
                *lease_until,
            ]
            .to_vec()
        })
        .collect();
    let are_held = session.update_batch(&BEGIN_JOBS, &inputs)?;
    let mut begun: Vec<_> =
        starts.iter().zip(are_held).map(|(start, is_held)| is_held.then(|| start.job.clone())).collect();
    let first_attempts = begun.iter().flatten().filter(|job| job.attempts == 1);
    let first_attempts = first_attempts.map(|job| values![&job.scheduled_post_id, job.started_at].to_vec());
    session.execute_batch(&BEGIN_POSTS, &first_attempts.collect::<Vec<_>>())?;
    find_begun_before(session, starts, &mut begun)?;
    Ok(begun)
}

/// Finds the jobs whose start was stored, but whose worker did not receive the response because the connection broke.
fn find_begun_before(session: &mut dyn Session, starts: &[JobStart], begun: &mut [Option<Job>]) -> Result<()> {
    let missing: Vec<usize> = (0..starts.len()).filter(|&number| begun[number].is_none()).collect();
    let inputs: Vec<_> =
        missing.iter().map(|&number| values![&starts[number].job.id, &starts[number].lease_token].to_vec()).collect();
    session.query_batch(&FIND_BEGUN, &inputs, &mut |number, row| {
        begun[missing[number]] = Some(jobs::job(row)?);
        Ok(())
    })
}

const FIND_BEGUN: BatchStatement = BatchStatement {
    sqlite_each: concat!(
        "SELECT ",
        jobs::job_columns!(),
        " FROM jobs WHERE id = $1 AND lease_token = $2 AND claim_token IS NULL AND status = 'in_progress'"
    ),
    postgres_all: concat!(
        "SELECT input.number, ",
        jobs::job_columns!(),
        " FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS input (job_id, token, number)
         JOIN jobs ON jobs.id = input.job_id AND jobs.lease_token = input.token
         WHERE claim_token IS NULL AND status = 'in_progress'"
    ),
};

const BEGIN_JOBS: BatchStatement = BatchStatement {
    sqlite_each:
        "UPDATE jobs SET status = 'in_progress', attempts = $3, interruptions = $4, progress = $5, started_at = $6,
            deadline_at = $7, expires_at = $8, run_at = $9, lease_token = claim_token, claim_token = NULL
         WHERE id = $1 AND claim_token = $2 AND run_at IS NOT NULL",
    postgres_all:
        "UPDATE jobs SET status = 'in_progress', attempts = input.attempts, interruptions = input.interruptions,
            progress = input.progress, started_at = input.started_at, deadline_at = input.deadline_at,
            expires_at = input.expires_at, run_at = input.run_at, lease_token = claim_token, claim_token = NULL
         FROM unnest($1::text[], $2::text[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
                $9::int8[]) WITH ORDINALITY
            AS input (id, token, attempts, interruptions, progress, started_at, deadline_at, expires_at, run_at, number)
         WHERE jobs.id = input.id AND claim_token = input.token AND jobs.run_at IS NOT NULL
         RETURNING input.number",
};

const BEGIN_POSTS: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE scheduled_posts SET status = 'generating', updated_at = $2
         WHERE id = $1 AND status = 'queued'",
    postgres_all: "UPDATE scheduled_posts SET status = 'generating', updated_at = input.updated_at
         FROM unnest($1::text[], $2::int8[]) AS input (id, updated_at)
         WHERE scheduled_posts.id = input.id AND status = 'queued'",
};
