//! Work in the queues: submissions, claimed jobs, posts, deliveries and file removals, and the results of the work.

use bytes::Bytes;

use super::Result;
use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::delivery::{AttemptKind, DeliveryPlace};
use crate::domain::event::Event;
use crate::domain::failure::Failure;
use crate::domain::hook::{Attempt, HookSecret, UnreadableSecret};
use crate::domain::idempotency::IdempotencyRecord;
use crate::domain::job::{Job, JobStatus};
use crate::domain::personal::Personal;
use crate::domain::post::{PostStatus, ScheduledPost};
use crate::domain::publishing_target::PublishingTarget;
use crate::domain::retry_schedule::AttemptDecision;
use crate::domain::voice::BrandVoice;

/// Result of recording a change under a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseOutcome {
    /// The lease was valid, and the change is stored.
    Recorded,
    /// Another process has claimed the work, or it was cancelled. The store changed nothing.
    Lost,
}

/// Maximum numbers of jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueLimits {
    /// Unfinished jobs per website.
    pub per_website: u32,
    /// Unfinished jobs per account.
    pub per_account: u32,
    /// Jobs that an account queues in one UTC day; `None` means no limit.
    pub per_day: Option<u32>,
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
    /// The account has queued as many jobs as it may on this day.
    DayFull,
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
    /// This request cancelled the job.
    Done(Job),
    /// An earlier request cancelled the job.
    AlreadyDone(Job),
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

/// Number of articles that a process is sending to the system of each website. Websites without any may be left out.
pub type PushesInFlight = [(String, usize)];

/// Result of a request to queue a post again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requeued {
    /// The new job is queued.
    Queued,
    /// There are too many unfinished jobs.
    QueueFull,
    /// The account has queued as many jobs as it may on this day.
    DayFull,
    /// The job did not fail, or another request has already queued a new job.
    NotFailed,
}

/// Filters of posts, combined with AND.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostFilter {
    /// Only posts of this website.
    pub website_id: Option<String>,
    /// Only posts in this state.
    pub status: Option<PostStatus>,
}

/// A post that the scheduler has claimed.
#[derive(Debug, Clone)]
pub struct ClaimedPost<T = StoredTarget> {
    /// The post in state `publishing`, this attempt counted.
    pub post: ScheduledPost,
    /// A new token for every claim. An older token can no longer record the result.
    pub lease_token: String,
    /// The article to publish.
    pub article: Article,
    /// Website of the article.
    pub website: Website,
    /// Publishing target.
    pub target: T,
}

impl<T> ClaimedPost<T> {
    /// Returns the same claim with its target converted by `change`.
    pub fn map_target<U>(self, change: impl FnOnce(&str, T) -> U) -> ClaimedPost<U> {
        let Self { post, lease_token, article, website, target } = self;
        let target = change(&website.website_id, target);
        ClaimedPost { post, lease_token, article, website, target }
    }
}

/// Result of publishing a claimed post.
#[derive(Debug, Clone)]
pub enum PublishOutcome {
    /// The article is public: stored with its post and its event in one transaction.
    Published {
        /// The article in state `published`.
        article: Box<Article>,
        /// True if the hosted site shows it.
        is_hosted: bool,
        /// Event to send.
        event: Event,
    },
    /// The post is `scheduled` again and retried at this time.
    RetryAt(Timestamp),
    /// The post fails.
    Failed(Failure),
}

/// A published article that a user edited, claimed to be sent to the target of its website.
#[derive(Debug, Clone)]
pub struct ClaimedUpdate<T = StoredTarget> {
    /// A new token for every claim. An older token can no longer record the result.
    pub lease_token: String,
    /// Number of this attempt, from 1.
    pub attempts: u32,
    /// The article to send.
    pub article: Article,
    /// Website of the article.
    pub website: Website,
    /// Publishing target.
    pub target: T,
}

/// Result of sending an edited article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateOutcome {
    /// The target has it.
    Sent,
    /// It is sent again at this time.
    RetryAt(Timestamp),
    /// It is not sent again, for this reason.
    Failed(String),
}

/// State of an edited article that the target of its website does not have yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateState {
    /// It will be sent.
    Pending,
    /// It was not accepted, for this reason.
    Failed(String),
}

/// A delivery that the dispatcher has claimed.
#[derive(Debug, Clone)]
pub struct ClaimedDelivery {
    /// `dlv_…`.
    pub id: String,
    /// A new token for every claim. An older token can no longer record the attempt.
    pub lease_token: String,
    /// Number of this attempt in the schedule, 1-based.
    pub number: u32,
    /// Reason for the attempt.
    pub kind: AttemptKind,
    /// Place in the schedule before an attempt outside of it.
    pub resume: Option<DeliveryPlace>,
    /// The `webhook-id`.
    pub event_id: String,
    /// The endpoint.
    pub endpoint_id: String,
    /// Target URL.
    pub url: String,
    /// Secrets that sign the body, newest first.
    pub secrets: Result<Vec<HookSecret>, UnreadableSecret>,
    /// The exact bytes to send.
    pub body: Personal<Bytes>,
}

/// An attempt, its delivery, and the decision after it.
#[derive(Debug, Clone)]
pub struct AttemptRecord {
    /// The delivery as claimed.
    pub delivery: ClaimedDelivery,
    /// Request and response.
    pub attempt: Attempt,
    /// Decision after the attempt.
    pub decision: AttemptDecision,
    /// Time of the decision.
    pub decided_at: Moment,
}

/// A stored target, with its secret or the reason why it cannot be decrypted.
pub type StoredTarget = PublishingTarget<Result<HookSecret, UnreadableSecret>>;

/// A file to remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRemoval {
    /// Id of the file's article.
    pub article_id: String,
    /// Folder of the file.
    pub folder: String,
    /// Prefix of the file name.
    pub slug: String,
    /// Time from which it is due, in steady time.
    pub due_at: Timestamp,
}
