//! The queue of jobs: submissions, claims and how a claimed job ends. Publishing its article is in `publication_queue`.

use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::job::{Failure, Job, JobStatus};
use crate::domain::language_model::ModelUsage;
use crate::domain::post::ScheduledPost;
use crate::domain::voice::BrandVoice;

use super::{LeaseOutcome, Result};

/// The queue of jobs. The holder of a lease records how a claimed job ends, unless a cancel or its deadline comes first.
#[async_trait]
pub trait JobQueue: Send + Sync + fmt::Debug {
    /// Queues a job with its post, durably.
    async fn submit(&self, submission: Submission) -> Result<Submitted>;
    /// The stored response, if it was made after `since`.
    async fn find_idempotency(
        &self,
        account_id: &str,
        operation: &str,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<IdempotencyRecord>>;
    /// The job, whoever owns it.
    async fn find_job(&self, job_id: &str) -> Result<Option<Job>>;
    /// Which of these jobs have ended.
    async fn ended_jobs(&self, job_ids: &[String]) -> Result<Vec<String>>;
    /// Cancels a job with its post, if it has not ended. `now` is wall time.
    async fn cancel_job(&self, job_id: &str, now: Timestamp) -> Result<Cancelled>;
    /// Claims up to `limit` jobs that are queued, due for another attempt, or whose lease ran out. Callers see nothing of a claim:
    /// until its work begins, a job is what it was. A job that cannot succeed (inactive website, attempts used up by crashes)
    /// fails instead.
    async fn claim_jobs(&self, limit: u32, now: Moment, lease_until: Timestamp) -> Result<ClaimedJobs>;
    /// Begins the work on a claimed job: it is `in_progress`, the attempt counts and its time runs. `None` when the claim was lost,
    /// to a cancel for instance. Begun again under the same claim, the job is as it was begun.
    async fn begin_job(&self, start: JobStart) -> Result<Option<Job>>;
    /// Releases a job that was claimed and not begun. It is due again since `due_at`, as though nobody had claimed it.
    async fn release_job(&self, job_id: &str, lease_token: &str, due_at: Timestamp) -> Result<LeaseOutcome>;
    /// Prolongs the lease of a job that was begun, unless somebody claimed the job after the lease lapsed.
    async fn renew_job(&self, job_id: &str, lease_token: &str, lease_until: Timestamp) -> Result<LeaseOutcome>;
    /// Stores the article and completes job and post. The post becomes `ready` or, when it goes out by itself, `scheduled`.
    async fn complete_job(&self, completion: JobCompletion) -> Result<LeaseOutcome>;
    /// Records a failed attempt.
    async fn fail_job(&self, failure: JobFailure) -> Result<LeaseOutcome>;
    /// Fails every job whose deadline passed (`generation_timeout`) with its post, and returns which.
    async fn fail_overdue_jobs(&self, now: Moment) -> Result<Vec<JobStatusChange>>;
    /// Adds what an attempt at the job used of a language model. No lease is needed: what was used is used, whoever holds the job.
    async fn add_model_usage(&self, job_id: &str, usage: &ModelUsage) -> Result<()>;
    /// What all attempts at the job used of a language model, if they did.
    async fn model_usage(&self, job_id: &str) -> Result<Option<ModelUsage>>;
}

/// A response kept for repeats of the same idempotency key. How long it answers repeats is a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The owner.
    pub account_id: String,
    /// The `operationId`.
    pub operation: &'static str,
    /// The key, unquoted.
    pub key: String,
    /// SHA-256 of the parsed body.
    pub fingerprint: [u8; 32],
    /// The job that the first request queued; `Location` and body follow from it.
    pub job_id: String,
    /// The body of the response.
    pub body: Bytes,
    /// When the first request was handled.
    pub created_at: Timestamp,
}

/// How many unfinished jobs there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueLimits {
    /// Per website.
    pub per_website: u32,
    /// Per account.
    pub per_account: u32,
}

/// A job to queue, with its post and the response to store.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The job, `queued`.
    pub job: Job,
    /// Its post, `queued`.
    pub post: ScheduledPost,
    /// Its place in the queue, in steady time.
    pub due_at: Timestamp,
    /// Stored if the request had an idempotency key.
    pub idempotency: Option<IdempotencyRecord>,
    /// A response that is stored for the same key and newer than this is repeated.
    pub replays_since: Timestamp,
    /// Checked in the same transaction.
    pub limits: QueueLimits,
}

/// The result of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submitted {
    /// Job and post are stored durably.
    Queued,
    /// Another request with the same idempotency key was first: give the same response, if the fingerprints are equal.
    Replayed(IdempotencyRecord),
    /// Too many unfinished jobs.
    QueueFull,
}

/// A job that a worker has claimed. Only the holder of the token may begin it, and then finish it.
#[derive(Debug, Clone)]
pub struct ClaimedJob {
    /// The job as it is stored until it is begun.
    pub job: Job,
    /// New for every claim. Once the job is begun under it, an older token can no longer complete the job.
    pub lease_token: String,
    /// When the job became due, which is its place in the queue.
    pub due_at: Timestamp,
    /// Whether an earlier claim or lease lapsed. Its holder may have died of this job.
    pub has_lapsed: bool,
    /// The website to write for.
    pub website: Website,
    /// The voice to write in: the website's, else the account's default.
    pub voice: BrandVoice,
}

/// The result of a claim.
#[derive(Debug, Clone, Default)]
pub struct ClaimedJobs {
    /// To be begun soon, or released.
    pub claimed: Vec<ClaimedJob>,
    /// Jobs that the claim itself ended.
    pub ended: Vec<JobStatusChange>,
}

/// What begins the work on a claimed job.
#[derive(Debug, Clone)]
pub struct JobStart {
    /// The job.
    pub job_id: String,
    /// From the claim.
    pub lease_token: String,
    /// When the work began.
    pub now: Moment,
    /// When the lease ends unless it is renewed, in steady time.
    pub lease_until: Timestamp,
}

/// What completes a claimed job.
#[derive(Debug, Clone)]
pub struct JobCompletion {
    /// The job.
    pub job_id: String,
    /// From the claim.
    pub lease_token: String,
    /// The article to store. Its slug is made unique in its website by the store (`-2`, `-3`, …).
    pub article: Article,
    /// When.
    pub finished_at: Moment,
}

/// What records a failed attempt at a claimed job.
#[derive(Debug, Clone)]
pub struct JobFailure {
    /// The job.
    pub job_id: String,
    /// From the claim.
    pub lease_token: String,
    /// Why.
    pub failure: Failure,
    /// `Some`: the job stays `in_progress` and may be claimed again then. `None`: the job and its post fail now.
    pub retry_at: Option<Timestamp>,
    /// The id for the `job.failed` event, should it fail now.
    pub event_id: String,
    /// When.
    pub now: Moment,
}

/// The result of a cancel request.
#[derive(Debug, Clone)]
pub enum Cancelled {
    /// The job is cancelled, by this request or an earlier one.
    Done(Job),
    /// It completed or failed before.
    TooLate(Job),
    /// There is no such job.
    NotFound,
}

/// A job whose state the store itself changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobStatusChange {
    /// The job.
    pub job_id: String,
    /// Its new state.
    pub status: JobStatus,
}
