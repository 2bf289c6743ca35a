//! A store around the real one. It counts what it is asked for, and can keep no submission: that shows what `POST /generate` costs
//! without a database. Everything else is the real store's.

#[path = "publication.rs"]
mod publication;
#[path = "unwatched.rs"]
mod unwatched;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use contentgen_server_stub::domain::account::{Account, Scope, Website, WebsiteStatus};
use contentgen_server_stub::domain::article::{Article, ArticleSummary};

use contentgen_server_stub::domain::clock::{Moment, Timestamp};
use contentgen_server_stub::domain::delivery::{DeliverySummary, LoggedAttempt, LoggedDelivery};
use contentgen_server_stub::domain::event::Event;
use contentgen_server_stub::domain::hook::{AttemptDecision, EndpointStatus, HookEndpoint, HookSecret};
use contentgen_server_stub::domain::job::Job;
use contentgen_server_stub::domain::key::{ApiKey, SecretHash};
use contentgen_server_stub::domain::language_model::ModelUsage;
use contentgen_server_stub::domain::lead::Lead;
use contentgen_server_stub::domain::lead_form::LeadForm;
use contentgen_server_stub::domain::publishing_slots::PublishingSlots;
use contentgen_server_stub::domain::retention::RecordKind;
use contentgen_server_stub::domain::search::Search;

use contentgen_server_stub::domain::store::{
    Accounts, ArticleFilter, Articles, AttemptRecord, Cancelled, Captured, ClaimedDelivery, ClaimedJobs,
    DeliveryFilter, DeliveryLog, DeliveryQueue, EndpointCapacity, EndpointState, HookEndpoints, IdempotencyRecord,
    JobCompletion, JobFailure, JobQueue, JobStart, JobStatusChange, KeyFilter, LeadEvent, LeadFilter, Leads,
    LeaseOutcome, Maintenance, PageRequest, PurgedBatch, QueueStatistics, QuotaWindows, RedeliveredBatch, Redelivery,
    Result, SearchPage, SentDelivery, SharedWindows, Store, StoredArticle, Submission, Submitted, WebsiteFilter,
};

use tokio::sync::watch;

/// The real store, watched.
#[derive(Debug)]
pub(crate) struct Wrapped {
    store: Arc<dyn Store>,
    keeps_submissions: bool,
    counts: Arc<Counts>,
}

/// What a watched store was asked for.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// How many times a job was read.
    pub(crate) job_reads: AtomicUsize,
    /// How many attempts that succeeded were recorded.
    pub(crate) attempts_succeeded: watch::Sender<usize>,
}

impl Wrapped {
    /// A store around `store`, which keeps submissions only if told to and counts in `counts`.
    pub(crate) fn new(store: Arc<dyn Store>, keeps_submissions: bool, counts: Arc<Counts>) -> Self {
        Self { store, keeps_submissions, counts }
    }
}

#[async_trait]
impl JobQueue for Wrapped {
    async fn submit(&self, submission: Submission) -> Result<Submitted> {
        if self.keeps_submissions { self.store.submit(submission).await } else { Ok(Submitted::Queued) }
    }

    async fn find_idempotency(
        &self,
        account_id: &str,
        operation: &str,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<IdempotencyRecord>> {
        self.store.find_idempotency(account_id, operation, key, since).await
    }

    async fn find_job(&self, job_id: &str) -> Result<Option<Job>> {
        self.counts.job_reads.fetch_add(1, Ordering::SeqCst);
        self.store.find_job(job_id).await
    }

    async fn ended_jobs(&self, job_ids: &[String]) -> Result<Vec<String>> {
        self.store.ended_jobs(job_ids).await
    }

    async fn cancel_job(&self, job_id: &str, now: Timestamp) -> Result<Cancelled> {
        self.store.cancel_job(job_id, now).await
    }

    async fn claim_jobs(&self, limit: u32, now: Moment, lease_until: Timestamp) -> Result<ClaimedJobs> {
        self.store.claim_jobs(limit, now, lease_until).await
    }

    async fn begin_job(&self, start: JobStart) -> Result<Option<Job>> {
        self.store.begin_job(start).await
    }

    async fn release_job(&self, job_id: &str, lease_token: &str, due_at: Timestamp) -> Result<LeaseOutcome> {
        self.store.release_job(job_id, lease_token, due_at).await
    }

    async fn renew_job(&self, job_id: &str, lease_token: &str, lease_until: Timestamp) -> Result<LeaseOutcome> {
        self.store.renew_job(job_id, lease_token, lease_until).await
    }

    async fn complete_job(&self, completion: JobCompletion) -> Result<LeaseOutcome> {
        self.store.complete_job(completion).await
    }

    async fn fail_job(&self, failure: JobFailure) -> Result<LeaseOutcome> {
        self.store.fail_job(failure).await
    }

    async fn fail_overdue_jobs(&self, now: Moment) -> Result<Vec<JobStatusChange>> {
        self.store.fail_overdue_jobs(now).await
    }

    async fn add_model_usage(&self, job_id: &str, usage: &ModelUsage) -> Result<()> {
        self.store.add_model_usage(job_id, usage).await
    }

    async fn model_usage(&self, job_id: &str) -> Result<Option<ModelUsage>> {
        self.store.model_usage(job_id).await
    }
}

#[async_trait]
impl Accounts for Wrapped {
    async fn create_account(&self, account: &Account) -> Result<()> {
        self.store.create_account(account).await
    }

    async fn rename_account(&self, account_id: &str, name: &str) -> Result<bool> {
        self.store.rename_account(account_id, name).await
    }

    async fn find_account(&self, name_or_id: &str) -> Result<Option<Account>> {
        self.store.find_account(name_or_id).await
    }

    async fn create_website(&self, website: &Website) -> Result<()> {
        self.store.create_website(website).await
    }

    async fn find_website(&self, website_id: &str) -> Result<Option<Website>> {
        self.store.find_website(website_id).await
    }

    async fn set_lead_form(&self, website_id: &str, form: &LeadForm, now: Timestamp) -> Result<bool> {
        self.store.set_lead_form(website_id, form, now).await
    }

    async fn is_former_consent_text(&self, website_id: &str, text: &str, since: Timestamp) -> Result<bool> {
        self.store.is_former_consent_text(website_id, text, since).await
    }

    async fn update_website(&self, website: &Website) -> Result<bool> {
        self.store.update_website(website).await
    }

    async fn set_website_status(&self, website_id: &str, status: WebsiteStatus, now: Timestamp) -> Result<bool> {
        self.store.set_website_status(website_id, status, now).await
    }

    async fn list_websites(&self, scope: &Scope, filter: &WebsiteFilter, page: &PageRequest) -> Result<Vec<Website>> {
        self.store.list_websites(scope, filter, page).await
    }

    async fn set_publishing_slots(&self, website_id: &str, slots: &PublishingSlots, now: Timestamp) -> Result<bool> {
        self.store.set_publishing_slots(website_id, slots, now).await
    }

    async fn set_lead_retention(&self, website_id: &str, retention: Option<Duration>) -> Result<bool> {
        self.store.set_lead_retention(website_id, retention).await
    }

    async fn create_key(&self, key: &ApiKey) -> Result<()> {
        self.store.create_key(key).await
    }

    async fn find_key(&self, hash: SecretHash) -> Result<Option<ApiKey>> {
        self.store.find_key(hash).await
    }

    async fn find_key_by_id(&self, account_id: &str, key_id: &str) -> Result<Option<ApiKey>> {
        self.store.find_key_by_id(account_id, key_id).await
    }

    async fn list_keys(&self, account_id: &str, filter: &KeyFilter, page: &PageRequest) -> Result<Vec<ApiKey>> {
        self.store.list_keys(account_id, filter, page).await
    }

    async fn revoke_key(&self, account_id: &str, key_id: &str, now: Timestamp) -> Result<bool> {
        self.store.revoke_key(account_id, key_id, now).await
    }

    async fn note_key_uses(&self, uses: &[(String, Timestamp)]) -> Result<()> {
        self.store.note_key_uses(uses).await
    }
}

#[async_trait]
impl Articles for Wrapped {
    async fn find_article(&self, article_id: &str) -> Result<Option<StoredArticle>> {
        self.store.find_article(article_id).await
    }

    async fn find_published(&self, website_id: &str, slug: &str) -> Result<Option<Article>> {
        self.store.find_published(website_id, slug).await
    }

    async fn list_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        page: &PageRequest,
    ) -> Result<Vec<ArticleSummary>> {
        self.store.list_articles(scope, filter, page).await
    }

    async fn search_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        search: &Search,
        page: &PageRequest,
    ) -> Result<SearchPage<ArticleSummary>> {
        self.store.search_articles(scope, filter, search, page).await
    }

    async fn archive_article(&self, article_id: &str, now: Timestamp) -> Result<bool> {
        self.store.archive_article(article_id, now).await
    }

    async fn restore_article(&self, article_id: &str, now: Timestamp) -> Result<bool> {
        self.store.restore_article(article_id, now).await
    }
}

#[async_trait]
impl Leads for Wrapped {
    async fn capture_lead(
        &self,
        lead: &Lead,
        event: &Event,
        same_since: Timestamp,
        due_at: Timestamp,
    ) -> Result<Captured> {
        self.store.capture_lead(lead, event, same_since, due_at).await
    }

    async fn find_lead(&self, lead_id: &str) -> Result<Option<Lead>> {
        self.store.find_lead(lead_id).await
    }

    async fn list_leads(&self, scope: &Scope, filter: &LeadFilter, page: &PageRequest) -> Result<Vec<Lead>> {
        self.store.list_leads(scope, filter, page).await
    }

    async fn search_leads(
        &self,
        scope: &Scope,
        filter: &LeadFilter,
        search: &Search,
        page: &PageRequest,
    ) -> Result<SearchPage<Lead>> {
        self.store.search_leads(scope, filter, search, page).await
    }

    async fn count_leads(&self, scope: &Scope, filter: &LeadFilter, search: Option<&Search>) -> Result<u64> {
        self.store.count_leads(scope, filter, search).await
    }

    async fn confirm_lead(&self, confirmed: &Lead, event: &Event, due_at: Timestamp) -> Result<bool> {
        self.store.confirm_lead(confirmed, event, due_at).await
    }

    async fn find_lead_events(&self, lead_id: &str) -> Result<Vec<LeadEvent>> {
        self.store.find_lead_events(lead_id).await
    }

    async fn erase_lead(&self, lead_id: &str) -> Result<bool> {
        self.store.erase_lead(lead_id).await
    }
}

#[async_trait]
impl HookEndpoints for Wrapped {
    async fn create_hook_endpoint(&self, endpoint: &HookEndpoint) -> Result<()> {
        self.store.create_hook_endpoint(endpoint).await
    }

    async fn list_hook_endpoints(&self, account_id: &str) -> Result<Vec<EndpointState>> {
        self.store.list_hook_endpoints(account_id).await
    }

    async fn update_hook_endpoint(&self, endpoint: &HookEndpoint<()>) -> Result<bool> {
        self.store.update_hook_endpoint(endpoint).await
    }

    async fn note_secret_revealed(&self, endpoint_id: &str) -> Result<bool> {
        self.store.note_secret_revealed(endpoint_id).await
    }

    async fn rotate_hook_secret(
        &self,
        endpoint_id: &str,
        secret: &HookSecret,
        overlap_until: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        self.store.rotate_hook_secret(endpoint_id, secret, overlap_until, now).await
    }

    async fn set_hook_status(&self, endpoint_id: &str, status: EndpointStatus) -> Result<bool> {
        self.store.set_hook_status(endpoint_id, status).await
    }

    async fn remove_hook_endpoint(&self, endpoint_id: &str) -> Result<bool> {
        self.store.remove_hook_endpoint(endpoint_id).await
    }

    async fn send_test(&self, endpoint_id: &str, event: &Event, due_at: Timestamp) -> Result<Option<String>> {
        self.store.send_test(endpoint_id, event, due_at).await
    }
}

#[async_trait]
impl DeliveryQueue for Wrapped {
    async fn claim_deliveries(
        &self,
        limit: u32,
        capacity: &EndpointCapacity,
        now: Moment,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedDelivery>> {
        self.store.claim_deliveries(limit, capacity, now, lease_until).await
    }

    async fn release_deliveries(&self, unsent: Arc<[ClaimedDelivery]>, now: Timestamp) -> Result<()> {
        self.store.release_deliveries(unsent, now).await
    }

    async fn record_attempts(&self, records: Arc<[AttemptRecord]>) -> Result<Vec<LeaseOutcome>> {
        let outcomes = self.store.record_attempts(Arc::clone(&records)).await?;
        let is_success = |(record, outcome): &(&AttemptRecord, &LeaseOutcome)| {
            record.decision == AttemptDecision::Succeeded && **outcome == LeaseOutcome::Recorded
        };
        let succeeded = records.iter().zip(&outcomes).filter(is_success).count();
        self.counts.attempts_succeeded.send_modify(|sum| *sum += succeeded);
        Ok(outcomes)
    }
}

#[async_trait]
impl DeliveryLog for Wrapped {
    async fn find_delivery(&self, delivery_id: &str) -> Result<Option<LoggedDelivery>> {
        self.store.find_delivery(delivery_id).await
    }

    async fn find_delivery_of(&self, endpoint_id: &str, event_id: &str) -> Result<Option<LoggedDelivery>> {
        self.store.find_delivery_of(endpoint_id, event_id).await
    }

    async fn list_deliveries(&self, endpoint_id: &str, page: &PageRequest) -> Result<Vec<LoggedDelivery>> {
        self.store.list_deliveries(endpoint_id, page).await
    }

    async fn list_attempts(&self, delivery_id: &str) -> Result<Vec<LoggedAttempt>> {
        self.store.list_attempts(delivery_id).await
    }

    async fn find_deliveries(
        &self,
        account_id: &str,
        filter: &DeliveryFilter,
        page: &PageRequest,
    ) -> Result<SearchPage<DeliverySummary>> {
        self.store.find_deliveries(account_id, filter, page).await
    }

    async fn find_sent(&self, delivery_id: &str) -> Result<Option<SentDelivery>> {
        self.store.find_sent(delivery_id).await
    }

    async fn count_due(&self, account_id: &str, endpoint_id: Option<&str>, now: Timestamp) -> Result<u64> {
        self.store.count_due(account_id, endpoint_id, now).await
    }

    async fn redeliver_matching(
        &self,
        account_id: &str,
        filter: &DeliveryFilter,
        page: &PageRequest,
        due_at: Timestamp,
    ) -> Result<RedeliveredBatch> {
        self.store.redeliver_matching(account_id, filter, page, due_at).await
    }

    async fn redeliver(&self, delivery_id: &str, now: Timestamp) -> Result<Redelivery> {
        self.store.redeliver(delivery_id, now).await
    }

    async fn recover_deliveries(&self, endpoint_id: &str, since: Timestamp, now: Moment) -> Result<u64> {
        self.store.recover_deliveries(endpoint_id, since, now).await
    }
}

#[async_trait]
impl Maintenance for Wrapped {
    async fn check(&self) -> Result<()> {
        self.store.check().await
    }

    async fn token_secret(&self) -> Result<[u8; 32]> {
        self.store.token_secret().await
    }

    async fn queue_statistics(&self, now: Moment) -> Result<QueueStatistics> {
        self.store.queue_statistics(now).await
    }

    async fn purge(&self, kind: RecordKind, cutoff: Timestamp, after: &str) -> Result<PurgedBatch> {
        self.store.purge(kind, cutoff, after).await
    }
}

impl QuotaWindows for Wrapped {
    fn shared_windows(&self) -> Option<&dyn SharedWindows> {
        self.store.shared_windows()
    }
}
