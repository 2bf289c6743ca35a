//! An account with a website in a fresh store, and records to add to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use contentgen_server_stub::domain::account::{Account, Website, WebsiteStatus};
use contentgen_server_stub::domain::article::{Article, ArticleStatus, Metadata};
use contentgen_server_stub::domain::clock::{Moment, Timestamp};
use contentgen_server_stub::domain::endpoint_capacity::EndpointCapacity;
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::hook::{EndpointStatus, HookEndpoint, HookSecret};
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::idempotency::IdempotencyRecord;
use contentgen_server_stub::domain::job::{Job, JobRequest};
use contentgen_server_stub::domain::lead::{Lead, LeadConfirmation, LeadConsent, LeadSource};
use contentgen_server_stub::domain::lead_form::LeadForm;
use contentgen_server_stub::domain::publishing_slots::PublishingSlots;
use contentgen_server_stub::domain::publishing_target::PublishingTarget;
use contentgen_server_stub::domain::retention::{RecordKind, Retention};
use contentgen_server_stub::domain::spam::SpamReport;
use contentgen_server_stub::domain::store::{
    ClaimedJob, JobCompletion, PageRequest, Purged, QueueLimits, Result, Submission, Submitted, WebsiteFilter,
};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::domain::voice::{BrandVoice, SavedVoice, VoiceReport};
use contentgen_server_stub::domain::written_article::{WrittenArticle, slugify};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::Store;
use tempfile::TempDir;

use super::plans;
use crate::postgres::Schema;

/// Lease of the tests' claims.
pub(crate) const LEASE: Duration = Duration::from_secs(90);
/// Limits that no test reaches by accident.
pub(crate) const ROOMY: QueueLimits = QueueLimits { per_website: 100_000, per_account: 100_000, per_day: None };

/// Returns a moment at which both clocks show the same time.
pub(crate) const fn both(time: Timestamp) -> Moment {
    Moment { wall: time, steady: time }
}

/// Returns a capacity of this number of deliveries in flight to each endpoint.
pub(crate) fn capacity(per_endpoint: u32) -> EndpointCapacity {
    EndpointCapacity { per_endpoint, ..EndpointCapacity::default() }
}

/// A store with one account and one active website, and a time that only the test moves.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) account_id: String,
    pub(crate) website_id: String,
    millis: AtomicI64,
    /// Milliseconds by which the wall clock is ahead of the time.
    ahead: AtomicI64,
    /// Database of the store, for direct changes by the test. It is dropped after the store.
    database: Option<Box<dyn Database>>,
}

/// A database that a test changes directly, like a newer version or an operator.
pub(crate) trait Database: Send + Sync {
    /// Runs a statement.
    fn execute(&self, sql: &str);
    /// Lets a column contain any text.
    fn allow_any(&self, table: &str, column: &str);
}

impl Database for TempDir {
    fn execute(&self, sql: &str) {
        let connection = rusqlite::Connection::open(self.path().join("test.db")).unwrap();
        connection.execute_batch(&format!("PRAGMA ignore_check_constraints = ON; {sql}")).unwrap();
    }

    fn allow_any(&self, _table: &str, _column: &str) {}
}

impl Database for Arc<Schema> {
    fn execute(&self, sql: &str) {
        (**self).execute(sql);
    }

    fn allow_any(&self, table: &str, column: &str) {
        (**self).allow_any(table, column);
    }
}

impl Database for Schema {
    fn execute(&self, sql: &str) {
        self.execute(sql);
    }

    fn allow_any(&self, table: &str, column: &str) {
        self.execute(&format!("ALTER TABLE {table} DROP CONSTRAINT {table}_{column}_check"));
    }
}

impl World {
    /// Returns the world of that store. Creates the records unless they exist.
    pub(crate) async fn new(store: Store) -> Self {
        plans::record_if_asked();
        let now = Timestamp::from_millis(1_790_000_000_000);
        let millis = AtomicI64::new(now.millis());
        if let Some(account) = store.find_account("first").await.unwrap() {
            let visibility = Visibility { account_id: account.id.clone(), website_ids: None };
            let websites = store
                .list_websites(&visibility, &WebsiteFilter::default(), &PageRequest { after: None, limit: 1 })
                .await
                .unwrap();
            let website_id = websites[0].website_id.clone();
            return Self {
                store,
                account_id: account.id,
                website_id,
                millis,
                ahead: AtomicI64::new(0),
                database: None,
            };
        }
        let account =
            Account { id: id::new(Kind::Account, now, &SystemRandomness), name: "first".to_owned(), created_at: now };
        store.create_account(&account).await.unwrap();
        let website_id = id::new(Kind::Website, now, &SystemRandomness);
        let world =
            Self { store, account_id: account.id, website_id, millis, ahead: AtomicI64::new(0), database: None };
        let website = world.website(&world.website_id, WebsiteStatus::Active);
        world.store.create_website(&website).await.unwrap();
        world
    }

    /// Returns the same world with direct access to the database.
    pub(crate) fn on(self, database: impl Database + 'static) -> Self {
        Self { database: Some(Box::new(database)), ..self }
    }

    /// Returns a profile that is saved now.
    pub(crate) fn saved(&self, profile: &BrandVoice) -> SavedVoice {
        SavedVoice {
            profile: profile.clone(),
            saved_at: self.now(),
            saved_by: "somebody@example.com".to_owned().into(),
        }
    }

    /// Runs a statement directly in the database.
    pub(crate) fn execute(&self, sql: &str) {
        self.database.as_ref().unwrap().execute(sql);
    }

    /// Lets a column contain any text, as a newer schema does.
    pub(crate) fn allow_any(&self, table: &str, column: &str) {
        self.database.as_ref().unwrap().allow_any(table, column);
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.millis.load(Ordering::SeqCst))
    }

    /// Returns the current time by both clocks.
    pub(crate) fn moment(&self) -> Moment {
        Moment { wall: self.now().plus_millis(self.ahead.load(Ordering::SeqCst)), steady: self.now() }
    }

    /// Sets the wall clock this number of milliseconds ahead of the steady time.
    pub(crate) fn set_wall_ahead(&self, millis: i64) {
        self.ahead.store(millis, Ordering::SeqCst);
    }

    pub(crate) fn advance(&self, duration: Duration) -> Timestamp {
        self.millis.fetch_add(i64::try_from(duration.as_millis()).unwrap(), Ordering::SeqCst);
        self.now()
    }

    /// Moves the time to one millisecond before `duration` has passed.
    pub(crate) fn advance_almost(&self, duration: Duration) -> Timestamp {
        self.advance(duration.saturating_sub(Duration::from_millis(1)))
    }

    pub(crate) fn website(&self, website_id: &str, status: WebsiteStatus) -> Website {
        Website {
            account_id: self.account_id.clone(),
            website_id: website_id.to_owned(),
            status,
            name: "A website".to_owned(),
            url: "https://example.org/".to_owned(),
            language: "en".to_owned(),
            time_zone: "Europe/Berlin".to_owned(),
            auto_publish: true,
            publishing_slots: PublishingSlots::default(),
            brand_voice_id: None,
            lead_retention: None,
            target_word_count: None,
            lead_form: LeadForm::default(),
            pages_at_url: false,
            full_text_feed: false,
            created_at: self.now(),
            updated_at: self.now(),
        }
    }

    pub(crate) fn submission(&self, topic: &str) -> Submission {
        let request = JobRequest {
            topic: topic.to_owned(),
            language: "en".to_owned(),
            keywords: Vec::new(),
            target_word_count: 1200,
            auto_publish: true,
            publish_at: None,
            metadata: Metadata::from([("order".to_owned(), "7".to_owned())]),
        };
        let (job, post) =
            Job::new_queued(request, &self.account_id, &self.website_id, self.moment(), &SystemRandomness);
        let replays_since = self.now().minus(Retention::default().idempotency_keys);
        Submission { job, post, due_at: self.now(), idempotency: None, replays_since, limits: ROOMY }
    }

    pub(crate) fn keyed_submission(&self, topic: &str, key: &str) -> Submission {
        let mut submission = self.submission(topic);
        submission.idempotency = Some(IdempotencyRecord {
            account_id: self.account_id.clone(),
            website_id: submission.job.website_id.clone(),
            operation: "generate",
            key: key.to_owned(),
            fingerprint: [7; 32],
            job_id: submission.job.id.clone(),
            body: Bytes::from(format!("{{\"job_id\":\"{}\"}}", submission.job.id)),
            created_at: self.now(),
        });
        submission
    }

    /// Queues a job. Returns its id.
    pub(crate) async fn queue(&self, submission: Submission) -> String {
        let job_id = submission.job.id.clone();
        assert_eq!(self.store.submit(submission).await.unwrap(), Submitted::Queued);
        job_id
    }

    /// Claims all due jobs, and begins none.
    pub(crate) async fn claim_unbegun(&self) -> Vec<ClaimedJob> {
        self.store.claim_jobs(100, self.moment(), self.now().plus(LEASE)).await.unwrap().claimed
    }

    /// Claims and begins all due jobs.
    pub(crate) async fn claim(&self) -> Vec<ClaimedJob> {
        let mut claimed = self.claim_unbegun().await;
        for one in &mut claimed {
            one.job = self.begin(one, LEASE).await.unwrap();
        }
        claimed
    }

    /// Begins a claimed job, if the claim still holds.
    pub(crate) async fn begin(&self, claimed: &ClaimedJob, lease: Duration) -> Option<Job> {
        self.store.begin_job(claimed.start(self.moment(), self.now().plus(lease))).await.unwrap()
    }

    pub(crate) async fn job(&self, job_id: &str) -> Job {
        self.store.find_job(job_id).await.unwrap().unwrap()
    }

    pub(crate) fn article(&self, title: &str, job_id: Option<String>, status: ArticleStatus) -> Article {
        let slug = slugify(title);
        Article {
            id: id::new(Kind::Article, self.now(), &SystemRandomness),
            job_id,
            website_id: self.website_id.clone(),
            status,
            url: None,
            canonical_url: None,
            content: written(title, slug),
            version: 1,
            metadata: Metadata::new(),
            created_at: self.moment().wall,
            updated_at: self.moment().wall,
            published_at: None,
        }
    }

    pub(crate) fn completion(&self, claimed: &ClaimedJob, title: &str) -> JobCompletion {
        JobCompletion {
            job_id: claimed.job.id.clone(),
            lease_token: claimed.lease_token.clone(),
            article: self.article(title, Some(claimed.job.id.clone()), ArticleStatus::Scheduled),
            finished_at: self.moment(),
        }
    }

    pub(crate) fn lead(&self, email: Option<&str>) -> (Lead, Event) {
        let lead = Lead {
            id: id::new(Kind::Lead, self.now(), &SystemRandomness),
            account_id: self.account_id.clone(),
            website_id: self.website_id.clone(),
            article_id: None,
            email: email.map(|email| email.to_owned().into()),
            name: Some("Someone".to_owned().into()),
            company: None,
            phone: Some("+491".to_owned().into()),
            phone_typed: Some("+49 1".to_owned().into()),
            message: Some("Gr\u{fc}\u{df}e \u{1f44b}".to_owned().into()),
            fields: Metadata::from([("budget".to_owned(), "10".to_owned())]).into(),
            source: LeadSource::default(),
            spam: SpamReport::default(),
            confirmation: LeadConfirmation::default(),
            consent: LeadConsent::default(),
            captured_at: self.moment().wall,
            updated_at: self.moment().wall,
        };
        let event = Event::lead_captured(id::new(Kind::Event, self.now(), &SystemRandomness), &lead, None);
        (lead, event)
    }

    /// Deletes all expired records, as the purger does.
    pub(crate) async fn purge(&self, retention: &Retention) -> Purged {
        let mut purged = Purged::default();
        for kind in RecordKind::ALL {
            let mut next = Some(String::new());
            while let Some(after) = next {
                let batch = self.store.purge(kind, retention.cutoff(kind, self.now()), &after).await.unwrap();
                purged += batch.purged;
                next = batch.next;
            }
        }
        purged
    }

    pub(crate) fn endpoint(&self, events: &[EventType]) -> HookEndpoint {
        HookEndpoint {
            id: id::new(Kind::HookEndpoint, self.now(), &SystemRandomness),
            account_id: self.account_id.clone(),
            url: "https://hooks.example.org/in".to_owned(),
            events: events.to_vec(),
            website_id: None,
            description: None,
            secret: HookSecret::generate(&SystemRandomness),
            status: EndpointStatus::Active,
            include_content: false,
            created_at: self.now(),
        }
    }

    /// Replaces the publishing target that the website has.
    pub(crate) async fn set_target(&self, website_id: &str, target: &PublishingTarget) -> Result<bool> {
        let former = self.store.find_target(website_id).await.unwrap();
        self.store.set_target(website_id, &former, target, self.moment()).await
    }

    /// Replaces the settings that the website has.
    pub(crate) async fn update_website(&self, website: &Website) -> bool {
        let former = self.store.find_website(&website.website_id).await.unwrap().unwrap();
        self.store.update_website(&former, website).await.unwrap()
    }

    pub(crate) async fn hook(&self, endpoint: HookEndpoint) -> String {
        self.store.create_hook_endpoint(&endpoint).await.unwrap();
        endpoint.id
    }
}

fn written(title: &str, slug: String) -> WrittenArticle {
    WrittenArticle {
        topic: title.to_owned(),
        title: title.to_owned(),
        slug,
        excerpt: "In short.".to_owned(),
        meta_title: title.to_owned(),
        meta_description: "A description that is long enough to be one, with fifty characters.".to_owned(),
        content_markdown: "## One\n\nText.".to_owned(),
        content_html: "<h2 id=\"one\">One</h2><p>Text.</p>".to_owned(),
        outline: Vec::new(),
        keywords: Vec::new(),
        tags: vec!["tag".to_owned()],
        faq: Vec::new(),
        internal_links: Vec::new(),
        hero_image: None,
        json_ld: serde_json::json!({ "@context": "https://schema.org", "@graph": [] }),
        language: "en".to_owned(),
        word_count: 2,
        reading_time_minutes: 1,
        voice: VoiceReport { brand_voice_id: None, brand_voice_version: None, passed: true, checks: Vec::new() },
        generator: "offline".to_owned(),
    }
}
