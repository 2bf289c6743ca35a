//! The [`Store`] trait on any [`Backend`]: which statements run where, what is sealed, and what others are told. The statements
//! are in `statements`.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::account::{Account, Scope, Website};
use crate::domain::clock::Timestamp;
use crate::domain::delivery::{LoggedAttempt, LoggedDelivery};
use crate::domain::event::Event;
use crate::domain::hook::{EndpointStatus, HookEndpoint, HookSecret};
use crate::domain::job::Job;
use crate::domain::key::{ApiKey, SecretHash};
use crate::domain::lead::Lead;
use crate::domain::post::ScheduledPost;
use crate::domain::publication::{Article, ArticleSummary};
use crate::domain::store::{
    ArticleFilter, AttemptRecord, Cancelled, Captured, ClaimedDelivery, ClaimedJobs, ClaimedPost, EndpointCapacity,
    EndpointState, IdempotencyRecord, JobCompletion, JobFailure, JobStatusChange, LeadFilter, LeaseOutcome,
    PageRequest, PostFilter, PublishOutcome, QueueStatistics, Redelivery, Result, Store, StoredArticle, Submission,
    Submitted,
};
use crate::domain::voice::BrandVoice;

use super::backend::{Backend, Hint};
use super::secret_cipher::SecretCipher;
use super::statements::{
    accounts, articles, attempts, claims, deliveries, endpoints, erasure, events, idempotency, jobs, keys, leads,
    lists, log, pipeline, redelivery, retention, settings, statistics,
};

/// A store on one database.
#[derive(Debug)]
pub(super) struct SqlStore<B> {
    backend: B,
    cipher: SecretCipher,
}

impl<B: Backend> SqlStore<B> {
    /// The store on `backend`, whose secrets are sealed with `cipher`.
    pub(super) const fn new(backend: B, cipher: SecretCipher) -> Self {
        Self { backend, cipher }
    }
}

#[async_trait]
impl<B: Backend> Store for SqlStore<B> {
    async fn check(&self) -> Result<()> {
        // An empty transaction goes all the way: the writer lives, and the database can be written to.
        self.backend.write(|_| Ok(())).await
    }

    async fn token_secret(&self) -> Result<[u8; 32]> {
        self.backend.point(settings::token_secret).await
    }

    async fn create_account(&self, account: &Account) -> Result<()> {
        let account = account.clone();
        self.backend.write(move |session| accounts::insert_account(session, &account)).await
    }

    async fn find_account(&self, name_or_id: &str) -> Result<Option<Account>> {
        let name_or_id = name_or_id.to_owned();
        self.backend.point(move |session| accounts::find_account(session, &name_or_id)).await
    }

    async fn create_website(&self, website: &Website) -> Result<()> {
        let website = website.clone();
        self.backend.write(move |session| accounts::insert_website(session, &website)).await
    }

    async fn put_voice(&self, account_id: &str, voice: &BrandVoice) -> Result<()> {
        let (account_id, voice) = (account_id.to_owned(), voice.clone());
        self.backend.write(move |session| accounts::put_voice(session, &account_id, &voice)).await
    }

    async fn create_key(&self, key: &ApiKey) -> Result<()> {
        let key = key.clone();
        self.backend.write(move |session| keys::insert(session, &key)).await
    }

    async fn create_hook_endpoint(&self, endpoint: &HookEndpoint) -> Result<()> {
        let endpoint = endpoint.clone();
        let sealed = self.cipher.seal(&endpoint.id, &endpoint.secret);
        self.backend.write(move |session| endpoints::insert(session, &endpoint, &sealed)).await
    }

    async fn remove_hook_endpoint(&self, endpoint_id: &str) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        self.backend.write_alone(move |session| endpoints::remove(session, &endpoint_id)).await
    }

    async fn list_hook_endpoints(&self, account_id: &str) -> Result<Vec<EndpointState>> {
        let account_id = account_id.to_owned();
        let sealed = self.backend.scan(move |session| endpoints::list(session, &account_id)).await?;
        let open = |endpoint: EndpointState<String>| {
            let secret = self.cipher.open(&endpoint.id, &endpoint.secret)?;
            Ok(endpoint.with_secret(secret))
        };
        sealed.into_iter().map(open).collect()
    }

    async fn rotate_hook_secret(
        &self,
        endpoint_id: &str,
        secret: &HookSecret,
        overlap_until: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        let sealed = self.cipher.seal(endpoint_id, secret);
        let endpoint_id = endpoint_id.to_owned();
        self.backend.write(move |session| endpoints::rotate(session, &endpoint_id, &sealed, overlap_until, now)).await
    }

    async fn set_hook_status(&self, endpoint_id: &str, status: EndpointStatus) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        let changed =
            self.backend.write_alone(move |session| endpoints::set_status(session, &endpoint_id, status)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(changed)
    }

    async fn find_key(&self, hash: SecretHash) -> Result<Option<ApiKey>> {
        self.backend.find_key(hash).await
    }

    async fn find_website(&self, website_id: &str) -> Result<Option<Website>> {
        let website_id = website_id.to_owned();
        self.backend.point(move |session| accounts::find_website(session, &website_id)).await
    }

    async fn find_job(&self, job_id: &str) -> Result<Option<Job>> {
        let job_id = job_id.to_owned();
        self.backend.point(move |session| jobs::find(session, &job_id)).await
    }

    async fn find_article(&self, article_id: &str) -> Result<Option<StoredArticle>> {
        self.backend.find_article(article_id).await
    }

    async fn find_published(&self, website_id: &str, slug: &str) -> Result<Option<Article>> {
        let (website_id, slug) = (website_id.to_owned(), slug.to_owned());
        self.backend.point(move |session| articles::find_published(session, &website_id, &slug)).await
    }

    async fn find_lead(&self, lead_id: &str) -> Result<Option<Lead>> {
        let lead_id = lead_id.to_owned();
        self.backend.point(move |session| leads::find(session, &lead_id)).await
    }

    async fn find_idempotency(
        &self,
        account_id: &str,
        operation: &str,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<IdempotencyRecord>> {
        let (account_id, operation, key) = (account_id.to_owned(), operation.to_owned(), key.to_owned());
        self.backend.point(move |session| idempotency::find(session, &account_id, &operation, &key, since)).await
    }

    async fn list_websites(&self, scope: &Scope, page: &PageRequest) -> Result<Vec<Website>> {
        let (scope, page) = (scope.clone(), page.clone());
        self.backend.scan(move |session| lists::websites(session, &scope, &page)).await
    }

    async fn list_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        page: &PageRequest,
    ) -> Result<Vec<ArticleSummary>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        self.backend.scan(move |session| lists::articles(session, &scope, &filter, &page)).await
    }

    async fn list_leads(&self, scope: &Scope, filter: &LeadFilter, page: &PageRequest) -> Result<Vec<Lead>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        self.backend.scan(move |session| lists::leads(session, &scope, &filter, &page)).await
    }

    async fn list_posts(&self, scope: &Scope, filter: &PostFilter, page: &PageRequest) -> Result<Vec<ScheduledPost>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        self.backend.scan(move |session| lists::posts(session, &scope, &filter, &page)).await
    }

    async fn submit(&self, submission: Submission) -> Result<Submitted> {
        let submitted = self.backend.submit(submission).await?;
        if submitted == Submitted::Queued {
            self.backend.hint(Hint::Jobs);
        }
        Ok(submitted)
    }

    async fn cancel_job(&self, job_id: &str, now: Timestamp) -> Result<Cancelled> {
        let id = job_id.to_owned();
        let cancelled = self.backend.write_alone(move |session| jobs::cancel(session, &id, now)).await?;
        self.backend.hint(Hint::JobEnded(job_id.to_owned()));
        Ok(cancelled)
    }

    async fn claim_jobs(&self, limit: u32, now: Timestamp, lease_until: Timestamp) -> Result<ClaimedJobs> {
        let jobs = self.backend.write_alone(move |session| claims::claim(session, limit, now, lease_until)).await?;
        self.tell_ended(&jobs.ended);
        Ok(jobs)
    }

    async fn release_job(&self, job_id: &str, lease_token: &str, now: Timestamp) -> Result<LeaseOutcome> {
        let (job_id, lease_token) = (job_id.to_owned(), lease_token.to_owned());
        let outcome = self.backend.write(move |session| jobs::release(session, &job_id, &lease_token, now)).await?;
        self.backend.hint(Hint::Jobs);
        Ok(outcome)
    }

    async fn renew_job(&self, job_id: &str, lease_token: &str, lease_until: Timestamp) -> Result<LeaseOutcome> {
        let (job_id, lease_token) = (job_id.to_owned(), lease_token.to_owned());
        self.backend.write(move |session| jobs::renew(session, &job_id, &lease_token, lease_until)).await
    }

    async fn complete_job(&self, completion: JobCompletion) -> Result<LeaseOutcome> {
        let job_id = completion.job_id.clone();
        let outcome = self.backend.complete(completion).await?;
        self.backend.hint(Hint::Posts);
        self.backend.hint(Hint::JobEnded(job_id));
        Ok(outcome)
    }

    async fn fail_job(&self, failure: JobFailure) -> Result<LeaseOutcome> {
        let ended = failure.retry_at.is_none().then(|| failure.job_id.clone());
        let outcome = self.backend.write_alone(move |session| jobs::record_failure(session, failure.clone())).await?;
        if let Some(job_id) = ended {
            self.backend.hint(Hint::Deliveries);
            self.backend.hint(Hint::JobEnded(job_id));
        }
        Ok(outcome)
    }

    async fn fail_overdue_jobs(&self, now: Timestamp) -> Result<Vec<JobStatusChange>> {
        let ended = self.backend.write_alone(move |session| jobs::fail_overdue(session, now)).await?;
        self.tell_ended(&ended);
        Ok(ended)
    }

    async fn claim_posts(&self, limit: u32, now: Timestamp, lease_until: Timestamp) -> Result<Vec<ClaimedPost>> {
        self.backend.write(move |session| pipeline::claim(session, limit, now, lease_until)).await
    }

    async fn record_publish(
        &self,
        post_id: &str,
        lease_token: &str,
        outcome: PublishOutcome,
        now: Timestamp,
    ) -> Result<LeaseOutcome> {
        let (post_id, lease_token) = (post_id.to_owned(), lease_token.to_owned());
        let outcome =
            self.backend.write(move |session| pipeline::record(session, &post_id, &lease_token, &outcome, now)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(outcome)
    }

    async fn capture_lead(&self, lead: &Lead, event: &Event, same_since: Timestamp) -> Result<Captured> {
        let (lead, event) = (lead.clone(), event.clone());
        let captured = self.backend.write(move |session| leads::capture(session, &lead, &event, same_since)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(captured)
    }

    async fn claim_deliveries(
        &self,
        limit: u32,
        capacity: &EndpointCapacity,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedDelivery>> {
        let capacity = capacity.clone();
        let claimed = self
            .backend
            .write_alone(move |session| deliveries::claim(session, limit, &capacity, now, lease_until))
            .await?;
        Ok(self.opened(claimed))
    }

    async fn record_attempts(&self, records: Arc<[AttemptRecord]>) -> Result<Vec<LeaseOutcome>> {
        self.backend.write_alone(move |session| attempts::record(session, &records)).await
    }

    async fn send_test(&self, endpoint_id: &str, event: &Event) -> Result<Option<String>> {
        let (endpoint_id, event) = (endpoint_id.to_owned(), event.clone());
        let sent = self.backend.write(move |session| events::insert_test(session, &event, &endpoint_id)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(sent)
    }

    async fn redeliver(&self, delivery_id: &str, now: Timestamp) -> Result<Redelivery> {
        let delivery_id = delivery_id.to_owned();
        let outcome =
            self.backend.write_alone(move |session| redelivery::redeliver(session, &delivery_id, now)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(outcome)
    }

    async fn recover_deliveries(&self, endpoint_id: &str, since: Timestamp, now: Timestamp) -> Result<u64> {
        let endpoint_id = endpoint_id.to_owned();
        let recovered =
            self.backend.write_alone(move |session| redelivery::recover(session, &endpoint_id, since, now)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(recovered)
    }

    async fn find_delivery(&self, delivery_id: &str) -> Result<Option<LoggedDelivery>> {
        let delivery_id = delivery_id.to_owned();
        self.backend.point(move |session| log::delivery(session, &delivery_id)).await
    }

    async fn find_delivery_of(&self, endpoint_id: &str, event_id: &str) -> Result<Option<LoggedDelivery>> {
        let (endpoint_id, event_id) = (endpoint_id.to_owned(), event_id.to_owned());
        self.backend.point(move |session| log::delivery_of(session, &endpoint_id, &event_id)).await
    }

    async fn list_deliveries(&self, endpoint_id: &str, page: &PageRequest) -> Result<Vec<LoggedDelivery>> {
        let (endpoint_id, page) = (endpoint_id.to_owned(), page.clone());
        self.backend.scan(move |session| log::deliveries(session, &endpoint_id, &page)).await
    }

    async fn list_attempts(&self, delivery_id: &str) -> Result<Vec<LoggedAttempt>> {
        let delivery_id = delivery_id.to_owned();
        self.backend.scan(move |session| log::attempts(session, &delivery_id)).await
    }

    async fn erase_lead(&self, lead_id: &str) -> Result<bool> {
        let lead_id = lead_id.to_owned();
        self.backend.write_alone(move |session| erasure::erase_lead(session, &lead_id)).await
    }

    async fn queue_statistics(&self, now: Timestamp) -> Result<QueueStatistics> {
        self.backend.scan(move |session| statistics::queues(session, now)).await
    }

    fn operations_waiting(&self) -> u64 {
        self.backend.waiting()
    }

    async fn purge(&self, now: Timestamp) -> Result<u64> {
        let mut purged = 0;
        for purge in [retention::purge_answers, retention::purge_events] {
            loop {
                let deleted = self.backend.write_alone(move |session| purge(session, now)).await?;
                purged += deleted;
                if deleted < u64::from(retention::PURGED_AT_ONCE) {
                    break;
                }
            }
        }
        Ok(purged)
    }
}

impl<B: Backend> SqlStore<B> {
    /// Deliveries with their secrets, each endpoint's opened once.
    fn opened(&self, claimed: Vec<deliveries::SealedDelivery>) -> Vec<ClaimedDelivery> {
        let mut known: HashMap<String, Option<Vec<HookSecret>>> = HashMap::new();
        let open = |deliveries::SealedDelivery { mut delivery, secrets }| {
            let endpoint_id = &delivery.endpoint_id;
            if !known.contains_key(endpoint_id) {
                let opened = secrets.iter().map(|secret| self.cipher.open(endpoint_id, secret)).collect::<Result<_>>();
                // It cannot be signed, so it cannot be sent; the others can.
                let opened = opened.inspect_err(|error| {
                    tracing::error!(%endpoint_id, %error, "hooks cannot be signed; rotate the secret of their endpoint");
                });
                known.insert(endpoint_id.clone(), opened.ok());
            }
            delivery.secrets = known.get(endpoint_id).cloned()??;
            Some(delivery)
        };
        claimed.into_iter().filter_map(open).collect()
    }

    fn tell_ended(&self, ended: &[JobStatusChange]) {
        for change in ended {
            self.backend.hint(Hint::JobEnded(change.job_id.clone()));
        }
        if !ended.is_empty() {
            self.backend.hint(Hint::Deliveries);
        }
    }
}
