//! Rows of the measurements: owners, submissions, articles and leads, as small as the rules allow.

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::account::{Account, Website, WebsiteStatus};
use contentgen_server_stub::domain::article::{Article, ArticleStatus, Metadata};
use contentgen_server_stub::domain::clock::{Clock as _, Moment, Timestamp};
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::hook::{EndpointStatus, HookEndpoint, HookSecret};
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::job::{Job, JobRequest};
use contentgen_server_stub::domain::lead::{Lead, LeadConfirmation, LeadConsent, LeadSource};
use contentgen_server_stub::domain::lead_form::LeadForm;
use contentgen_server_stub::domain::publishing_slots::PublishingSlots;
use contentgen_server_stub::domain::store::{QueueLimits, Submission};
use contentgen_server_stub::domain::voice::VoiceReport;
use contentgen_server_stub::domain::written_article::WrittenArticle;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::Store;

/// Limits that no measurement reaches.
const NO_LIMITS: QueueLimits = QueueLimits { per_website: u32::MAX, per_account: u32::MAX, per_day: None };

/// An account with its website.
#[derive(Debug, Clone)]
pub(crate) struct Owner {
    pub(crate) account_id: String,
    pub(crate) website_id: String,
}

/// Returns the current time.
pub(crate) fn now() -> Timestamp {
    SystemClock.wall()
}

/// Returns the current moment.
pub(crate) fn moment() -> Moment {
    SystemClock.moment()
}

/// Creates `count` owners.
pub(crate) async fn owners(store: &Store, count: usize) -> anyhow::Result<Vec<Owner>> {
    let mut owners = Vec::with_capacity(count);
    for number in 0..count {
        let now = now();
        let owner = Owner {
            account_id: id::new(Kind::Account, now, &SystemRandomness),
            website_id: id::new(Kind::Website, now, &SystemRandomness),
        };
        let account = Account { id: owner.account_id.clone(), name: format!("owner-{number}"), created_at: now };
        store.create_account(&account).await?;
        let website = Website {
            account_id: owner.account_id.clone(),
            website_id: owner.website_id.clone(),
            status: WebsiteStatus::Active,
            name: "A website".to_owned(),
            url: "https://example.org/".to_owned(),
            language: "en".to_owned(),
            time_zone: "UTC".to_owned(),
            auto_publish: false,
            publishing_slots: PublishingSlots::default(),
            brand_voice_id: None,
            lead_retention: None,
            target_word_count: None,
            lead_form: LeadForm::default(),
            pages_at_url: false,
            full_text_feed: false,
            created_at: now,
            updated_at: now,
        };
        store.create_website(&website).await?;
        owners.push(owner);
    }
    Ok(owners)
}

impl Owner {
    /// Returns a job with its scheduled post.
    pub(crate) fn submission(&self) -> Submission {
        let request = JobRequest {
            topic: "Keeping a rye starter alive through winter".to_owned(),
            language: "en".to_owned(),
            keywords: vec!["rye starter".to_owned()],
            target_word_count: 1200,
            auto_publish: false,
            publish_at: None,
            metadata: Metadata::new(),
        };
        let (job, post) =
            Job::new_queued(request, &self.account_id, &self.website_id, SystemClock.moment(), &SystemRandomness);
        Submission { job, post, due_at: now(), idempotency: None, replays_since: now(), limits: NO_LIMITS }
    }

    /// Returns a lead with a new e-mail address, and its event.
    pub(crate) fn lead(&self) -> (Lead, Event) {
        let now = now();
        let lead = Lead {
            id: id::new(Kind::Lead, now, &SystemRandomness),
            account_id: self.account_id.clone(),
            website_id: self.website_id.clone(),
            article_id: None,
            email: None,
            name: Some("Someone".to_owned().into()),
            company: None,
            phone: None,
            phone_typed: None,
            message: Some("Please call me back.".to_owned().into()),
            fields: Metadata::new().into(),
            source: LeadSource::default(),
            spam: contentgen_server_stub::domain::spam::SpamReport::default(),
            confirmation: LeadConfirmation::default(),
            consent: LeadConsent::default(),
            captured_at: now,
            updated_at: now,
        };
        let event = Event::lead_captured(id::new(Kind::Event, now, &SystemRandomness), &lead, None);
        (lead, event)
    }

    /// Returns an endpoint for events about leads.
    pub(crate) fn endpoint(&self, url: &str) -> HookEndpoint {
        let now = now();
        HookEndpoint {
            id: id::new(Kind::HookEndpoint, now, &SystemRandomness),
            account_id: self.account_id.clone(),
            url: url.to_owned(),
            events: vec![EventType::LeadCaptured],
            website_id: None,
            description: None,
            secret: HookSecret::generate(&SystemRandomness),
            status: EndpointStatus::Active,
            include_content: false,
            created_at: now,
        }
    }
}

/// Returns the smallest article that can complete a job.
pub(crate) fn article(job: &Job) -> Article {
    let (now, text) = (now(), || "Text.".to_owned());
    let content = WrittenArticle {
        topic: text(),
        title: text(),
        // Ids are unique, so each slug is free at the first search.
        slug: job.id.replace('_', "-"),
        excerpt: text(),
        meta_title: text(),
        meta_description: text(),
        content_markdown: text(),
        content_html: text(),
        outline: Vec::new(),
        keywords: Vec::new(),
        tags: Vec::new(),
        faq: Vec::new(),
        internal_links: Vec::new(),
        hero_image: None,
        json_ld: serde_json::json!({}),
        language: "en".to_owned(),
        word_count: 1,
        reading_time_minutes: 1,
        voice: VoiceReport { brand_voice_id: None, brand_voice_version: None, passed: true, checks: Vec::new() },
        generator: "none".to_owned(),
    };
    Article {
        id: id::new(Kind::Article, now, &SystemRandomness),
        job_id: Some(job.id.clone()),
        website_id: job.website_id.clone(),
        status: ArticleStatus::Draft,
        version: 1,
        url: None,
        canonical_url: None,
        content,
        metadata: Metadata::new(),
        created_at: now,
        updated_at: now,
        published_at: None,
    }
}
