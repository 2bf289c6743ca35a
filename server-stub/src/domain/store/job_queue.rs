//! Submissions, claimed jobs, and the results of a claimed job.

use bytes::Bytes;

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::job::{Failure, Job, JobStatus};
use crate::domain::post::ScheduledPost;
use crate::domain::voice::BrandVoice;

/// A stored response that is replayed for the same idempotency key. A setting limits for how long.
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
    /// Time of the first request.
    pub created_at: Timestamp,
}

/// Maximum numbers of unfinished jobs.
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
    /// Place in the queue, in steady time.
    pub due_at: Timestamp,
    /// Record to store, if the request had an idempotency key.
    pub idempotency: Option<IdempotencyRecord>,
    /// Only responses newer than this are replayed for the same key.
    pub replays_since: Timestamp,
    /// Limits that are checked in the same transaction.
    pub limits: QueueLimits,
}

/// The result of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submitted {
    /// Job and post are stored durably.
    Queued,
    /// An earlier request had the same idempotency key. If the fingerprints are equal, the caller returns the same response.
    Replayed(IdempotencyRecord),
    /// There are too many unfinished jobs.
    QueueFull,
}

/// A job that a worker has claimed. Only the holder of the token may begin it, and then finish it.
#[derive(Debug, Clone)]
pub struct ClaimedJob {
    /// The job as stored before this attempt begins.
    pub job: Job,
    /// A new token for every claim. Once the job has begun with it, an older token can no longer complete the job.
    pub lease_token: String,
    /// Time at which the job became due, which is its place in the queue.
    pub due_at: Timestamp,
    /// True if an earlier claim or lease expired. This job may have crashed its holder.
    pub has_lapsed: bool,
    /// True if an earlier attempt began, and its lease expired.
    pub was_interrupted: bool,
    /// Website of the article.
    pub website: Website,
    /// Voice of the website, or else the account's default.
    pub voice: BrandVoice,
}

impl ClaimedJob {
    /// Returns the start of the work at `now`.
    pub fn start(&self, now: Moment, lease_until: Timestamp) -> JobStart {
        let job = self.job.clone().begun(self.was_interrupted, now);
        JobStart { job, lease_token: self.lease_token.clone(), lease_until }
    }
}

/// The result of a claim.
#[derive(Debug, Clone, Default)]
pub struct ClaimedJobs {
    /// Claimed jobs, which the worker must soon begin or release.
    pub claimed: Vec<ClaimedJob>,
    /// Jobs that ended during the claim.
    pub ended: Vec<JobStatusChange>,
}

/// Start of the work on a claimed job.
#[derive(Debug, Clone)]
pub struct JobStart {
    /// The job after the start. While the claim holds, no other worker changes these values.
    pub job: Job,
    /// Token of the claim.
    pub lease_token: String,
    /// End of the lease unless it is renewed, in steady time.
    pub lease_until: Timestamp,
}

/// Completion of a claimed job.
#[derive(Debug, Clone)]
pub struct JobCompletion {
    /// The job.
    pub job_id: String,
    /// Token of the claim.
    pub lease_token: String,
    /// The article to store. The store makes its slug unique within its website (`-2`, `-3`, …).
    pub article: Article,
    /// Completion time.
    pub finished_at: Moment,
}

/// Failed attempt at a claimed job.
#[derive(Debug, Clone)]
pub struct JobFailure {
    /// The job.
    pub job_id: String,
    /// Token of the claim.
    pub lease_token: String,
    /// Reason of the failure.
    pub failure: Failure,
    /// `Some`: the job stays `in_progress` and may be claimed again at that time. `None`: the job and its post fail now.
    pub retry_at: Option<Timestamp>,
    /// Id of the `job.failed` event, if the job fails now.
    pub event_id: String,
    /// Time of the failure.
    pub now: Moment,
}

/// Result of a cancel request.
#[derive(Debug, Clone)]
pub enum Cancelled {
    /// The job is cancelled, by this request or an earlier one.
    Done(Job),
    /// The job completed or failed before the request.
    TooLate(Job),
    /// The job does not exist.
    NotFound,
}

/// A job whose state the store changed by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobStatusChange {
    /// The job.
    pub job_id: String,
    /// Its new state.
    pub status: JobStatus,
}
