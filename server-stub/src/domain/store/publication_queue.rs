//! Scheduled posts that the scheduler has claimed, and how publishing ends.

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::job::Failure;
use crate::domain::post::{PostStatus, ScheduledPost};

use super::StoredTarget;

/// Number of articles that a process is sending to the system of each website. Websites without any may be left out.
pub type PushesInFlight = [(String, usize)];

/// Result of a request to queue a post again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requeued {
    /// The new job is queued.
    Queued,
    /// There are too many unfinished jobs.
    QueueFull,
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
        /// Event to send.
        event: Event,
    },
    /// The post is `scheduled` again and retried at this time.
    RetryAt(Timestamp),
    /// The post fails.
    Failed(Failure),
}
