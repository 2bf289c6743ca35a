//! The [`Store`] trait. What its methods take and give is in the files beside this one.

use std::fmt;
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
use crate::domain::voice::BrandVoice;

use super::{
    ArticleFilter, AttemptRecord, Cancelled, Captured, ClaimedDelivery, ClaimedJobs, ClaimedPost, EndpointCapacity,
    EndpointState, IdempotencyRecord, JobCompletion, JobFailure, JobStatusChange, LeadFilter, LeaseOutcome,
    PageRequest, PostFilter, PublishOutcome, QueueStatistics, Redelivery, Result, StoredArticle, Submission, Submitted,
};

/// One database with all of the service's state. All reads see what was written before by any process.
#[async_trait]
pub trait Store: Send + Sync + fmt::Debug {
    /// Answers when the database can be written to.
    async fn check(&self) -> Result<()>;
    /// 32 random bytes made with the database: they sign page tokens.
    async fn token_secret(&self) -> Result<[u8; 32]>;

    /// Stores an account. [`AlreadyExists`](super::Error::AlreadyExists) when the name is taken.
    async fn create_account(&self, account: &Account) -> Result<()>;
    /// The account with that name or id.
    async fn find_account(&self, name_or_id: &str) -> Result<Option<Account>>;
    /// Stores a website.
    async fn create_website(&self, website: &Website) -> Result<()>;
    /// Stores or replaces a Brand DNA profile; a default one takes over from the account's former default.
    async fn put_voice(&self, account_id: &str, voice: &BrandVoice) -> Result<()>;
    /// Stores a key. Needs an active website; at most 20 live keys per account.
    async fn create_key(&self, key: &ApiKey) -> Result<()>;
    /// Stores an endpoint; at most 10 per account.
    async fn create_hook_endpoint(&self, endpoint: &HookEndpoint) -> Result<()>;
    /// Removes an endpoint with its deliveries. Says whether there was one.
    async fn remove_hook_endpoint(&self, endpoint_id: &str) -> Result<bool>;
    /// The endpoints of an account, oldest first.
    async fn list_hook_endpoints(&self, account_id: &str) -> Result<Vec<EndpointState>>;
    /// Signs with `secret` from now on, until `overlap_until` with the former ones (at most two) too. Says whether there is
    /// such an endpoint.
    async fn rotate_hook_secret(
        &self,
        endpoint_id: &str,
        secret: &HookSecret,
        overlap_until: Timestamp,
        now: Timestamp,
    ) -> Result<bool>;
    /// Pauses, resumes or disables an endpoint; what was known of its failures is forgotten. Says whether there is one.
    async fn set_hook_status(&self, endpoint_id: &str, status: EndpointStatus) -> Result<bool>;

    /// The key with that hash, live or not.
    async fn find_key(&self, hash: SecretHash) -> Result<Option<ApiKey>>;
    /// The website, whoever owns it.
    async fn find_website(&self, website_id: &str) -> Result<Option<Website>>;
    /// The job, whoever owns it.
    async fn find_job(&self, job_id: &str) -> Result<Option<Job>>;
    /// The article, whoever owns it.
    async fn find_article(&self, article_id: &str) -> Result<Option<StoredArticle>>;
    /// The published article at that address of the hosted site.
    async fn find_published(&self, website_id: &str, slug: &str) -> Result<Option<Article>>;
    /// The lead, whoever owns it.
    async fn find_lead(&self, lead_id: &str) -> Result<Option<Lead>>;
    /// The kept answer, if it was made after `since`.
    async fn find_idempotency(
        &self,
        account_id: &str,
        operation: &str,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<IdempotencyRecord>>;

    /// A page of websites.
    async fn list_websites(&self, scope: &Scope, page: &PageRequest) -> Result<Vec<Website>>;
    /// A page of articles.
    async fn list_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        page: &PageRequest,
    ) -> Result<Vec<ArticleSummary>>;
    /// A page of leads.
    async fn list_leads(&self, scope: &Scope, filter: &LeadFilter, page: &PageRequest) -> Result<Vec<Lead>>;
    /// A page of the pipeline.
    async fn list_posts(&self, scope: &Scope, filter: &PostFilter, page: &PageRequest) -> Result<Vec<ScheduledPost>>;

    /// Queues a job with its pipeline entry, durably.
    async fn submit(&self, submission: Submission) -> Result<Submitted>;
    /// Cancels a job with its pipeline entry, if it has not ended.
    async fn cancel_job(&self, job_id: &str, now: Timestamp) -> Result<Cancelled>;
    /// Takes up to `limit` jobs that are queued, due for another attempt, or whose lease ran out. What no attempt can
    /// help (a website that is not active, attempts used up by crashes) fails instead.
    async fn claim_jobs(&self, limit: u32, now: Timestamp, lease_until: Timestamp) -> Result<ClaimedJobs>;
    /// Gives a job back that was claimed and not begun: it is due at once, and the attempt does not count.
    async fn release_job(&self, job_id: &str, lease_token: &str, now: Timestamp) -> Result<LeaseOutcome>;
    /// Prolongs a lease.
    async fn renew_job(&self, job_id: &str, lease_token: &str, lease_until: Timestamp) -> Result<LeaseOutcome>;
    /// Stores the article and completes job and post. The post becomes `ready` or, when it goes out by itself, `scheduled`.
    async fn complete_job(&self, completion: JobCompletion) -> Result<LeaseOutcome>;
    /// Records a failed attempt.
    async fn fail_job(&self, failure: JobFailure) -> Result<LeaseOutcome>;
    /// Fails every job whose deadline passed (`generation_timeout`) with its post, and says which.
    async fn fail_overdue_jobs(&self, now: Timestamp) -> Result<Vec<JobStatusChange>>;

    /// Takes up to `limit` posts that are due for publishing or whose lease ran out.
    async fn claim_posts(&self, limit: u32, now: Timestamp, lease_until: Timestamp) -> Result<Vec<ClaimedPost>>;
    /// Records how publishing went.
    async fn record_publish(
        &self,
        post_id: &str,
        lease_token: &str,
        outcome: PublishOutcome,
        now: Timestamp,
    ) -> Result<LeaseOutcome>;

    /// Stores a lead with its event, unless it is the same as one captured since `same_since`.
    async fn capture_lead(&self, lead: &Lead, event: &Event, same_since: Timestamp) -> Result<Captured>;

    /// Takes up to `limit` deliveries that are due, of each endpoint as many as its capacity allows.
    async fn claim_deliveries(
        &self,
        limit: u32,
        capacity: &EndpointCapacity,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedDelivery>>;
    /// Records attempts and what follows from each, all or none. What is not leased under its token any more is lost.
    async fn record_attempts(&self, records: Arc<[AttemptRecord]>) -> Result<Vec<LeaseOutcome>>;

    /// Stores a test event with one delivery to that endpoint, and says its id; `None` when there is no such endpoint.
    async fn send_test(&self, endpoint_id: &str, event: &Event) -> Result<Option<String>>;
    /// Makes a delivery due at once for one attempt beside the schedule.
    async fn redeliver(&self, delivery_id: &str, now: Timestamp) -> Result<Redelivery>;
    /// Makes due what the endpoint should have had since then: what was given up, for one attempt each, and what happened
    /// while it was not active; at most 10,000 of each. Says how many.
    async fn recover_deliveries(&self, endpoint_id: &str, since: Timestamp, now: Timestamp) -> Result<u64>;
    /// The delivery, whoever owns its endpoint.
    async fn find_delivery(&self, delivery_id: &str) -> Result<Option<LoggedDelivery>>;
    /// The endpoint's delivery of that event.
    async fn find_delivery_of(&self, endpoint_id: &str, event_id: &str) -> Result<Option<LoggedDelivery>>;
    /// A page of an endpoint's deliveries, newest first.
    async fn list_deliveries(&self, endpoint_id: &str, page: &PageRequest) -> Result<Vec<LoggedDelivery>>;
    /// The attempts of a delivery, oldest first.
    async fn list_attempts(&self, delivery_id: &str) -> Result<Vec<LoggedAttempt>>;

    /// Erases a lead and all that was made of it: events, deliveries, attempts. Says whether there was one.
    async fn erase_lead(&self, lead_id: &str) -> Result<bool>;

    /// How full the queues are, all accounts together.
    async fn queue_statistics(&self, now: Timestamp) -> Result<QueueStatistics>;
    /// Operations of this process that wait for the database now; 0 where that cannot be told.
    fn operations_waiting(&self) -> u64 {
        0
    }

    /// Deletes what is kept for a limited time only (idempotency keys for 24 hours, events with their deliveries and
    /// attempts for 30 days), in small transactions. Says how many rows went.
    async fn purge(&self, now: Timestamp) -> Result<u64>;
}
