//! Scheduled posts, and the pure decisions about them.

use serde::{Deserialize, Serialize};

use super::article::ArticleStatus;
use super::clock::Timestamp;
use super::failure::Failure;
use super::names::names;

/// Maximum number of publishing attempts.
pub const MAX_PUBLISH_ATTEMPTS: u32 = 6;

names! {
    /// State of a post.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum PostStatus {
        /// The job is queued.
        Queued = "queued",
        /// The article is being written.
        Generating = "generating",
        /// The article waits for approval.
        Ready = "ready",
        /// The article waits for its time.
        Scheduled = "scheduled",
        /// The scheduler has claimed the post.
        Publishing = "publishing",
        /// The article is public.
        Published = "published",
        /// Generation or publishing failed.
        Failed = "failed",
        /// The job was cancelled.
        Cancelled = "cancelled",
    }
}

/// A post, with the field names of the API. `account_id` never leaves the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledPost {
    /// `post_…`.
    pub id: String,
    /// The owner.
    #[serde(skip)]
    pub account_id: String,
    /// Website of the article.
    pub website_id: String,
    /// The job that writes the article.
    pub job_id: Option<String>,
    /// Set once the article is written.
    pub article_id: Option<String>,
    /// The topic, exactly as sent.
    pub topic: String,
    /// Current state.
    pub status: PostStatus,
    /// Requested publication time, or the time of its slot. `None` means as soon as the article is ready, or no slot yet.
    pub publish_at: Option<Timestamp>,
    /// Publication time.
    pub published_at: Option<Timestamp>,
    /// True if it is published without approval.
    pub auto_publish: bool,
    /// Number of publishing attempts.
    pub attempts: u32,
    /// Set if it failed.
    pub error: Option<Failure>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Numbers of attempts to publish a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishAttempts {
    /// Attempts that count towards [`MAX_PUBLISH_ATTEMPTS`].
    pub counted: u32,
    /// Attempts that were interrupted because their process died.
    pub interrupted: u32,
}

impl PublishAttempts {
    /// Counts the next attempt. Returns the post's failure if there were too many. `was_interrupted` is true if the process
    /// of the last attempt died: then the next one repeats that attempt.
    pub fn next(self, was_interrupted: bool, max_interruptions: u32) -> Result<Self, Failure> {
        let next = Self {
            counted: self.counted + u32::from(!was_interrupted),
            interrupted: self.interrupted + u32::from(was_interrupted),
        };
        if next.interrupted > max_interruptions || next.counted > MAX_PUBLISH_ATTEMPTS {
            return Err(Failure::new("publish_failed", "Publishing was interrupted too often.", true));
        }
        Ok(next)
    }
}

/// Returns the time of the attempt after attempt number `attempts` (1-based) failed for a transient reason: 5 s, 30 s, 3 min, 18
/// min, 1 h 48 min later. `None` if no attempt is left.
pub fn next_publish_attempt(attempts: u32, now: Timestamp) -> Option<Timestamp> {
    (attempts < MAX_PUBLISH_ATTEMPTS)
        .then(|| now.plus_millis(5000_i64.saturating_mul(6_i64.saturating_pow(attempts.saturating_sub(1)))))
}

/// Change that a user makes to a post whose job has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostChange {
    /// Approves a ready post, or moves a scheduled one: to this time, or to be published at once.
    Schedule(Option<Timestamp>),
    /// Removes its time: the post waits for approval again.
    Unschedule,
    /// Publishes a post again after publishing failed.
    RetryPublishing,
    /// Cancels the post, even if writing its article failed. It is never published.
    Cancel,
}

impl ScheduledPost {
    /// Returns the changed post; `None` if its state does not allow the change, for example while the scheduler has claimed it.
    pub fn changed(&self, change: PostChange, now: Timestamp) -> Option<Self> {
        use PostStatus::{Cancelled, Failed, Ready, Scheduled};
        let is_written = self.article_id.is_some();
        let (status, publish_at) = match (change, self.status) {
            (PostChange::Cancel, Failed) => (Cancelled, self.publish_at),
            _ if !is_written => return None,
            (PostChange::Schedule(publish_at), Ready | Scheduled) => (Scheduled, publish_at),
            (PostChange::Unschedule, Scheduled) => (Ready, None),
            (PostChange::RetryPublishing, Failed) => (Scheduled, self.publish_at),
            (PostChange::Cancel, Ready | Scheduled) => (Cancelled, self.publish_at),
            _ => return None,
        };
        Some(Self {
            status,
            publish_at,
            // A user's change starts over, so all attempts are available again.
            attempts: 0,
            error: None,
            updated_at: self.updated_at.max(now),
            ..self.clone()
        })
    }

    /// Returns the post with another job for the same request, after the former job failed; `None` unless the job failed.
    pub fn requeued(&self, job_id: &str, now: Timestamp) -> Option<Self> {
        let is_unwritten = self.status == PostStatus::Failed && self.article_id.is_none();
        is_unwritten.then(|| Self {
            status: PostStatus::Queued,
            job_id: Some(job_id.to_owned()),
            attempts: 0,
            error: None,
            updated_at: self.updated_at.max(now),
            ..self.clone()
        })
    }
}

impl PostStatus {
    /// Returns the state of the article after a user moved its post into this state.
    pub const fn article_status(self) -> ArticleStatus {
        match self {
            Self::Scheduled => ArticleStatus::Scheduled,
            _ => ArticleStatus::Draft,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(status: PostStatus, article_id: Option<&str>) -> ScheduledPost {
        ScheduledPost {
            id: "post_1".to_owned(),
            account_id: "acct_1".to_owned(),
            website_id: "web_1".to_owned(),
            job_id: Some("job_1".to_owned()),
            article_id: article_id.map(str::to_owned),
            topic: "a topic".to_owned(),
            status,
            publish_at: Some(Timestamp::from_millis(5)),
            published_at: None,
            auto_publish: false,
            attempts: 3,
            error: None,
            created_at: Timestamp::from_millis(1),
            updated_at: Timestamp::from_millis(9),
        }
    }

    #[test]
    fn each_change_is_allowed_from_its_states_and_from_no_other() {
        use PostStatus::{Cancelled, Failed, Ready, Scheduled};
        let at = Some(Timestamp::from_millis(70));
        let table: [(PostChange, &[PostStatus], PostStatus); 4] = [
            (PostChange::Schedule(at), &[Ready, Scheduled], Scheduled),
            (PostChange::Unschedule, &[Scheduled], Ready),
            (PostChange::RetryPublishing, &[Failed], Scheduled),
            (PostChange::Cancel, &[Ready, Scheduled, Failed], Cancelled),
        ];
        for (change, from, to) in table {
            for status in PostStatus::ALL {
                let changed = post(status, Some("art_1")).changed(change, Timestamp::from_millis(7));
                let expected = from.contains(&status).then_some(to);
                assert_eq!(changed.map(|post| post.status), expected, "{change:?} of {}", status.as_str());
                let unwritten = post(status, None).changed(change, Timestamp::from_millis(7));
                let expected = expected.filter(|_| (change, status) == (PostChange::Cancel, Failed));
                assert_eq!(unwritten.map(|post| post.status), expected, "{change:?} without an article");
            }
        }
    }

    #[test]
    fn a_changed_post_keeps_its_order_in_time_and_has_all_attempts() {
        let scheduled =
            post(PostStatus::Ready, Some("art_1")).changed(PostChange::Schedule(None), Timestamp::from_millis(7));
        let scheduled = scheduled.unwrap();
        assert_eq!((scheduled.publish_at, scheduled.attempts), (None, 0));
        assert_eq!(scheduled.updated_at, Timestamp::from_millis(9), "the clock was set back");
        assert_eq!(scheduled.status.article_status(), ArticleStatus::Scheduled);
        let cancelled = scheduled.changed(PostChange::Cancel, Timestamp::from_millis(70)).unwrap();
        assert_eq!(cancelled.status.article_status(), ArticleStatus::Draft);
    }

    #[test]
    fn publishing_is_tried_for_two_hours() {
        let now = Timestamp::from_millis(0);
        let pauses: Vec<_> =
            (1..).map_while(|attempt| next_publish_attempt(attempt, now)).map(Timestamp::seconds).collect();
        assert_eq!(pauses, [5, 30, 3 * 60, 18 * 60, 108 * 60]);
    }

    #[test]
    fn only_what_failed_without_an_article_gets_another_job() {
        let now = Timestamp::from_millis(70);
        for status in PostStatus::ALL {
            let requeued = post(status, None).requeued("job_2", now);
            assert_eq!(requeued.is_some(), status == PostStatus::Failed, "{}", status.as_str());
            assert_eq!(post(status, Some("art_1")).requeued("job_2", now), None);
        }
    }

    #[test]
    fn interrupted_attempts_are_repeated_until_they_are_too_many() {
        let mut attempts = PublishAttempts { counted: 0, interrupted: 0 }.next(false, 2).unwrap();
        for interrupted in 1..=2 {
            attempts = attempts.next(true, 2).unwrap();
            assert_eq!(attempts, PublishAttempts { counted: 1, interrupted });
        }
        assert_eq!(attempts.next(true, 2).unwrap_err().code, "publish_failed");
        assert_eq!(attempts.next(false, 2), Ok(PublishAttempts { counted: 2, interrupted: 2 }));
        let used_up = PublishAttempts { counted: MAX_PUBLISH_ATTEMPTS, interrupted: 0 };
        assert_eq!(used_up.next(false, 2).unwrap_err().code, "publish_failed");
        assert!(used_up.next(true, 2).is_ok());
    }
}
