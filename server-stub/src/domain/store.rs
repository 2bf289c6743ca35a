//! What the rest of the server asks of a database. Each method that writes is one transaction: state, event and
//! deliveries together, or nothing. Implementations live in `storage`.

use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;

use super::account::{Account, Scope, Website};
use super::clock::Timestamp;
use super::event::Event;
use super::hook::{Attempt, AttemptDecision, HookEndpoint, HookSecret};
use super::job::{Failure, Job, JobStatus};
use super::key::{ApiKey, SecretHash};
use super::lead::Lead;
use super::post::{PostStatus, ScheduledPost};
use super::publication::{Article, ArticleStatus, ArticleSummary};
use super::voice::BrandVoice;

/// Why a store could not do what was asked. The messages name no data.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something with that name, id or slug exists.
    #[error("it exists already")]
    AlreadyExists,
    /// What it refers to does not exist.
    #[error("what it refers to does not exist")]
    MissingReference,
    /// A named limit is reached.
    #[error("the limit of {limit} {what} is reached")]
    LimitReached {
        /// How many there may be.
        limit: usize,
        /// Of what.
        what: &'static str,
    },
    /// The account has no active website, which a key needs (CONTRACT 1.2).
    #[error("the account has no active website")]
    WebsiteRequired,
    /// The database cannot be reached or is busy for too long; the same call may succeed later.
    #[error("the database is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database answered what it never should.
    #[error("the database failed")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What a store returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The last row of a page: rows are ordered newest first by (time, id), and the next page begins behind this key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageKey {
    /// Creation time (leads: capture time).
    pub time: Timestamp,
    /// The row's id.
    pub id: String,
}

/// Which rows of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// Only rows behind this key.
    pub after: Option<PageKey>,
    /// At most this many rows.
    pub limit: u32,
}

/// Filters of the article list; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArticleFilter {
    /// Of this website.
    pub website_id: Option<String>,
    /// In this state.
    pub status: Option<ArticleStatus>,
    /// Changed at or after.
    pub updated_since: Option<Timestamp>,
}

/// Filters of the lead list; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeadFilter {
    /// Of this website.
    pub website_id: Option<String>,
    /// Captured on this article.
    pub article_id: Option<String>,
    /// Captured at or after.
    pub captured_since: Option<Timestamp>,
    /// Captured before.
    pub captured_until: Option<Timestamp>,
}

/// Filters of the pipeline; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostFilter {
    /// Of this website.
    pub website_id: Option<String>,
    /// In this state.
    pub status: Option<PostStatus>,
}

/// An answer kept for repeats of the same idempotency key (CONTRACT 3.3). It is kept for 24 hours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The owner.
    pub account_id: String,
    /// The `operationId`.
    pub operation: &'static str,
    /// The key, unquoted.
    pub key: String,
    /// SHA-256 of the parsed body.
    pub fingerprint: [u8; 32],
    /// The job that the first request queued; `Location` and body follow from it.
    pub job_id: String,
    /// The body that was answered.
    pub body: Bytes,
    /// When the first request was answered.
    pub created_at: Timestamp,
}

/// How many unfinished jobs there may be (CONTRACT 3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueLimits {
    /// Per website.
    pub per_website: u32,
    /// Per account.
    pub per_account: u32,
}

/// A job to queue, with its pipeline entry and the answer to keep.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The job, `queued`.
    pub job: Job,
    /// Its pipeline entry, `queued`.
    pub post: ScheduledPost,
    /// Kept when the request carried an idempotency key.
    pub idempotency: Option<IdempotencyRecord>,
    /// Checked in the same transaction.
    pub limits: QueueLimits,
}

/// What became of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submitted {
    /// Job and pipeline entry are stored durably.
    Queued,
    /// Another request with the same idempotency key was first: answer like it, if the fingerprints are equal.
    Replayed(IdempotencyRecord),
    /// Too many unfinished jobs.
    QueueFull,
}

/// A job as a worker took it. Only the holder of the token may finish it.
#[derive(Debug, Clone)]
pub struct ClaimedJob {
    /// The job, `in_progress`, this attempt counted.
    pub job: Job,
    /// Fences the completion: a new one for every claim.
    pub lease_token: String,
    /// The website to write for.
    pub website: Website,
    /// The voice to write in: the website's, else the account's default.
    pub voice: BrandVoice,
}

/// What came of a claim.
#[derive(Debug, Clone, Default)]
pub struct ClaimedJobs {
    /// To be written now.
    pub claimed: Vec<ClaimedJob>,
    /// Ended by the claim itself.
    pub ended: Vec<JobStatusChange>,
}

/// How a claimed job ends well.
#[derive(Debug, Clone)]
pub struct JobCompletion {
    /// The job.
    pub job_id: String,
    /// From the claim.
    pub lease_token: String,
    /// The article to store. Its slug is made unique in its website by the store (`-2`, `-3`, …).
    pub article: Article,
    /// When.
    pub finished_at: Timestamp,
}

/// How a claimed job's attempt ends badly.
#[derive(Debug, Clone)]
pub struct JobFailure {
    /// The job.
    pub job_id: String,
    /// From the claim.
    pub lease_token: String,
    /// Why.
    pub failure: Failure,
    /// `Some`: the job stays `in_progress` and is taken again then. `None`: the job and its post fail now.
    pub retry_at: Option<Timestamp>,
    /// The id for the `job.failed` event, should it fail now.
    pub event_id: String,
    /// When.
    pub now: Timestamp,
}

/// Whether a finished piece of work was still ours to finish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fenced {
    /// It was, and it is stored.
    Recorded,
    /// Someone else took it meanwhile, or it was cancelled: nothing was stored.
    Lost,
}

/// What a cancel came to.
#[derive(Debug, Clone)]
pub enum Cancelled {
    /// The job is cancelled, now or since before.
    Done(Job),
    /// It ended otherwise.
    TooLate(Job),
    /// There is no such job.
    NotFound,
}

/// A pipeline entry as the scheduler took it.
#[derive(Debug, Clone)]
pub struct ClaimedPost {
    /// The entry, `publishing`, this attempt counted.
    pub post: ScheduledPost,
    /// Fences the completion.
    pub lease_token: String,
    /// The article to publish.
    pub article: Article,
    /// Where to.
    pub website: Website,
}

/// How a claimed post ends.
#[derive(Debug, Clone)]
pub enum PublishOutcome {
    /// The article is out: stored with its post and its event in one transaction.
    Published {
        /// The article, `published`.
        article: Box<Article>,
        /// What is announced.
        event: Event,
    },
    /// Back to `scheduled`; tried again then.
    RetryAt(Timestamp),
    /// Not to be published.
    Failed(Failure),
}

/// What a capture came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captured {
    /// A new lead, stored with its event.
    New,
    /// The same person, form and website within ten minutes: the first one stands.
    Duplicate,
}

/// A delivery as the dispatcher took it.
#[derive(Debug, Clone)]
pub struct ClaimedDelivery {
    /// `dlv_…`.
    pub id: String,
    /// Fences the record of the attempt.
    pub lease_token: String,
    /// Attempt number, 1-based, this one counted.
    pub number: u32,
    /// The `webhook-id`.
    pub event_id: String,
    /// The endpoint.
    pub endpoint_id: String,
    /// Where to send.
    pub url: String,
    /// Signs the body; newest first.
    pub secrets: Vec<HookSecret>,
    /// The exact bytes to send.
    pub body: Bytes,
}

/// An article as it is read: the bytes were made when it was written.
#[derive(Debug, Clone)]
pub struct StoredArticle {
    /// The owner.
    pub account_id: String,
    /// Its website.
    pub website_id: String,
    /// `art_…`.
    pub id: String,
    /// Where it stands.
    pub status: ArticleStatus,
    /// Strong entity tag, quotes included.
    pub etag: String,
    /// The JSON of [`Article`].
    pub body: Bytes,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// One database with all of the service's state. All reads see what was written before by any process.
#[async_trait]
pub trait Store: Send + Sync + fmt::Debug {
    /// Answers when the database can be written to.
    async fn check(&self) -> Result<()>;
    /// 32 random bytes made with the database: they sign page tokens.
    async fn token_secret(&self) -> Result<[u8; 32]>;

    /// Stores an account. [`Error::AlreadyExists`] when the name is taken.
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
    async fn release_job(&self, job_id: &str, lease_token: &str, now: Timestamp) -> Result<Fenced>;
    /// Prolongs a lease.
    async fn renew_job(&self, job_id: &str, lease_token: &str, lease_until: Timestamp) -> Result<Fenced>;
    /// Stores the article and completes job and post. The post becomes `ready` or, when it goes out by itself, `scheduled`.
    async fn complete_job(&self, completion: JobCompletion) -> Result<Fenced>;
    /// Records a failed attempt.
    async fn fail_job(&self, failure: JobFailure) -> Result<Fenced>;
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
    ) -> Result<Fenced>;

    /// Stores a lead with its event, unless it is the same as one captured since `same_since`.
    async fn capture_lead(&self, lead: &Lead, event: &Event, same_since: Timestamp) -> Result<Captured>;

    /// Takes up to `limit` deliveries that are due, at most `per_endpoint` of one endpoint.
    async fn claim_deliveries(
        &self,
        limit: u32,
        per_endpoint: u32,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedDelivery>>;
    /// Records an attempt and what follows from it.
    async fn record_attempt(
        &self,
        delivery: &ClaimedDelivery,
        attempt: &Attempt,
        decision: AttemptDecision,
        now: Timestamp,
    ) -> Result<Fenced>;

    /// Deletes what is kept for a limited time only (idempotency keys after 24 hours), in small transactions. Says how
    /// many rows went.
    async fn purge(&self, now: Timestamp) -> Result<u64>;
}

/// A job that the store itself moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobStatusChange {
    /// The job.
    pub job_id: String,
    /// Its new state.
    pub status: JobStatus,
}
