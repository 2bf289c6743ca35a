//! [`PublicationQueue`] on a database.

use async_trait::async_trait;

use crate::domain::account::Scope;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::error_chain::ErrorChain;
use crate::domain::post::{PostChange, ScheduledPost};
use crate::domain::store::{
    ClaimedPost, Error, LeaseOutcome, PageRequest, PostFilter, PublicationQueue, PublishOutcome, PushesInFlight, Queue,
    Requeued, Result, Submission,
};
use crate::storage::backend::{Backend, Hint};
use crate::storage::statements::{late_posts, lists, posts, slots, submission};

use super::SqlStore;

#[async_trait]
impl<B: Backend> PublicationQueue for SqlStore<B> {
    async fn list_posts(&self, scope: &Scope, filter: &PostFilter, page: &PageRequest) -> Result<Vec<ScheduledPost>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        let is_short = lists::is_short(&scope, &filter, &page);
        self.backend.read_page(is_short, move |session| lists::posts(session, &scope, &filter, &page)).await
    }

    async fn find_post(&self, post_id: &str) -> Result<Option<ScheduledPost>> {
        let post_id = post_id.to_owned();
        self.backend.read_few(move |session| posts::find(session, &post_id)).await
    }

    async fn change_post(&self, post_id: &str, change: PostChange, now: Moment) -> Result<Option<ScheduledPost>> {
        let post_id = post_id.to_owned();
        let changed = self.write_alone(move |session| posts::change(session, &post_id, change, now)).await?;
        self.backend.hint(Hint::Posts);
        Ok(changed)
    }

    async fn schedule_in_slot(&self, post_id: &str, now: Moment) -> Result<Option<ScheduledPost>> {
        let post_id = post_id.to_owned();
        let changed = self.write_alone(move |session| slots::schedule(session, &post_id, now)).await?;
        self.backend.hint(Hint::Posts);
        Ok(changed)
    }

    async fn requeue_post(&self, submission: Submission) -> Result<Requeued> {
        let requeued = self.write_alone(move |session| submission::requeue(session, &submission)).await?;
        self.backend.hint(Hint::Jobs);
        Ok(requeued)
    }

    async fn claim_posts(
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
            self.backend.write(move |session| posts::claim(session, limit, &in_flight, (now, lease_until))).await?;
        self.unreadable_rows.add(Queue::Posts, &unreadable);
        let open = |website_id: &str, target| self.open_target(website_id, target);
        Ok(claimed.into_iter().map(|post| post.map_target(open)).collect())
    }

    async fn record_publish(
        &self,
        post_id: &str,
        lease_token: &str,
        outcome: PublishOutcome,
        now: Moment,
    ) -> Result<LeaseOutcome> {
        let (post_id, lease_token) = (post_id.to_owned(), lease_token.to_owned());
        let outcome =
            self.backend.write(move |session| posts::record(session, &post_id, &lease_token, &outcome, now)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(outcome)
    }
}

impl<B: Backend> SqlStore<B> {
    async fn plan_late_posts(&self, now: Moment) -> Result<()> {
        if self.backend.read_few(move |session| late_posts::is_any(session, now)).await? {
            for (website_id, posts) in self.backend.write_alone(move |session| late_posts::plan(session, now)).await? {
                tracing::info!(website_id, posts, "posts that missed their time are published one after the other");
            }
        }
        Ok(())
    }
}
