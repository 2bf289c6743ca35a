//! Generation jobs: their states, and the pure decisions about them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::account::WebsiteStatus;
use super::article::Metadata;
use super::clock::{Moment, Timestamp};
use super::failure::Failure;
use super::id::{self, Kind};
use super::names::names;
use super::post::{PostStatus, ScheduledPost};
use super::randomness::Randomness;

/// Maximum time that a job waits in the queue before it fails.
pub const QUEUED_DEADLINE: Duration = Duration::from_hours(24);
/// Maximum time that a job is in progress before it fails.
pub const PROGRESS_DEADLINE: Duration = Duration::from_mins(15);
/// Maximum number of generation attempts.
pub const MAX_ATTEMPTS: u32 = 3;
/// Number of attempts interrupted by a dying process after which the job fails as the likely cause.
pub const MAX_INTERRUPTIONS: u32 = 10;
/// Progress of a job that has begun.
const STARTED_PROGRESS: u8 = 10;

names! {
    /// State of a job. A transition only leads to a higher rank.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum JobStatus {
        /// Waiting for a worker.
        Queued = "queued",
        /// A worker is writing it, or will retry.
        InProgress = "in_progress",
        /// The article exists.
        Completed = "completed",
        /// The job ended without an article; `error` contains the reason.
        Failed = "failed",
        /// The caller cancelled the job.
        Cancelled = "cancelled",
    }
}

impl JobStatus {
    /// Returns true if the state is final.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// The caller's request, with the website's defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRequest {
    /// The topic, exactly as sent.
    pub topic: String,
    /// BCP 47 language tag, in the caller's case.
    pub language: String,
    /// At most 10.
    pub keywords: Vec<String>,
    /// Number of words, 200 to 5000.
    pub target_word_count: u32,
    /// True if the article is published without approval.
    pub auto_publish: bool,
    /// Publication time; `None` or a past time means as soon as the article is ready.
    pub publish_at: Option<Timestamp>,
    /// Echoed from the request.
    pub metadata: Metadata,
}

/// A stored job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// `job_…`.
    pub id: String,
    /// The owner.
    pub account_id: String,
    /// Website of the article.
    pub website_id: String,
    /// Scheduled post that was created with the job.
    pub scheduled_post_id: String,
    /// The caller's request.
    pub request: JobRequest,
    /// Current state.
    pub status: JobStatus,
    /// Progress from 0 to 100, which never decreases.
    pub progress: u8,
    /// Set once the job has completed.
    pub article_id: Option<String>,
    /// Number of times that a worker has begun it.
    pub attempts: u32,
    /// Number of attempts that were interrupted because their process died. They do not count towards [`MAX_ATTEMPTS`].
    pub interruptions: u32,
    /// Set if it failed.
    pub error: Option<Failure>,
    /// Latest time at which the job will be terminal, by the wall clock.
    pub deadline_at: Timestamp,
    /// Time at which the job fails, in steady time; the same moment as `deadline_at`.
    pub expires_at: Timestamp,
    /// Time at which it was queued.
    pub created_at: Timestamp,
    /// Time at which a worker first began it.
    pub started_at: Option<Timestamp>,
    /// Time at which it became terminal.
    pub finished_at: Option<Timestamp>,
}

impl Job {
    /// Returns a new queued job and its scheduled post.
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
    /// Returns why another attempt cannot succeed, if that is certain.
    pub fn permanent_failure(&self, website: WebsiteStatus, max_interruptions: u32) -> Option<Failure> {
        if website != WebsiteStatus::Active {
            Some(Failure::new("website_inactive", "The website is no longer active.", false))
        } else if self.interruptions >= max_interruptions {
            Some(Failure::new("internal", "Writing was interrupted too often.", true))
        } else {
            None
        }
    }

    /// Returns the job after a worker has begun an attempt at `now`. `was_interrupted` is true if the process of the last
    /// attempt died: that attempt did not fail, so the deadline starts again. Any other attempt has the remaining time.
    #[must_use]
    pub fn begun(mut self, was_interrupted: bool, now: Moment) -> Self {
        let (deadline_at, expires_at) = (now.wall.plus(PROGRESS_DEADLINE), now.steady.plus(PROGRESS_DEADLINE));
        if was_interrupted {
            self.interruptions += 1;
            (self.deadline_at, self.expires_at) = (deadline_at, expires_at);
        } else {
            self.deadline_at = self.deadline_at.min(deadline_at);
            self.expires_at = self.expires_at.min(expires_at);
        }
        self.status = JobStatus::InProgress;
        self.attempts += 1;
        self.progress = self.progress.max(STARTED_PROGRESS);
        self.started_at = self.started_at.or(Some(now.wall.max(self.created_at)));
        self
    }

    /// Returns the job, ended at `now` by the wall clock. The clock may have been set, or differ on another machine: so
    /// `finished_at` is never before `started_at`, and `deadline_at` is never before `finished_at`.
    #[must_use]
    pub fn ended(mut self, status: JobStatus, now: Timestamp) -> Self {
        let ended_at = now.max(self.started_at.unwrap_or(self.created_at));
        self.status = status;
        self.finished_at = Some(ended_at);
        self.deadline_at = self.deadline_at.max(ended_at);
        self
    }

    /// Returns the job as the API shows it.
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
    /// Cancel the job now.
    Cancel,
    /// The job is already cancelled, so the response is the same.
    AlreadyCancelled,
    /// The job completed or failed before the request.
    TooLate,
}

/// Decides on a cancel request by the job's state.
pub const fn decide_cancel(status: JobStatus) -> CancelDecision {
    match status {
        JobStatus::Queued | JobStatus::InProgress => CancelDecision::Cancel,
        JobStatus::Cancelled => CancelDecision::AlreadyCancelled,
        JobStatus::Completed | JobStatus::Failed => CancelDecision::TooLate,
    }
}

/// Decision after a failed attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RetryDecision {
    /// Retry at this time.
    RetryAt(Timestamp),
    /// Fail the job.
    Fail,
}

/// Decides what follows attempt number `attempts` (1-based) that failed with `failure`. Retryable failures are retried after 1 s,
/// then 4 s, within the maximum number of attempts and the deadline. All times are steady.
pub fn decide_retry(failure: &Failure, attempts: u32, now: Timestamp, expires_at: Timestamp) -> RetryDecision {
    let pause = 1000_i64.saturating_mul(4_i64.saturating_pow(attempts.saturating_sub(1)));
    let retry_at = now.plus_millis(pause);
    if failure.retryable && attempts < MAX_ATTEMPTS && retry_at < expires_at {
        RetryDecision::RetryAt(retry_at)
    } else {
        RetryDecision::Fail
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug)]
    struct NoRandomness;

    impl Randomness for NoRandomness {
        fn fill(&self, _: &mut [u8]) {}
    }

    pub(in crate::domain) const QUEUED_AT: Moment =
        Moment { wall: Timestamp::from_millis(9_000_000_000), steady: Timestamp::from_millis(5_000_000_000) };

    /// Returns a job that was queued at [`QUEUED_AT`].
    pub(in crate::domain) fn job(publish_at: Option<Timestamp>) -> Job {
        let request = JobRequest {
            topic: "a topic".to_owned(),
            language: "en".to_owned(),
            keywords: Vec::new(),
            target_word_count: 1200,
            auto_publish: true,
            publish_at,
            metadata: Metadata::new(),
        };
        Job::new_queued(request, "acct_1", "web_1", QUEUED_AT, &NoRandomness).0
    }

    #[test]
    fn a_job_of_an_inactive_website_or_that_was_interrupted_too_often_fails() {
        let failure = |status, interruptions| {
            let failure = Job { interruptions, ..job(None) }.permanent_failure(status, MAX_INTERRUPTIONS);
            failure.map(|failure| (failure.code, failure.retryable))
        };
        assert_eq!(failure(WebsiteStatus::Active, MAX_INTERRUPTIONS - 1), None);
        assert_eq!(failure(WebsiteStatus::Active, MAX_INTERRUPTIONS), Some(("internal".to_owned(), true)));
        for status in [WebsiteStatus::Paused, WebsiteStatus::Archived] {
            assert_eq!(failure(status, MAX_INTERRUPTIONS), Some(("website_inactive".to_owned(), false)));
        }
    }

    proptest! {
        /// Attempts that follow each other, on machines whose wall clocks differ.
        #[test]
        fn an_interrupted_attempt_starts_the_deadline_again_and_no_other_one_moves_it_back(
            attempts in prop::collection::vec((any::<bool>(), 0..2_000_000_i64, -4_000_000..4_000_000_i64), 1..12),
        ) {
            let (mut job, mut steady, mut interruptions) = (job(None), QUEUED_AT.steady, 0);
            for (number, (was_interrupted, passed, ahead)) in (1..).zip(attempts) {
                let was_interrupted = was_interrupted && number > 1;
                steady = steady.plus_millis(passed);
                let wall = QUEUED_AT.wall.plus_millis(steady.millis() - QUEUED_AT.steady.millis() + ahead);
                let begun = job.clone().begun(was_interrupted, Moment { wall, steady });
                interruptions += u32::from(was_interrupted);
                prop_assert_eq!((begun.status, begun.progress), (JobStatus::InProgress, STARTED_PROGRESS));
                prop_assert_eq!((begun.attempts, begun.interruptions), (number, interruptions));
                let longest = steady.plus(PROGRESS_DEADLINE);
                let expires_at = if was_interrupted { longest } else { job.expires_at.min(longest) };
                prop_assert_eq!(begun.expires_at, expires_at);
                prop_assert!(begun.deadline_at <= wall.plus(PROGRESS_DEADLINE));
                prop_assert!(was_interrupted || begun.deadline_at <= job.deadline_at);
                prop_assert!(begun.started_at >= Some(begun.created_at));
                prop_assert!(number == 1 || begun.started_at == job.started_at);
                job = begun;
            }
        }
    }
}
