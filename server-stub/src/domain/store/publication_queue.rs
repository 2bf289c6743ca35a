//! The queue of scheduled posts: listing it, claiming what is due, and how publishing ends.

use std::fmt;

use async_trait::async_trait;

use crate::domain::account::{Scope, Website};
use crate::domain::article::Article;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::event::Event;
use crate::domain::job::Failure;
use crate::domain::post::{PostChange, PostStatus, ScheduledPost};

use super::{LeaseOutcome, PageRequest, Result, Submission};

/// The queue of scheduled posts. Only the holder of a lease records how publishing went.
#[async_trait]
pub trait PublicationQueue: Send + Sync + fmt::Debug {
    /// A page of posts.
    async fn list_posts(&self, scope: &Scope, filter: &PostFilter, page: &PageRequest) -> Result<Vec<ScheduledPost>>;
    /// The post, whoever owns it.
    async fn find_post(&self, post_id: &str) -> Result<Option<ScheduledPost>>;
    /// Changes a post together with its article, and returns it; `None` where its state does not allow that.
    async fn change_post(&self, post_id: &str, change: PostChange, now: Moment) -> Result<Option<ScheduledPost>>;
    /// Queues another job for a post whose job failed. The post of the submission is the post as it is to be.
    async fn requeue_post(&self, submission: Submission) -> Result<Requeued>;
    /// Claims up to `limit` posts that are due for publishing or whose lease ran out. None is due before its `publish_at` by the
    /// wall clock.
    async fn claim_posts(&self, limit: u32, now: Moment, lease_until: Timestamp) -> Result<Vec<ClaimedPost>>;
    /// Records how publishing went.
    async fn record_publish(
        &self,
        post_id: &str,
        lease_token: &str,
        outcome: PublishOutcome,
        now: Moment,
    ) -> Result<LeaseOutcome>;
}

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
pub struct ClaimedPost {
    /// The post, `publishing`, this attempt counted.
    pub post: ScheduledPost,
    /// New for every claim. An older token can no longer record how publishing went.
    pub lease_token: String,
    /// The article to publish.
    pub article: Article,
    /// Where to.
    pub website: Website,
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
