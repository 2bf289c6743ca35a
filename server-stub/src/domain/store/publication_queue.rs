//! The queue of scheduled posts: listing it, claiming what is due, and how publishing ends.

use std::fmt;

use async_trait::async_trait;

use crate::domain::account::{Scope, Website};
use crate::domain::article::Article;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::event::Event;
use crate::domain::job::Failure;
use crate::domain::post::{PostChange, PostStatus, ScheduledPost};
#[cfg(doc)]
use crate::domain::publishing_target::MAX_PUSHES_AT_ONCE;

use super::{LeaseOutcome, PageRequest, Result, StoredTarget, Submission};

/// The queue of scheduled posts. Only the holder of a lease records how publishing went.
#[async_trait]
pub trait PublicationQueue: Send + Sync + fmt::Debug {
    /// A page of posts.
    async fn list_posts(&self, scope: &Scope, filter: &PostFilter, page: &PageRequest) -> Result<Vec<ScheduledPost>>;
    /// The post, whoever owns it.
    async fn find_post(&self, post_id: &str) -> Result<Option<ScheduledPost>>;
    /// Changes a post together with its article, and returns it; `None` where its state does not allow that.
    async fn change_post(&self, post_id: &str, change: PostChange, now: Moment) -> Result<Option<ScheduledPost>>;
    /// Changes a post by [`PostChange::Schedule`] to the next slot of its website that no other post has; `None` also where none is free.
    async fn schedule_in_slot(&self, post_id: &str, now: Moment) -> Result<Option<ScheduledPost>>;
    /// Queues another job for a post whose job failed. The post of the submission is the post as it is to be.
    async fn requeue_post(&self, submission: Submission) -> Result<Requeued>;
    /// Claims up to `limit` posts that are due for publishing or whose lease ran out. None is due before its `publish_at` by the
    /// wall clock. Of a website that publishes by push, no more than [`MAX_PUSHES_AT_ONCE`] are in flight, `in_flight` among them. Posts that are late are published one at a time, as [`late_post`](crate::domain::late_post) decides.
    async fn claim_posts(
        &self,
        limit: u32,
        in_flight: &PushesInFlight,
        now: Moment,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedPost>>;
    /// Records how publishing went.
    async fn record_publish(
        &self,
        post_id: &str,
        lease_token: &str,
        outcome: PublishOutcome,
        now: Moment,
    ) -> Result<LeaseOutcome>;
}

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
