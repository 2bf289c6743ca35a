//! Scheduled posts and the pure decisions about them. Nothing here publishes.

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::job::Failure;

/// How often publishing is tried (CONTRACT 3.4).
pub const MAX_PUBLISH_ATTEMPTS: u32 = 5;

/// The state of a post (CONTRACT 2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PostStatus {
    /// The job is queued.
    Queued,
    /// The article is being written.
    Generating,
    /// The article waits for approval.
    Ready,
    /// The article waits for its time.
    Scheduled,
    /// The scheduler has claimed it.
    Publishing,
    /// The article is public.
    Published,
    /// Generation or publishing failed.
    Failed,
    /// The job was cancelled.
    Cancelled,
}

impl PostStatus {
    /// Every state.
    pub const ALL: [Self; 8] = [
        Self::Queued,
        Self::Generating,
        Self::Ready,
        Self::Scheduled,
        Self::Publishing,
        Self::Published,
        Self::Failed,
        Self::Cancelled,
    ];

    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Generating => "generating",
            Self::Ready => "ready",
            Self::Scheduled => "scheduled",
            Self::Publishing => "publishing",
            Self::Published => "published",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The state with that name in the API.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

/// A post, with the member names of the API. `account_id` never leaves the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledPost {
    /// `post_…`.
    pub id: String,
    /// The owner.
    #[serde(skip)]
    pub account_id: String,
    /// The website it is for.
    pub website_id: String,
    /// The job that writes the article.
    pub job_id: Option<String>,
    /// The article, once written.
    pub article_id: Option<String>,
    /// The topic, exactly as sent.
    pub topic: String,
    /// Its state.
    pub status: PostStatus,
    /// When to publish; `None` means as soon as it is ready.
    pub publish_at: Option<Timestamp>,
    /// When it was published.
    pub published_at: Option<Timestamp>,
    /// Whether it goes out without approval.
    pub auto_publish: bool,
    /// Publishing attempts.
    pub attempts: u32,
    /// Set when failed.
    pub error: Option<Failure>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// When the next publishing attempt follows attempt number `attempts` (1-based) that failed for a transient reason:
/// 5 s, 30 s, 3 min, 18 min; `None` when attempts are used up.
pub fn next_publish_attempt(attempts: u32, now: Timestamp) -> Option<Timestamp> {
    (attempts < MAX_PUBLISH_ATTEMPTS)
        .then(|| now.plus_millis(5000_i64.saturating_mul(6_i64.saturating_pow(attempts.saturating_sub(1)))))
}
