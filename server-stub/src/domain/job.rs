//! Generation jobs: their states and the pure decisions about them. Nothing here stores or runs a job.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::{Moment, Timestamp};
use super::id::{self, Kind};
use super::post::{PostStatus, ScheduledPost};
use super::randomness::Randomness;

/// Caller-supplied key-value pairs, echoed in the job, its article and events.
pub type Metadata = BTreeMap<String, String>;

/// How long a job may wait in the queue before it fails.
pub const QUEUED_DEADLINE: Duration = Duration::from_hours(24);
/// How long a job may be in progress before it fails.
pub const PROGRESS_DEADLINE: Duration = Duration::from_mins(15);
/// How often generation is tried.
pub const MAX_ATTEMPTS: u32 = 3;
/// At so many attempts interrupted by a dying process the job is blamed and fails.
pub const MAX_INTERRUPTIONS: u32 = 10;

/// The state of a job; it only ever moves to a higher rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobStatus {
    /// Waiting for a worker.
    Queued,
    /// A worker writes it, or will try again.
    InProgress,
    /// The article exists.
    Completed,
    /// There will be no article; `error` says why.
    Failed,
    /// Stopped by the caller.
    Cancelled,
}

impl JobStatus {
    /// Whether no further change can come.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }

    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The state with that name in the API.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Queued, Self::InProgress, Self::Completed, Self::Failed, Self::Cancelled]
            .into_iter()
            .find(|status| status.as_str() == name)
    }
}

/// Why a job or a post failed. `code` is a `JobErrorCode` or a `ScheduledPostErrorCode` of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The stable machine key.
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// Whether the same request may succeed later.
    pub retryable: bool,
}

/// What the caller asked for, with the website's defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRequest {
    /// The topic, exactly as sent.
    pub topic: String,
    /// BCP 47 language tag, in the caller's case.
    pub language: String,
    /// At most 10.
    pub keywords: Vec<String>,
    /// Words, 200..5000.
    pub target_word_count: u32,
    /// Whether the article is published without approval.
    pub auto_publish: bool,
    /// When to publish; `None` or a past time means as soon as it is ready.
    pub publish_at: Option<Timestamp>,
    /// Echoed.
    pub metadata: Metadata,
}

/// A job as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// `job_…`.
    pub id: String,
    /// The owner.
    pub account_id: String,
    /// The website the article is for.
    pub website_id: String,
    /// The post made with it.
    pub scheduled_post_id: String,
    /// What was asked for.
    pub request: JobRequest,
    /// Its state.
    pub status: JobStatus,
    /// 0..100, never decreasing.
    pub progress: u8,
    /// Set when completed.
    pub article_id: Option<String>,
    /// How often a worker has begun it.
    pub attempts: u32,
    /// Attempts that were interrupted because their process died. They do not count towards [`MAX_ATTEMPTS`].
    pub interruptions: u32,
    /// Set when failed.
    pub error: Option<Failure>,
    /// When it will be terminal at the latest, by the wall clock.
    pub deadline_at: Timestamp,
    /// The same in steady time, by which it fails.
    pub expires_at: Timestamp,
    /// When it was queued.
    pub created_at: Timestamp,
    /// When a worker first began it.
    pub started_at: Option<Timestamp>,
    /// When it became terminal.
    pub finished_at: Option<Timestamp>,
}

impl Job {
    /// A job as it begins, with the post that is made with it.
    pub fn new_queued(
        request: JobRequest,
        account_id: &str,
        website_id: &str,
        now: Moment,
        randomness: &dyn Randomness,
    ) -> (Self, ScheduledPost) {
        let job_id = id::new(Kind::Job, now.wall, randomness);
        let post = ScheduledPost {
            id: id::new(Kind::Post, now.wall, randomness),
            account_id: account_id.to_owned(),
            website_id: website_id.to_owned(),
            job_id: Some(job_id.clone()),
            article_id: None,
            topic: request.topic.clone(),
            status: PostStatus::Queued,
            publish_at: request.publish_at,
            published_at: None,
            auto_publish: request.auto_publish,
            attempts: 0,
            error: None,
            created_at: now.wall,
            updated_at: now.wall,
        };
        let job = Self {
            id: job_id,
            account_id: account_id.to_owned(),
            website_id: website_id.to_owned(),
            scheduled_post_id: post.id.clone(),
            request,
            status: JobStatus::Queued,
            progress: 0,
            article_id: None,
            attempts: 0,
            interruptions: 0,
            error: None,
            deadline_at: now.wall.plus(QUEUED_DEADLINE),
            expires_at: now.steady.plus(QUEUED_DEADLINE),
            created_at: now.wall,
            started_at: None,
            finished_at: None,
        };
        (job, post)
    }
}

/// A job as the API shows it.
#[derive(Debug, Serialize)]
pub struct JobView<'a> {
    job_id: &'a str,
    status: JobStatus,
    done: bool,
    progress: u8,
    website_id: &'a str,
    topic: &'a str,
    metadata: &'a Metadata,
    article_id: Option<&'a str>,
    scheduled_post_id: &'a str,
    attempts: u32,
    error: Option<&'a Failure>,
    deadline_at: Timestamp,
    created_at: Timestamp,
    started_at: Option<Timestamp>,
    finished_at: Option<Timestamp>,
}

impl Job {
    /// The job as it is once it has ended at `now` by the wall clock, which somebody may have set meanwhile or on another machine.
    /// `finished_at` is never before `started_at`, and `deadline_at` is moved where it would be before `finished_at`.
    #[must_use]
    pub fn ended(mut self, status: JobStatus, now: Timestamp) -> Self {
        let ended_at = now.max(self.started_at.unwrap_or(self.created_at));
        self.status = status;
        self.finished_at = Some(ended_at);
        self.deadline_at = self.deadline_at.max(ended_at);
        self
    }

    /// The job as the API shows it.
    pub fn view(&self) -> JobView<'_> {
        JobView {
            job_id: &self.id,
            status: self.status,
            done: self.status.is_terminal(),
            progress: self.progress,
            website_id: &self.website_id,
            topic: &self.request.topic,
            metadata: &self.request.metadata,
            article_id: self.article_id.as_deref(),
            scheduled_post_id: &self.scheduled_post_id,
            attempts: self.attempts,
            error: self.error.as_ref(),
            deadline_at: self.deadline_at,
            created_at: self.created_at,
            started_at: self.started_at,
            finished_at: self.finished_at,
        }
    }
}

/// Effect of a request to cancel a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelDecision {
    /// The job becomes cancelled now.
    Cancel,
    /// It was cancelled before, so the response is the same.
    AlreadyCancelled,
    /// It completed or failed before the request.
    TooLate,
}

/// Decides a cancel request by the state the job is in.
pub const fn decide_cancel(status: JobStatus) -> CancelDecision {
    match status {
        JobStatus::Queued | JobStatus::InProgress => CancelDecision::Cancel,
        JobStatus::Cancelled => CancelDecision::AlreadyCancelled,
        JobStatus::Completed | JobStatus::Failed => CancelDecision::TooLate,
    }
}

/// What follows a failed attempt: another one after a pause, or the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RetryDecision {
    /// Try again at that time.
    RetryAt(Timestamp),
    /// Give up.
    Fail,
}

/// Decides what follows attempt number `attempts` (1-based) that failed with `failure`: retryable failures are tried
/// again after 1 s, then 4 s, as long as attempts and the deadline allow. All times are steady.
pub fn decide_retry(failure: &Failure, attempts: u32, now: Timestamp, expires_at: Timestamp) -> RetryDecision {
    let pause = 1000_i64.saturating_mul(4_i64.saturating_pow(attempts.saturating_sub(1)));
    let retry_at = now.plus_millis(pause);
    if failure.retryable && attempts < MAX_ATTEMPTS && retry_at < expires_at {
        RetryDecision::RetryAt(retry_at)
    } else {
        RetryDecision::Fail
    }
}
