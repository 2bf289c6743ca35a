//! The parts of a watched store that the scheduler uses: they are the real store's.

use async_trait::async_trait;
use contentgen_server_stub::domain::account::Scope;
use contentgen_server_stub::domain::clock::{Moment, Timestamp};
use contentgen_server_stub::domain::post::{PostChange, ScheduledPost};
use contentgen_server_stub::domain::publishing_target::PublishingTarget;
use contentgen_server_stub::domain::store::{
    ClaimedPost, FileRemoval, LeaseOutcome, PageRequest, PostFilter, PublicationQueue, PublishOutcome,
    PublishingTargets, PushesInFlight, Requeued, Result, StoredTarget, Submission,
};

use super::Wrapped;

#[async_trait]
impl PublicationQueue for Wrapped {
    async fn list_posts(&self, scope: &Scope, filter: &PostFilter, page: &PageRequest) -> Result<Vec<ScheduledPost>> {
        self.store.list_posts(scope, filter, page).await
    }

    async fn find_post(&self, post_id: &str) -> Result<Option<ScheduledPost>> {
        self.store.find_post(post_id).await
    }

    async fn change_post(&self, post_id: &str, change: PostChange, now: Moment) -> Result<Option<ScheduledPost>> {
        self.store.change_post(post_id, change, now).await
    }

    async fn schedule_in_slot(&self, post_id: &str, now: Moment) -> Result<Option<ScheduledPost>> {
        self.store.schedule_in_slot(post_id, now).await
    }

    async fn requeue_post(&self, submission: Submission) -> Result<Requeued> {
        self.store.requeue_post(submission).await
    }

    async fn claim_posts(
        &self,
        limit: u32,
        in_flight: &PushesInFlight,
        now: Moment,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedPost>> {
        self.store.claim_posts(limit, in_flight, now, lease_until).await
    }

    async fn record_publish(
        &self,
        post_id: &str,
        lease_token: &str,
        outcome: PublishOutcome,
        now: Moment,
    ) -> Result<LeaseOutcome> {
        self.store.record_publish(post_id, lease_token, outcome, now).await
    }
}

#[async_trait]
impl PublishingTargets for Wrapped {
    async fn find_target(&self, website_id: &str) -> Result<StoredTarget> {
        self.store.find_target(website_id).await
    }

    async fn set_target(&self, website_id: &str, target: &PublishingTarget, now: Timestamp) -> Result<bool> {
        self.store.set_target(website_id, target, now).await
    }

    async fn due_removals(&self, limit: u32, now: Timestamp) -> Result<Vec<FileRemoval>> {
        self.store.due_removals(limit, now).await
    }

    async fn postpone_removal(&self, removal: &FileRemoval, until: Timestamp) -> Result<Option<FileRemoval>> {
        self.store.postpone_removal(removal, until).await
    }

    async fn record_removal(&self, removal: &FileRemoval) -> Result<()> {
        self.store.record_removal(removal).await
    }
}
