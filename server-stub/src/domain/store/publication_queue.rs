//! Scheduled posts that the scheduler has claimed, and how publishing ends.

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::job::Failure;
use crate::domain::post::{PostStatus, ScheduledPost};

use super::StoredTarget;

/// How many articles a process sends to the system of each website at this moment. Websites without any may be left out.
pub type PushesInFlight = [(String, usize)];

/// What became of a post that was to be queued again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requeued {
    /// Its new job is queued.
    Queued,
    /// Too many unfinished jobs.
    QueueFull,
    /// Its job did not fail, or somebody else queued another one.
    NotFailed,
}

/// Filters of posts; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostFilter {
    /// Of this website.
    pub website_id: Option<String>,
    /// In this state.
    pub status: Option<PostStatus>,
}

/// A post that the scheduler has claimed.
#[derive(Debug, Clone)]
pub struct ClaimedPost<T = StoredTarget> {
    /// The post, `publishing`, this attempt counted.
    pub post: ScheduledPost,
    /// New for every claim. An older token can no longer record how publishing went.
    pub lease_token: String,
    /// The article to publish.
    pub article: Article,
    /// The website that it is for.
    pub website: Website,
    /// Where it goes.
    pub target: T,
}

impl<T> ClaimedPost<T> {
    /// The same with its target made into another form.
    pub fn map_target<U>(self, change: impl FnOnce(&str, T) -> U) -> ClaimedPost<U> {
        let Self { post, lease_token, article, website, target } = self;
        let target = change(&website.website_id, target);
        ClaimedPost { post, lease_token, article, website, target }
    }
}

/// How a claimed post ends.
#[derive(Debug, Clone)]
pub enum PublishOutcome {
    /// The article is public: stored with its post and its event in one transaction.
    Published {
        /// The article, `published`.
        article: Box<Article>,
        /// What is announced.
        event: Event,
    },
    /// The post is `scheduled` again and tried then.
    RetryAt(Timestamp),
    /// The post fails.
    Failed(Failure),
}
