//! Submissions, claimed jobs, and how a claimed job ends.

use bytes::Bytes;

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::job::{Failure, Job, JobStatus};
use crate::domain::post::ScheduledPost;
use crate::domain::voice::BrandVoice;

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
