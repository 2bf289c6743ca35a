//! [`JobQueue`] on a database.

use async_trait::async_trait;

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::job::Job;
use crate::domain::language_model::ModelUsage;
use crate::domain::store::{
    Cancelled, ClaimedJobs, Error, IdempotencyRecord, JobCompletion, JobFailure, JobQueue, JobStart, JobStatusChange,
    LeaseOutcome, Queue, Result, Submission, Submitted,
};
use crate::storage::backend::{Backend, Hint};
use crate::storage::statements::{claims, idempotency, jobs, model_usage, submission};

use super::SqlStore;

#[async_trait]
impl<B: Backend> JobQueue for SqlStore<B> {
    async fn submit(&self, submission: Submission) -> Result<Submitted> {
        // Submissions with an entry of the audit trail come from people, one at a time.
        let submitted = if self.is_audited() {
            self.write_alone(move |session| {
                let mut outcomes = submission::submit(session, std::slice::from_ref(&submission))?;
                outcomes.pop().unwrap_or_else(|| Err(Error::Broken("a submission has no outcome".into())))
            })
            .await?
        } else {
            self.backend.submit(submission).await?
        };
        if submitted == Submitted::Queued {
            self.backend.hint(Hint::Jobs);
        }
        Ok(submitted)
    }

    async fn find_idempotency(
        &self,
        account_id: &str,
        operation: &str,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<IdempotencyRecord>> {
        let (account_id, operation, key) = (account_id.to_owned(), operation.to_owned(), key.to_owned());
        self.backend.read_few(move |session| idempotency::find(session, &account_id, &operation, &key, since)).await
    }

    async fn find_job(&self, job_id: &str) -> Result<Option<Job>> {
        let job_id = job_id.to_owned();
        self.backend.read_few(move |session| jobs::find(session, &job_id)).await
    }

    async fn ended_jobs(&self, job_ids: &[String]) -> Result<Vec<String>> {
        let job_ids = job_ids.to_owned();
        self.backend.read_many(move |session| jobs::ended(session, &job_ids)).await
    }

    async fn cancel_job(&self, job_id: &str, now: Timestamp) -> Result<Cancelled> {
        let id = job_id.to_owned();
        let cancelled = self.write_alone(move |session| jobs::cancel(session, &id, now)).await?;
        self.backend.hint(Hint::JobEnded(job_id.to_owned()));
        Ok(cancelled)
    }

    async fn claim_jobs(&self, limit: u32, now: Moment, lease_until: Timestamp) -> Result<ClaimedJobs> {
        let (jobs, unreadable) =
            self.backend.write_alone(move |session| claims::claim(session, limit, now, lease_until)).await?;
        self.unreadable_rows.add(Queue::Jobs, &unreadable);
        self.tell_ended(&jobs.ended);
        Ok(jobs)
    }

    async fn begin_job(&self, start: JobStart) -> Result<Option<Job>> {
        self.backend.begin(start).await
    }

    async fn release_job(&self, job_id: &str, lease_token: &str, due_at: Timestamp) -> Result<LeaseOutcome> {
        let (job_id, lease_token) = (job_id.to_owned(), lease_token.to_owned());
        let outcome =
            self.backend.write(move |session| claims::release(session, &job_id, &lease_token, due_at)).await?;
        self.backend.hint(Hint::Jobs);
        Ok(outcome)
    }

    async fn renew_job(&self, job_id: &str, lease_token: &str, lease_until: Timestamp) -> Result<LeaseOutcome> {
        let (job_id, lease_token) = (job_id.to_owned(), lease_token.to_owned());
        self.backend.write(move |session| jobs::renew(session, &job_id, &lease_token, lease_until)).await
    }

    async fn complete_job(&self, completion: JobCompletion) -> Result<LeaseOutcome> {
        let job_id = completion.job_id.clone();
        let outcome = self.backend.complete(completion).await?;
        self.backend.hint(Hint::Posts);
        self.backend.hint(Hint::JobEnded(job_id));
        Ok(outcome)
    }

    async fn fail_job(&self, failure: JobFailure) -> Result<LeaseOutcome> {
        let ended = failure.retry_at.is_none().then(|| failure.job_id.clone());
        let outcome = self.backend.write_alone(move |session| jobs::record_failure(session, failure.clone())).await?;
        if let Some(job_id) = ended {
            self.backend.hint(Hint::Deliveries);
            self.backend.hint(Hint::JobEnded(job_id));
        }
        Ok(outcome)
    }

    async fn fail_overdue_jobs(&self, now: Moment) -> Result<Vec<JobStatusChange>> {
        let (ended, unreadable) = self.backend.write_alone(move |session| jobs::fail_overdue(session, now)).await?;
        self.unreadable_rows.add(Queue::Jobs, &unreadable);
        self.tell_ended(&ended);
        Ok(ended)
    }

    async fn add_model_usage(&self, job_id: &str, usage: &ModelUsage) -> Result<()> {
        let (job_id, usage) = (job_id.to_owned(), usage.clone());
        self.backend.write(move |session| model_usage::add(session, &job_id, &usage)).await
    }

    async fn model_usage(&self, job_id: &str) -> Result<Option<ModelUsage>> {
        let job_id = job_id.to_owned();
        self.backend.read_few(move |session| model_usage::find(session, &job_id)).await
    }
}

impl<B: Backend> SqlStore<B> {
    fn tell_ended(&self, ended: &[JobStatusChange]) {
        for change in ended {
            self.backend.hint(Hint::JobEnded(change.job_id.clone()));
        }
        if !ended.is_empty() {
            self.backend.hint(Hint::Deliveries);
        }
    }
}
