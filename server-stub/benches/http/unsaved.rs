//! A store that keeps no submission: what `POST /generate` costs without a database. Everything else is the real store's.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use contentgen_server_stub::domain::account::{Account, Scope, Website};
use contentgen_server_stub::domain::article::{Article, ArticleSummary};
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::delivery::{LoggedAttempt, LoggedDelivery};
use contentgen_server_stub::domain::event::Event;
use contentgen_server_stub::domain::hook::{EndpointStatus, HookEndpoint, HookSecret};
use contentgen_server_stub::domain::job::Job;
use contentgen_server_stub::domain::key::{ApiKey, SecretHash};
use contentgen_server_stub::domain::lead::Lead;
use contentgen_server_stub::domain::post::ScheduledPost;
use contentgen_server_stub::domain::retention::RecordKind;
use contentgen_server_stub::domain::store::{
    Accounts, ArticleFilter, Articles, AttemptRecord, Cancelled, Captured, ClaimedDelivery, ClaimedJobs, ClaimedPost,
    DeliveryLog, DeliveryQueue, EndpointCapacity, EndpointState, HookEndpoints, IdempotencyRecord, JobCompletion,
    JobFailure, JobQueue, JobStatusChange, LeadFilter, Leads, LeaseOutcome, Maintenance, PageRequest, PostFilter,
    PublicationQueue, PublishOutcome, PurgedBatch, QueueStatistics, Redelivery, Result, Store, StoredArticle,
    Submission, Submitted,
};
use contentgen_server_stub::domain::voice::BrandVoice;

/// The real store without `submit`.
#[derive(Debug)]
pub(crate) struct Unsaved(pub(crate) Arc<dyn Store>);

#[async_trait]
impl JobQueue for Unsaved {
    async fn submit(&self, _submission: Submission) -> Result<Submitted> {
        Ok(Submitted::Queued)
    }

    async fn find_idempotency(
        &self,
        account_id: &str,
        operation: &str,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<IdempotencyRecord>> {
        self.0.find_idempotency(account_id, operation, key, since).await
    }

    async fn find_job(&self, job_id: &str) -> Result<Option<Job>> {
        self.0.find_job(job_id).await
    }

    async fn cancel_job(&self, job_id: &str, now: Timestamp) -> Result<Cancelled> {
        self.0.cancel_job(job_id, now).await
    }

    async fn claim_jobs(&self, limit: u32, now: Timestamp, lease_until: Timestamp) -> Result<ClaimedJobs> {
        self.0.claim_jobs(limit, now, lease_until).await
    }

    async fn release_job(&self, job_id: &str, lease_token: &str, now: Timestamp) -> Result<LeaseOutcome> {
        self.0.release_job(job_id, lease_token, now).await
    }

    async fn renew_job(&self, job_id: &str, lease_token: &str, lease_until: Timestamp) -> Result<LeaseOutcome> {
        self.0.renew_job(job_id, lease_token, lease_until).await
    }

    async fn complete_job(&self, completion: JobCompletion) -> Result<LeaseOutcome> {
        self.0.complete_job(completion).await
    }

    async fn fail_job(&self, failure: JobFailure) -> Result<LeaseOutcome> {
        self.0.fail_job(failure).await
    }

    async fn fail_overdue_jobs(&self, now: Timestamp) -> Result<Vec<JobStatusChange>> {
        self.0.fail_overdue_jobs(now).await
    }
}

#[async_trait]
impl Accounts for Unsaved {
    async fn create_account(&self, account: &Account) -> Result<()> {
        self.0.create_account(account).await
    }

    async fn find_account(&self, name_or_id: &str) -> Result<Option<Account>> {
        self.0.find_account(name_or_id).await
    }

    async fn create_website(&self, website: &Website) -> Result<()> {
        self.0.create_website(website).await
    }

    async fn find_website(&self, website_id: &str) -> Result<Option<Website>> {
        self.0.find_website(website_id).await
    }

    async fn list_websites(&self, scope: &Scope, page: &PageRequest) -> Result<Vec<Website>> {
        self.0.list_websites(scope, page).await
    }

    async fn set_lead_retention(&self, website_id: &str, retention: Option<Duration>) -> Result<bool> {
        self.0.set_lead_retention(website_id, retention).await
    }

    async fn put_voice(&self, account_id: &str, voice: &BrandVoice) -> Result<()> {
        self.0.put_voice(account_id, voice).await
    }

    async fn create_key(&self, key: &ApiKey) -> Result<()> {
        self.0.create_key(key).await
    }

    async fn find_key(&self, hash: SecretHash) -> Result<Option<ApiKey>> {
        self.0.find_key(hash).await
    }
}

#[async_trait]
impl Articles for Unsaved {
    async fn find_article(&self, article_id: &str) -> Result<Option<StoredArticle>> {
        self.0.find_article(article_id).await
    }

    async fn find_published(&self, website_id: &str, slug: &str) -> Result<Option<Article>> {
        self.0.find_published(website_id, slug).await
    }

    async fn list_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        page: &PageRequest,
    ) -> Result<Vec<ArticleSummary>> {
        self.0.list_articles(scope, filter, page).await
    }
}

#[async_trait]
impl PublicationQueue for Unsaved {
    async fn list_posts(&self, scope: &Scope, filter: &PostFilter, page: &PageRequest) -> Result<Vec<ScheduledPost>> {
        self.0.list_posts(scope, filter, page).await
    }

    async fn claim_posts(&self, limit: u32, now: Timestamp, lease_until: Timestamp) -> Result<Vec<ClaimedPost>> {
        self.0.claim_posts(limit, now, lease_until).await
    }

    async fn record_publish(
        &self,
        post_id: &str,
        lease_token: &str,
        outcome: PublishOutcome,
        now: Timestamp,
    ) -> Result<LeaseOutcome> {
        self.0.record_publish(post_id, lease_token, outcome, now).await
    }
}

#[async_trait]
impl Leads for Unsaved {
    async fn capture_lead(&self, lead: &Lead, event: &Event, same_since: Timestamp) -> Result<Captured> {
        self.0.capture_lead(lead, event, same_since).await
    }

    async fn find_lead(&self, lead_id: &str) -> Result<Option<Lead>> {
        self.0.find_lead(lead_id).await
    }

    async fn list_leads(&self, scope: &Scope, filter: &LeadFilter, page: &PageRequest) -> Result<Vec<Lead>> {
        self.0.list_leads(scope, filter, page).await
    }

    async fn erase_lead(&self, lead_id: &str) -> Result<bool> {
        self.0.erase_lead(lead_id).await
    }
}

#[async_trait]
impl HookEndpoints for Unsaved {
    async fn create_hook_endpoint(&self, endpoint: &HookEndpoint) -> Result<()> {
        self.0.create_hook_endpoint(endpoint).await
    }

    async fn list_hook_endpoints(&self, account_id: &str) -> Result<Vec<EndpointState>> {
        self.0.list_hook_endpoints(account_id).await
    }

    async fn rotate_hook_secret(
        &self,
        endpoint_id: &str,
        secret: &HookSecret,
        overlap_until: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        self.0.rotate_hook_secret(endpoint_id, secret, overlap_until, now).await
    }

    async fn set_hook_status(&self, endpoint_id: &str, status: EndpointStatus) -> Result<bool> {
        self.0.set_hook_status(endpoint_id, status).await
    }

    async fn remove_hook_endpoint(&self, endpoint_id: &str) -> Result<bool> {
        self.0.remove_hook_endpoint(endpoint_id).await
    }

    async fn send_test(&self, endpoint_id: &str, event: &Event) -> Result<Option<String>> {
        self.0.send_test(endpoint_id, event).await
    }
}

#[async_trait]
impl DeliveryQueue for Unsaved {
    async fn claim_deliveries(
        &self,
        limit: u32,
        capacity: &EndpointCapacity,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedDelivery>> {
        self.0.claim_deliveries(limit, capacity, now, lease_until).await
    }

    async fn record_attempts(&self, records: Arc<[AttemptRecord]>) -> Result<Vec<LeaseOutcome>> {
        self.0.record_attempts(records).await
    }
}

#[async_trait]
impl DeliveryLog for Unsaved {
    async fn find_delivery(&self, delivery_id: &str) -> Result<Option<LoggedDelivery>> {
        self.0.find_delivery(delivery_id).await
    }

    async fn find_delivery_of(&self, endpoint_id: &str, event_id: &str) -> Result<Option<LoggedDelivery>> {
        self.0.find_delivery_of(endpoint_id, event_id).await
    }

    async fn list_deliveries(&self, endpoint_id: &str, page: &PageRequest) -> Result<Vec<LoggedDelivery>> {
        self.0.list_deliveries(endpoint_id, page).await
    }

    async fn list_attempts(&self, delivery_id: &str) -> Result<Vec<LoggedAttempt>> {
        self.0.list_attempts(delivery_id).await
    }

    async fn redeliver(&self, delivery_id: &str, now: Timestamp) -> Result<Redelivery> {
        self.0.redeliver(delivery_id, now).await
    }

    async fn recover_deliveries(&self, endpoint_id: &str, since: Timestamp, now: Timestamp) -> Result<u64> {
        self.0.recover_deliveries(endpoint_id, since, now).await
    }
}

#[async_trait]
impl Maintenance for Unsaved {
    async fn check(&self) -> Result<()> {
        self.0.check().await
    }

    async fn token_secret(&self) -> Result<[u8; 32]> {
        self.0.token_secret().await
    }

    async fn queue_statistics(&self, now: Timestamp) -> Result<QueueStatistics> {
        self.0.queue_statistics(now).await
    }

    async fn purge(&self, kind: RecordKind, cutoff: Timestamp, after: &str) -> Result<PurgedBatch> {
        self.0.purge(kind, cutoff, after).await
    }
}
