//! Claims jobs: decides which jobs can be claimed, under which token, and which fail instead. A claim is only a lease. Clients
//! see a change when the work begins, but not if the claim is released.

use std::slice;

use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::id;
use crate::domain::job::{Failure, Job, MAX_INTERRUPTIONS, PROGRESS_DEADLINE};
use crate::domain::store::{ClaimedJob, ClaimedJobs, Error, JobStart, LeaseOutcome, Queue, Result};
use crate::domain::voice::BrandVoice;
use crate::failpoints;
use crate::wakeups::Announcement;

use super::lease_token::lease_token;
use super::set_aside::{Unreadable, past_unreadable, readable_rows, set_aside};
use super::sql::{BatchStatement, Session, locking, values};
use super::store::{Engine, Store};
use super::{jobs, websites};

/// Progress of a job that has begun.
const STARTED_PROGRESS: u8 = 10;

impl Store {
    /// Claims up to `limit` jobs that are queued, due for another attempt, or whose lease lapsed. Clients cannot see a
    /// claim: the job looks unchanged until its work begins. A job that cannot succeed (inactive website, attempts used up
    /// by crashes) fails instead.
    pub async fn claim_jobs(&self, limit: u32, now: Moment, lease_until: Timestamp) -> Result<ClaimedJobs> {
        let (jobs, unreadable) = self.write_alone(move |session| claim(session, limit, now, lease_until)).await?;
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
                sqlite.write(move |session| Ok(begin(session, slice::from_ref(&start))?.pop().flatten())).await
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

fn claim(
    session: &mut dyn Session,
    limit: u32,
    now: Moment,
    lease_until: Timestamp,
) -> Result<(ClaimedJobs, Vec<Unreadable>)> {
    let mut outcome = ClaimedJobs::default();
    let mut ending = Vec::new();
    let (due, unreadable) = past_unreadable(limit, |limit| due_with_websites(session, limit, now.steady))?;
    for DueJobOfWebsite { due: DueJob { job, due_at, has_lapsed }, website, voice } in due {
        if let Some(failure) = permanent_failure(&job, &website) {
            ending.push((job, failure));
        } else {
            outcome.claimed.push(ClaimedJob {
                job,
                lease_token: lease_token(session.randomness()),
                due_at,
                has_lapsed,
                website,
                voice,
            });
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
    Ok((outcome, unreadable))
}

const CLAIM_JOBS: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE jobs SET claim_token = $2, run_at = $3 WHERE id = $1",
    postgres_all: "UPDATE jobs SET claim_token = input.claim_token, run_at = input.run_at
         FROM unnest($1::text[], $2::text[], $3::int8[]) AS input (id, claim_token, run_at)
         WHERE jobs.id = input.id",
};

/// A job that can be claimed.
struct DueJob {
    job: Job,
    /// Time since which it is due.
    due_at: Timestamp,
    /// True if its last holder did not record a result.
    has_lapsed: bool,
}

struct DueJobOfWebsite {
    due: DueJob,
    website: Website,
    /// The voice to write in.
    voice: BrandVoice,
}

/// Returns the jobs that can be claimed, with their websites. Also returns those whose job, website or voice cannot be read.
fn due_with_websites(
    session: &mut dyn Session,
    limit: u32,
    now: Timestamp,
) -> Result<(Vec<DueJobOfWebsite>, Vec<Unreadable>)> {
    let (due, mut unreadable) = due(session, limit, now)?;
    let websites = websites::websites_with_voices(session, due.iter().map(|due| due.job.website_id.as_str()))?;
    let mut readable = Vec::new();
    for due in due {
        match website_of(&websites, &due.job) {
            Ok((website, voice)) => {
                readable.push(DueJobOfWebsite { due, website: website.clone(), voice: voice.clone() });
            }
            Err(row) => unreadable.push(row),
        }
    }
    Ok((readable, unreadable))
}

/// Returns the jobs that can be claimed, and those that cannot be read. An attempt whose lease lapsed can be claimed even after
/// its deadline, because no worker worked on it in that time.
fn due(session: &mut dyn Session, limit: u32, now: Timestamp) -> Result<(Vec<DueJob>, Vec<Unreadable>)> {
    readable_rows(
        session,
        locking!(
            "SELECT id, ", jobs::job_columns!(), ", run_at,
                CASE WHEN claim_token IS NULL AND lease_token IS NULL THEN 0 ELSE 1 END FROM jobs
             WHERE run_at <= $1 AND (expires_at > $1 OR lease_token IS NOT NULL) ORDER BY run_at, id LIMIT $2";
            "FOR UPDATE SKIP LOCKED"
        ),
        values![now, limit],
        |row| Ok(DueJob { job: jobs::job(row)?, due_at: row.time()?, has_lapsed: row.flag()? }),
    )
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

/// Returns why another attempt cannot succeed, if that is certain.
fn permanent_failure(job: &Job, website: &Website) -> Option<Failure> {
    if website.status != WebsiteStatus::Active {
        Some(Failure {
            code: "website_inactive".to_owned(),
            message: "The website is no longer active.".to_owned(),
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

/// Begins the work on claimed jobs: they are in progress and their deadlines start. Returns `None` for a lost claim.
pub(super) fn begin(session: &mut dyn Session, starts: &[JobStart]) -> Result<Vec<Option<Job>>> {
    let inputs: Vec<_> = starts
        .iter()
        .map(|JobStart { job_id, lease_token, now, lease_until }| {
            let (deadline_at, expires_at) = (now.wall.plus(PROGRESS_DEADLINE), now.steady.plus(PROGRESS_DEADLINE));
            values![job_id, lease_token, now.wall, *lease_until, deadline_at, expires_at, STARTED_PROGRESS].to_vec()
        })
        .collect();
    let mut begun = vec![None; starts.len()];
    session.query_batch(&BEGIN_JOBS, &inputs, &mut |number, row| {
        begun[number] = Some(jobs::job(row)?);
        Ok(())
    })?;
    let first_attempts = starts.iter().zip(&begun).filter_map(|(start, job)| {
        let job = job.as_ref().filter(|job| job.attempts == 1)?;
        Some(values![&job.scheduled_post_id, start.now.wall].to_vec())
    });
    session.execute_batch(&BEGIN_POSTS, &first_attempts.collect::<Vec<_>>())?;
    find_begun_before(session, starts, &mut begun)?;
    Ok(begun)
}

/// Finds the jobs whose start was stored, but whose worker did not receive the response because the connection broke.
fn find_begun_before(session: &mut dyn Session, starts: &[JobStart], begun: &mut [Option<Job>]) -> Result<()> {
    let missing: Vec<usize> = (0..starts.len()).filter(|&number| begun[number].is_none()).collect();
    let inputs: Vec<_> =
        missing.iter().map(|&number| values![&starts[number].job_id, &starts[number].lease_token].to_vec()).collect();
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

/// A remaining lease of an earlier attempt lapsed: the process died, but the work did not fail. So the deadline starts again. A
/// retry continues with the remaining time.
const BEGIN_JOBS: BatchStatement = BatchStatement {
    sqlite_each: concat!(
        "UPDATE jobs SET status = 'in_progress', attempts = attempts + 1,
            interruptions = interruptions + CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END,
            progress = CASE WHEN progress < $7 THEN $7 ELSE progress END,
            started_at = COALESCE(started_at, CASE WHEN created_at < $3 THEN $3 ELSE created_at END),
            deadline_at = CASE WHEN lease_token IS NULL AND deadline_at < $5 THEN deadline_at ELSE $5 END,
            expires_at = CASE WHEN lease_token IS NULL AND expires_at < $6 THEN expires_at ELSE $6 END,
            run_at = $4, lease_token = claim_token, claim_token = NULL
         WHERE id = $1 AND claim_token = $2 AND run_at IS NOT NULL
         RETURNING ",
        jobs::job_columns!()
    ),
    postgres_all: concat!(
        "UPDATE jobs SET status = 'in_progress', attempts = attempts + 1,
            interruptions = interruptions + CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END,
            progress = GREATEST(progress, first_progress), started_at = COALESCE(started_at, GREATEST(created_at, begun_at)),
            deadline_at = CASE WHEN lease_token IS NULL THEN LEAST(deadline_at, new_deadline) ELSE new_deadline END,
            expires_at = CASE WHEN lease_token IS NULL THEN LEAST(expires_at, new_expiry) ELSE new_expiry END,
            run_at = lease_until, lease_token = claim_token, claim_token = NULL
         FROM unnest($1::text[], $2::text[], $3::int8[], $4::int8[], $5::int8[], $6::int8[],
                $7::int8[]) WITH ORDINALITY
            AS input (job_id, token, begun_at, lease_until, new_deadline, new_expiry, first_progress, number)
         WHERE jobs.id = input.job_id AND jobs.claim_token = input.token AND run_at IS NOT NULL
         RETURNING input.number, ",
        jobs::job_columns!()
    ),
};

const BEGIN_POSTS: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE scheduled_posts SET status = 'generating', updated_at = $2
         WHERE id = $1 AND status = 'queued'",
    postgres_all: "UPDATE scheduled_posts SET status = 'generating', updated_at = input.updated_at
         FROM unnest($1::text[], $2::int8[]) AS input (id, updated_at)
         WHERE scheduled_posts.id = input.id AND status = 'queued'",
};
