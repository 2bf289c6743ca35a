//! Queues jobs. This is the service's most frequent write, so it runs one statement per table, however many jobs there are.
//! `domain::admission` decides which jobs are admitted.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::admission::Admission;
use crate::domain::day::Day;
use crate::domain::post::ScheduledPost;
use crate::domain::store::{Error, Requeued, Result, Submission, Submitted};
use crate::domain::time_zone::TimeZone;
use crate::wakeups::Announcement;

use super::sql::{BatchStatement, Session, to_json, values};
use super::store::{Engine, Store};
use super::{idempotency, posts};

impl Store {
    /// Queues a job with its post, durably.
    pub async fn submit(&self, submission: Submission) -> Result<Submitted> {
        let submitted = match &self.engine {
            // Submissions with an audit entry come from users, one at a time.
            Engine::Postgres(postgres) if !self.is_audited() => postgres.submissions.call(submission).await?,
            _ => {
                self.change_exclusive(move |session| {
                    let mut outcomes = submit(session, std::slice::from_ref(&submission))?;
                    outcomes.pop().unwrap_or_else(|| Err(Error::Broken("a submission has no outcome".into())))
                })
                .await?
            }
        };
        if submitted == Submitted::Queued {
            self.announce(Announcement::JobDue);
        }
        Ok(submitted)
    }

    /// Queues another job for a post whose job failed. The submission contains the post in its new state.
    pub async fn requeue_post(&self, submission: Submission) -> Result<Requeued> {
        let requeued = self
            .change_exclusive(move |session| {
                let Submission { job, post, .. } = &submission;
                let mut admission = Admission::default();
                lock_queue_depths(session, std::slice::from_ref(&submission), &mut admission)?;
                find_queued_on_day(session, std::slice::from_ref(&submission), &mut admission)?;
                // Read again under the lock: another caller may have requeued it first.
                let stored = posts::lock(session, &post.id)?;
                let Some(requeued) = stored.and_then(|stored| stored.requeued(&job.id, post.updated_at)) else {
                    return Ok(Requeued::NotFailed);
                };
                match admission.decide(&submission)? {
                    Submitted::Queued => {}
                    Submitted::DayFull => return Ok(Requeued::DayFull),
                    Submitted::QueueFull | Submitted::Replayed(_) => return Ok(Requeued::QueueFull),
                }
                insert_jobs(session, &[&submission])?;
                posts::update(session, &requeued, None)?;
                Ok(Requeued::Queued)
            })
            .await?;
        if requeued == Requeued::Queued {
            self.announce(Announcement::JobDue);
        }
        Ok(requeued)
    }
}

/// Queues the admitted submissions. Returns a result for each submission.
pub(super) fn submit(session: &mut dyn Session, submissions: &[Submission]) -> Result<Vec<Result<Submitted>>> {
    let mut admission = Admission::default();
    lock_queue_depths(session, submissions, &mut admission)?;
    find_queued_on_day(session, submissions, &mut admission)?;
    for record in idempotency::find_all(session, submissions)? {
        admission.add_stored_response(record);
    }
    let outcomes: Vec<_> = submissions.iter().map(|submission| admission.decide(submission)).collect();
    let queued: Vec<_> = submissions
        .iter()
        .zip(&outcomes)
        .filter(|(_, outcome)| matches!(outcome, Ok(Submitted::Queued)))
        .map(|(submission, _)| submission)
        .collect();
    insert_jobs(session, &queued)?;
    insert_posts(session, queued.iter().map(|one| &one.post))?;
    idempotency::put_all(session, queued.iter().filter_map(|one| one.idempotency.as_ref()))?;
    Ok(outcomes)
}

/// Reads the queue depths of the submissions' websites and accounts, and locks the rows of all websites of these accounts. So
/// no other transaction queues for these accounts until the commit, and the counts and stored responses stay correct.
fn lock_queue_depths(session: &mut dyn Session, submissions: &[Submission], admission: &mut Admission) -> Result<()> {
    let websites: BTreeSet<_> =
        submissions.iter().map(|one| (one.job.account_id.as_str(), one.job.website_id.as_str())).collect();
    let inputs: Vec<_> =
        websites.iter().map(|(account_id, website_id)| values![*account_id, *website_id].to_vec()).collect();
    session.query_batch(&LOCK_QUEUE_DEPTHS, &inputs, &mut |_, row| {
        admission.add_queue_depth(row.str()?, row.str()?, row.number()?, row.number()?);
        Ok(())
    })
}

/// Returns the accounts that have a daily limit, with their newest days in these submissions.
fn limited_days<'a>(submissions: impl IntoIterator<Item = &'a Submission>) -> BTreeMap<&'a str, (Day, i64)> {
    let mut days = BTreeMap::new();
    for Submission { job, limits, .. } in submissions {
        if limits.per_day.is_some() {
            let (day, jobs) = days.entry(job.account_id.as_str()).or_insert((TimeZone::UTC.day_of(job.created_at), 0));
            (*day, *jobs) = ((*day).max(TimeZone::UTC.day_of(job.created_at)), *jobs + 1);
        }
    }
    days
}

/// Reads how many jobs each account with a daily limit has queued. The locks of the queue depths keep the numbers correct.
fn find_queued_on_day(session: &mut dyn Session, submissions: &[Submission], admission: &mut Admission) -> Result<()> {
    let days = limited_days(submissions);
    let inputs: Vec<_> = days.iter().map(|(id, (day, _))| values![*id, day.number()].to_vec()).collect();
    session.query_batch(&FIND_QUEUED_ON_DAY, &inputs, &mut |_, row| {
        admission.add_queued_on_day(row.str()?, row.number()?);
        Ok(())
    })
}

/// If the clock was set back over midnight, the later day continues. A day further ahead comes from a clock that was wrong.
const FIND_QUEUED_ON_DAY: BatchStatement = BatchStatement {
    sqlite_each: "SELECT id, jobs FROM accounts WHERE id = $1 AND jobs_day BETWEEN $2 AND $2 + 1",
    postgres_all: "SELECT input.number, accounts.id, accounts.jobs
         FROM unnest($1::text[], $2::int8[]) WITH ORDINALITY AS input (id, day, number)
         JOIN accounts ON accounts.id = input.id AND accounts.jobs_day BETWEEN input.day AND input.day + 1",
};

const COUNT_QUEUED: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE accounts SET jobs = CASE WHEN jobs_day BETWEEN $2 AND $2 + 1 THEN jobs + $3 ELSE $3 END,
            jobs_day = CASE WHEN jobs_day BETWEEN $2 AND $2 + 1 THEN jobs_day ELSE $2 END
         WHERE id = $1",
    postgres_all:
        "UPDATE accounts
         SET jobs = CASE WHEN jobs_day BETWEEN input.day AND input.day + 1 THEN accounts.jobs + input.jobs ELSE input.jobs END,
            jobs_day = CASE WHEN jobs_day BETWEEN input.day AND input.day + 1 THEN jobs_day ELSE input.day END
         FROM unnest($1::text[], $2::int8[], $3::int8[]) AS input (id, day, jobs)
         WHERE accounts.id = input.id",
};

/// PostgreSQL locks the websites in order, so that transactions do not deadlock. It adds up the locked rows, which are current.
const LOCK_QUEUE_DEPTHS: BatchStatement = BatchStatement {
    sqlite_each: "SELECT website_id, account_id, unfinished,
            (SELECT coalesce(sum(unfinished), 0) FROM queue_depths WHERE account_id = $1 AND unfinished > 0)
         FROM queue_depths WHERE website_id = $2 AND account_id = $1",
    postgres_all: "WITH locked AS MATERIALIZED (
            SELECT website_id, account_id, unfinished FROM queue_depths
            WHERE account_id = ANY($1::text[]) ORDER BY website_id FOR UPDATE),
         totals AS (SELECT account_id, CAST(sum(unfinished) AS int8) AS unfinished FROM locked GROUP BY account_id)
         SELECT input.number, locked.website_id, locked.account_id, locked.unfinished, totals.unfinished
         FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS input (account_id, website_id, number)
         JOIN locked ON locked.website_id = input.website_id AND locked.account_id = input.account_id
         JOIN totals ON totals.account_id = input.account_id",
};

fn insert_jobs(session: &mut dyn Session, queued: &[&Submission]) -> Result<()> {
    let days = limited_days(queued.iter().copied());
    let counts: Vec<_> = days.iter().map(|(id, (day, jobs))| values![*id, day.number(), *jobs].to_vec()).collect();
    session.execute_batch(&COUNT_QUEUED, &counts)?;
    let requests: Vec<_> = queued.iter().map(|one| to_json(&one.job.request)).collect();
    let inputs: Vec<_> = queued
        .iter()
        .zip(&requests)
        .map(|(Submission { job, due_at, .. }, request)| {
            values![
                &job.id,
                &job.account_id,
                &job.website_id,
                &job.scheduled_post_id,
                request,
                job.status.as_str(),
                job.progress,
                job.attempts,
                job.deadline_at,
                job.expires_at,
                job.created_at,
                *due_at,
            ]
            .to_vec()
        })
        .collect();
    session.execute_batch(&INSERT_JOBS, &inputs)
}

const INSERT_JOBS: BatchStatement = BatchStatement {
    sqlite_each: "INSERT INTO jobs (id, account_id, website_id, scheduled_post_id, request, status, progress, attempts,
            deadline_at, expires_at, created_at, run_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    postgres_all:
        "INSERT INTO jobs (id, account_id, website_id, scheduled_post_id, request, status, progress, attempts,
            deadline_at, expires_at, created_at, run_at)
         SELECT id, account_id, website_id, scheduled_post_id, request, status, progress, attempts, deadline_at,
            expires_at, created_at, due_at
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[], $8::int8[],
                $9::int8[], $10::int8[], $11::int8[], $12::int8[])
            AS input (id, account_id, website_id, scheduled_post_id, request, status, progress, attempts, deadline_at,
                expires_at, created_at, due_at)",
};

fn insert_posts<'a>(session: &mut dyn Session, posts: impl Iterator<Item = &'a ScheduledPost>) -> Result<()> {
    let inputs: Vec<_> = posts
        .map(|post| {
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
            ]
            .to_vec()
        })
        .collect();
    session.execute_batch(&INSERT_POSTS, &inputs)
}

const INSERT_POSTS: BatchStatement = BatchStatement {
    sqlite_each: "INSERT INTO scheduled_posts (id, account_id, website_id, job_id, topic, status, publish_at,
            auto_publish, attempts, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    postgres_all: "INSERT INTO scheduled_posts (id, account_id, website_id, job_id, topic, status, publish_at,
            auto_publish, attempts, created_at, updated_at)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[],
            $8::int8[], $9::int8[], $10::int8[], $11::int8[])",
};
