//! [`PublicationQueue`] on a database.

use crate::domain::account::Scope;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::error_chain::ErrorChain;
use crate::domain::post::{PostChange, ScheduledPost};
use crate::domain::store::{
    ClaimedPost, Error, LeaseOutcome, PageRequest, PostFilter, PublishOutcome, PushesInFlight, Queue, Requeued, Result,
    Submission,
};
use crate::storage::hint::Hint;
use crate::storage::statements::{late_posts, lists, posts, slots, submission};

use super::store::Store;

impl Store {
    /// A page of posts.
    pub async fn list_posts(
        &self,
        scope: &Scope,
        filter: &PostFilter,
        page: &PageRequest,
    ) -> Result<Vec<ScheduledPost>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        let is_short = lists::is_short(&scope, &filter, &page);
        self.read_page(is_short, move |session| lists::posts(session, &scope, &filter, &page)).await
    }

    /// The post, whoever owns it.
    pub async fn find_post(&self, post_id: &str) -> Result<Option<ScheduledPost>> {
        let post_id = post_id.to_owned();
        self.read_few(move |session| posts::find(session, &post_id)).await
    }

    /// Changes a post together with its article, and returns it; `None` where its state does not allow that.
    pub async fn change_post(&self, post_id: &str, change: PostChange, now: Moment) -> Result<Option<ScheduledPost>> {
        let post_id = post_id.to_owned();
        let changed = self.change_alone(move |session| posts::change(session, &post_id, change, now)).await?;
        self.hint(Hint::Posts);
        Ok(changed)
    }

    /// Changes a post by [`PostChange::Schedule`] to the next slot of its website that no other post has; `None` also where none is free.
    pub async fn schedule_in_slot(&self, post_id: &str, now: Moment) -> Result<Option<ScheduledPost>> {
        let post_id = post_id.to_owned();
        let changed = self.change_alone(move |session| slots::schedule(session, &post_id, now)).await?;
        self.hint(Hint::Posts);
        Ok(changed)
    }

    /// Queues another job for a post whose job failed. The post of the submission is the post as it is to be.
    pub async fn requeue_post(&self, submission: Submission) -> Result<Requeued> {
        let requeued = self.change_alone(move |session| submission::requeue(session, &submission)).await?;
        self.hint(Hint::Jobs);
        Ok(requeued)
    }

    /// Claims up to `limit` posts that are due for publishing or whose lease ran out. None is due before its `publish_at` by the
    /// wall clock. Of a website that publishes by push, no more than [`MAX_PUSHES_AT_ONCE`] are in flight, `in_flight` among them. Posts that are late are published one at a time, as [`late_post`](crate::domain::late_post) decides.
    pub async fn claim_posts(
        &self,
        limit: u32,
        in_flight: &PushesInFlight,
        now: Moment,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedPost>> {
        match self.plan_late_posts(now).await {
            Ok(()) => {}
            Err(error @ Error::Unavailable(_)) => return Err(error),
            // Something is wrong with the late ones. They wait; those on time need not.
            Err(error) => {
                tracing::error!(error = %ErrorChain(&error), "cannot reschedule posts that missed their time");
            }
        }
        let in_flight = in_flight.to_vec();
        let (claimed, unreadable) =
            self.write(move |session| posts::claim(session, limit, &in_flight, (now, lease_until))).await?;
        self.unreadable_rows.add(Queue::Posts, &unreadable);
        let open = |website_id: &str, target| self.open_target(website_id, target);
        Ok(claimed.into_iter().map(|post| post.map_target(open)).collect())
    }

    /// Records how publishing went.
    pub async fn record_publish(
        &self,
        post_id: &str,
        lease_token: &str,
        outcome: PublishOutcome,
        now: Moment,
    ) -> Result<LeaseOutcome> {
        let (post_id, lease_token) = (post_id.to_owned(), lease_token.to_owned());
        let outcome = self.write(move |session| posts::record(session, &post_id, &lease_token, &outcome, now)).await?;
        self.hint(Hint::Deliveries);
        Ok(outcome)
    }
}

impl Store {
    async fn plan_late_posts(&self, now: Moment) -> Result<()> {
        if self.read_few(move |session| late_posts::is_any(session, now)).await? {
            for (website_id, posts) in self.write_alone(move |session| late_posts::plan(session, now)).await? {
                tracing::info!(website_id, posts, "posts that missed their time are published one after the other");
            }
        }
        Ok(())
    }
}
