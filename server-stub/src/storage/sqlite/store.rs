//! The [`Store`] trait on SQLite: which statements go to the writer and which to a reader. The statements are in the files
//! beside this one.

use std::path::Path;

use async_trait::async_trait;

use crate::domain::account::{Account, Scope, Website};
use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::hook::{Attempt, AttemptDecision, HookEndpoint};
use crate::domain::job::Job;
use crate::domain::key::{ApiKey, SecretHash};
use crate::domain::lead::Lead;
use crate::domain::post::ScheduledPost;
use crate::domain::publication::{Article, ArticleSummary};
use crate::domain::store::{
    ArticleFilter, Cancelled, Captured, ClaimedDelivery, ClaimedJobs, ClaimedPost, Fenced, IdempotencyRecord,
    JobCompletion, JobFailure, JobStatusChange, LeadFilter, PageRequest, Places, PostFilter, PublishOutcome,
    QueueStatistics, Result, Store, StoredArticle, Submission, Submitted,
};
use crate::domain::voice::BrandVoice;
use crate::storage::OpenError;

use super::readers::Readers;
use super::recent::{Changes, Recent};
use super::writer::Writer;
use super::{
    accounts, articles, claims, deliveries, idempotency, jobs, leads, lists, migration, pipeline, statistics,
    submission,
};

/// Keys that are kept while nothing changes: more than call at a time.
const RECENT_KEYS: usize = 1024;
/// Articles that are kept while nothing changes; some MiB.
const RECENT_ARTICLES: usize = 128;

/// One database file.
#[derive(Debug)]
pub(in crate::storage) struct SqliteStore {
    readers: Readers,
    writer: Writer,
    changes: Changes,
    keys: Recent<SecretHash, ApiKey>,
    articles: Recent<String, StoredArticle>,
}

impl SqliteStore {
    /// Opens the file at `path`, creating it or bringing its schema up to date.
    pub(in crate::storage) fn open(path: &Path) -> Result<Self, OpenError> {
        let connection = migration::open_migrated(path)?;
        let writer = Writer::start(connection)
            .map_err(|error| OpenError::Unreachable { path: path.to_owned(), source: error.into() })?;
        Ok(Self {
            readers: Readers::new(path.to_owned()),
            writer,
            changes: Changes::watch(path),
            keys: Recent::new(RECENT_KEYS),
            articles: Recent::new(RECENT_ARTICLES),
        })
    }

    /// Brings the schema of the file at `path` up to date and says which version it has.
    pub(in crate::storage) fn migrate(path: &Path) -> Result<u32, OpenError> {
        migration::open_migrated(path)?;
        Ok(migration::newest())
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn check(&self) -> Result<()> {
        // An empty transaction goes all the way: the thread lives, and the lock can be had.
        self.writer.write(|_| Ok(())).await
    }

    async fn token_secret(&self) -> Result<[u8; 32]> {
        self.readers.point(accounts::token_secret)
    }

    async fn create_account(&self, account: &Account) -> Result<()> {
        let account = account.clone();
        self.writer.write(move |connection| accounts::insert_account(connection, &account)).await
    }

    async fn find_account(&self, name_or_id: &str) -> Result<Option<Account>> {
        self.readers.point(|connection| accounts::find_account(connection, name_or_id))
    }

    async fn create_website(&self, website: &Website) -> Result<()> {
        let website = website.clone();
        self.writer.write(move |connection| accounts::insert_website(connection, &website)).await
    }

    async fn put_voice(&self, account_id: &str, voice: &BrandVoice) -> Result<()> {
        let (account_id, voice) = (account_id.to_owned(), voice.clone());
        self.writer.write(move |connection| accounts::put_voice(connection, &account_id, &voice)).await
    }

    async fn create_key(&self, key: &ApiKey) -> Result<()> {
        let key = key.clone();
        self.writer.write(move |connection| accounts::insert_key(connection, &key)).await
    }

    async fn create_hook_endpoint(&self, endpoint: &HookEndpoint) -> Result<()> {
        let endpoint = endpoint.clone();
        self.writer.write(move |connection| deliveries::insert_endpoint(connection, &endpoint)).await
    }

    async fn remove_hook_endpoint(&self, endpoint_id: &str) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        self.writer.write(move |connection| deliveries::remove_endpoint(connection, &endpoint_id)).await
    }

    async fn find_key(&self, hash: SecretHash) -> Result<Option<ApiKey>> {
        let load = || self.readers.point(|connection| accounts::find_key(connection, hash));
        self.keys.read(&self.changes, &hash, load)
    }

    async fn find_website(&self, website_id: &str) -> Result<Option<Website>> {
        self.readers.point(|connection| accounts::find_website(connection, website_id))
    }

    async fn find_job(&self, job_id: &str) -> Result<Option<Job>> {
        self.readers.point(|connection| jobs::find(connection, job_id))
    }

    async fn find_article(&self, article_id: &str) -> Result<Option<StoredArticle>> {
        let load = || self.readers.point(|connection| articles::find(connection, article_id));
        self.articles.read(&self.changes, article_id, load)
    }

    async fn find_published(&self, website_id: &str, slug: &str) -> Result<Option<Article>> {
        self.readers.point(|connection| articles::find_published(connection, website_id, slug))
    }

    async fn find_lead(&self, lead_id: &str) -> Result<Option<Lead>> {
        self.readers.point(|connection| leads::find(connection, lead_id))
    }

    async fn find_idempotency(
        &self,
        account_id: &str,
        operation: &str,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<IdempotencyRecord>> {
        self.readers.point(|connection| idempotency::find(connection, account_id, operation, key, since))
    }

    async fn list_websites(&self, scope: &Scope, page: &PageRequest) -> Result<Vec<Website>> {
        let (scope, page) = (scope.clone(), page.clone());
        self.readers.scan(move |connection| lists::websites(connection, &scope, &page)).await
    }

    async fn list_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        page: &PageRequest,
    ) -> Result<Vec<ArticleSummary>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        self.readers.scan(move |connection| lists::articles(connection, &scope, &filter, &page)).await
    }

    async fn list_leads(&self, scope: &Scope, filter: &LeadFilter, page: &PageRequest) -> Result<Vec<Lead>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        self.readers.scan(move |connection| lists::leads(connection, &scope, &filter, &page)).await
    }

    async fn list_posts(&self, scope: &Scope, filter: &PostFilter, page: &PageRequest) -> Result<Vec<ScheduledPost>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        self.readers.scan(move |connection| lists::posts(connection, &scope, &filter, &page)).await
    }

    async fn submit(&self, submission: Submission) -> Result<Submitted> {
        self.writer.write(move |connection| submission::submit(connection, &submission)).await
    }

    async fn cancel_job(&self, job_id: &str, now: Timestamp) -> Result<Cancelled> {
        let job_id = job_id.to_owned();
        self.writer.write(move |connection| jobs::cancel(connection, &job_id, now)).await
    }

    async fn claim_jobs(&self, limit: u32, now: Timestamp, lease_until: Timestamp) -> Result<ClaimedJobs> {
        self.writer.write(move |connection| claims::claim(connection, limit, now, lease_until)).await
    }

    async fn release_job(&self, job_id: &str, lease_token: &str, now: Timestamp) -> Result<Fenced> {
        let (job_id, lease_token) = (job_id.to_owned(), lease_token.to_owned());
        self.writer.write(move |connection| jobs::release(connection, &job_id, &lease_token, now)).await
    }

    async fn renew_job(&self, job_id: &str, lease_token: &str, lease_until: Timestamp) -> Result<Fenced> {
        let (job_id, lease_token) = (job_id.to_owned(), lease_token.to_owned());
        self.writer.write(move |connection| jobs::renew(connection, &job_id, &lease_token, lease_until)).await
    }

    async fn complete_job(&self, completion: JobCompletion) -> Result<Fenced> {
        self.writer.write(move |connection| jobs::complete(connection, completion.clone())).await
    }

    async fn fail_job(&self, failure: JobFailure) -> Result<Fenced> {
        self.writer.write(move |connection| jobs::record_failure(connection, failure.clone())).await
    }

    async fn fail_overdue_jobs(&self, now: Timestamp) -> Result<Vec<JobStatusChange>> {
        self.writer.write(move |connection| jobs::fail_overdue(connection, now)).await
    }

    async fn claim_posts(&self, limit: u32, now: Timestamp, lease_until: Timestamp) -> Result<Vec<ClaimedPost>> {
        self.writer.write(move |connection| pipeline::claim(connection, limit, now, lease_until)).await
    }

    async fn record_publish(
        &self,
        post_id: &str,
        lease_token: &str,
        outcome: PublishOutcome,
        now: Timestamp,
    ) -> Result<Fenced> {
        let (post_id, lease_token) = (post_id.to_owned(), lease_token.to_owned());
        self.writer.write(move |connection| pipeline::record(connection, &post_id, &lease_token, &outcome, now)).await
    }

    async fn capture_lead(&self, lead: &Lead, event: &Event, same_since: Timestamp) -> Result<Captured> {
        let (lead, event) = (lead.clone(), event.clone());
        self.writer.write(move |connection| leads::capture(connection, &lead, &event, same_since)).await
    }

    async fn claim_deliveries(
        &self,
        limit: u32,
        places: &Places,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedDelivery>> {
        let places = places.clone();
        self.writer.write(move |connection| deliveries::claim(connection, limit, &places, now, lease_until)).await
    }

    async fn record_attempt(
        &self,
        delivery: &ClaimedDelivery,
        attempt: &Attempt,
        decision: AttemptDecision,
        now: Timestamp,
    ) -> Result<Fenced> {
        let (delivery, attempt) = (delivery.clone(), attempt.clone());
        self.writer.write(move |connection| deliveries::record(connection, &delivery, &attempt, decision, now)).await
    }

    async fn queue_statistics(&self) -> Result<QueueStatistics> {
        self.readers.scan(statistics::queues).await
    }

    fn operations_waiting(&self) -> u64 {
        self.writer.waiting()
    }

    async fn purge(&self, now: Timestamp) -> Result<u64> {
        let mut purged = 0;
        loop {
            let deleted = self.writer.write(move |connection| idempotency::purge(connection, now)).await?;
            purged += deleted;
            if deleted < u64::from(idempotency::PURGED_AT_ONCE) {
                return Ok(purged);
            }
        }
    }
}
