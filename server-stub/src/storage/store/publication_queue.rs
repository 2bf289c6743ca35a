//! [`PublicationQueue`] on a database.

use async_trait::async_trait;

use crate::domain::account::Scope;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::post::{PostChange, ScheduledPost};
use crate::domain::store::{
    ClaimedPost, LeaseOutcome, PageRequest, PostFilter, PublicationQueue, PublishOutcome, Queue, Requeued, Result,
    Submission,
};
use crate::storage::backend::{Backend, Hint};
use crate::storage::statements::{lists, posts, submission};

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

    async fn requeue_post(&self, submission: Submission) -> Result<Requeued> {
        let requeued = self.write_alone(move |session| submission::requeue(session, &submission)).await?;
        self.backend.hint(Hint::Jobs);
        Ok(requeued)
    }

    async fn claim_posts(&self, limit: u32, now: Moment, lease_until: Timestamp) -> Result<Vec<ClaimedPost>> {
        let (claimed, unreadable) =
            self.backend.write(move |session| posts::claim(session, limit, now, lease_until)).await?;
        self.unreadable_rows.add(Queue::Posts, &unreadable);
        Ok(claimed)
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
