//! [`JobQueue`] on a database.

use std::slice;

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::job::Job;
use crate::domain::language_model::ModelUsage;
use crate::domain::store::{
    Cancelled, ClaimedJobs, IdempotencyRecord, JobCompletion, JobFailure, JobStart, JobStatusChange, LeaseOutcome,
    Queue, Result, Submission, Submitted,
};
use crate::storage::hint::Hint;
use crate::storage::statements::{claims, completion, idempotency, jobs, model_usage, submission};

use super::store::{Engine, Store};

impl Store {
    /// Queues a job with its post, durably.
    pub async fn submit(&self, submission: Submission) -> Result<Submitted> {
        let submitted = match &self.engine {
            // Submissions with an entry of the audit trail come from people, one at a time.
            Engine::Postgres(postgres) if !self.is_audited() => postgres.submissions.call(submission).await?,
            _ => self.change_alone(move |session| submission::submit_one(session, &submission)).await?,
        };
        if submitted == Submitted::Queued {
            self.hint(Hint::Jobs);
        }
        Ok(submitted)
    }

    /// The stored response, if it was made after `since`.
    pub async fn find_idempotency(
        &self,
        account_id: &str,
        operation: &str,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<IdempotencyRecord>> {
        let (account_id, operation, key) = (account_id.to_owned(), operation.to_owned(), key.to_owned());
        self.read_few(move |session| idempotency::find(session, &account_id, &operation, &key, since)).await
    }

    /// The job, whoever owns it.
    pub async fn find_job(&self, job_id: &str) -> Result<Option<Job>> {
        tracing::trace!(name: "job.read", job_id);
        let job_id = job_id.to_owned();
        self.read_few(move |session| jobs::find(session, &job_id)).await
    }

    /// Which of these jobs have ended.
    pub async fn ended_jobs(&self, job_ids: &[String]) -> Result<Vec<String>> {
        let job_ids = job_ids.to_owned();
        self.read_many(move |session| jobs::ended(session, &job_ids)).await
    }

    /// Cancels a job with its post, if it has not ended. `now` is wall time.
    pub async fn cancel_job(&self, job_id: &str, now: Timestamp) -> Result<Cancelled> {
        let id = job_id.to_owned();
        let cancelled = self.change_alone(move |session| jobs::cancel(session, &id, now)).await?;
        self.hint(Hint::JobEnded(job_id.to_owned()));
        Ok(cancelled)
    }

    /// Claims up to `limit` jobs that are queued, due for another attempt, or whose lease ran out. Callers see nothing of a claim:
    /// until its work begins, a job is what it was. A job that cannot succeed (inactive website, attempts used up by crashes)
    /// fails instead.
    pub async fn claim_jobs(&self, limit: u32, now: Moment, lease_until: Timestamp) -> Result<ClaimedJobs> {
        let (jobs, unreadable) =
            self.write_alone(move |session| claims::claim(session, limit, now, lease_until)).await?;
        self.unreadable_rows.add(Queue::Jobs, &unreadable);
        self.tell_ended(&jobs.ended);
        Ok(jobs)
    }

    /// Begins the work on a claimed job: it is `in_progress`, the attempt counts and its time runs. `None` when the claim was lost,
    /// to a cancel for instance. Begun again under the same claim, the job is as it was begun.
    pub async fn begin_job(&self, start: JobStart) -> Result<Option<Job>> {
        match &self.engine {
            Engine::Sqlite(sqlite) => {
                sqlite.write(move |session| Ok(claims::begin(session, slice::from_ref(&start))?.pop().flatten())).await
            }
            Engine::Postgres(postgres) => postgres.starts.call(start).await,
        }
    }

    /// Releases a job that was claimed and not begun. It is due again since `due_at`, as though nobody had claimed it.
    pub async fn release_job(&self, job_id: &str, lease_token: &str, due_at: Timestamp) -> Result<LeaseOutcome> {
        let (job_id, lease_token) = (job_id.to_owned(), lease_token.to_owned());
        let outcome = self.write(move |session| claims::release(session, &job_id, &lease_token, due_at)).await?;
        self.hint(Hint::Jobs);
        Ok(outcome)
    }

    /// Prolongs the lease of a job that was begun, unless somebody claimed the job after the lease lapsed.
    pub async fn renew_job(&self, job_id: &str, lease_token: &str, lease_until: Timestamp) -> Result<LeaseOutcome> {
        let (job_id, lease_token) = (job_id.to_owned(), lease_token.to_owned());
        self.write(move |session| jobs::renew(session, &job_id, &lease_token, lease_until)).await
    }

    /// Stores the article and completes job and post. The post becomes `ready` or, when it goes out by itself, `scheduled`.
    pub async fn complete_job(&self, completion: JobCompletion) -> Result<LeaseOutcome> {
        let job_id = completion.job_id.clone();
        let outcome = match &self.engine {
            Engine::Sqlite(sqlite) => {
                sqlite.write(move |session| completion::complete_one(session, &completion)).await?
            }
            Engine::Postgres(postgres) => postgres.completions.call(completion).await?,
        };
        self.hint(Hint::Posts);
        self.hint(Hint::JobEnded(job_id));
        Ok(outcome)
    }

    /// Records a failed attempt.
    pub async fn fail_job(&self, failure: JobFailure) -> Result<LeaseOutcome> {
        let ended = failure.retry_at.is_none().then(|| failure.job_id.clone());
        let outcome = self.write_alone(move |session| jobs::record_failure(session, failure.clone())).await?;
        if let Some(job_id) = ended {
            self.hint(Hint::Deliveries);
            self.hint(Hint::JobEnded(job_id));
        }
        Ok(outcome)
    }

    /// Fails every job whose deadline passed (`generation_timeout`) with its post, and returns which.
    pub async fn fail_overdue_jobs(&self, now: Moment) -> Result<Vec<JobStatusChange>> {
        let (ended, unreadable) = self.write_alone(move |session| jobs::fail_overdue(session, now)).await?;
        self.unreadable_rows.add(Queue::Jobs, &unreadable);
        self.tell_ended(&ended);
        Ok(ended)
    }

    /// Adds what an attempt at the job used of a language model. No lease is needed: what was used is used, whoever holds the job.
    pub async fn add_model_usage(&self, job_id: &str, usage: &ModelUsage) -> Result<()> {
        let (job_id, usage) = (job_id.to_owned(), usage.clone());
        self.write(move |session| model_usage::add(session, &job_id, &usage)).await
    }

    /// What all attempts at the job used of a language model, if they did.
    pub async fn model_usage(&self, job_id: &str) -> Result<Option<ModelUsage>> {
        let job_id = job_id.to_owned();
        self.read_few(move |session| model_usage::find(session, &job_id)).await
    }
}

impl Store {
    fn tell_ended(&self, ended: &[JobStatusChange]) {
        for change in ended {
            self.hint(Hint::JobEnded(change.job_id.clone()));
        }
        if !ended.is_empty() {
            self.hint(Hint::Deliveries);
        }
    }
}
