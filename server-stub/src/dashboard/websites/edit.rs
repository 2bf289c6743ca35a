//! Creation and settings of a website.

use askama::Template;
use axum::extract::Path;

use super::super::error::{Failure, Result};
use super::super::field_errors::FieldErrors;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::time::DisplayTime;
use super::super::visit::Visit;
use crate::app::{AdminError, Setting, WebsiteSettings};
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::duration;
use crate::domain::lead_form::LeadForm;
use crate::domain::publishing_slots::{PublishingSlots, TextError};
use crate::domain::publishing_target::PublishingTarget;
use crate::domain::store::{self, StoredTarget};
use crate::domain::time_zone::TimeZone;
use crate::domain::voice::BrandVoice;

/// Number of future publishing slots on the page.
const SHOWN_SLOTS: usize = 5;

#[derive(Template)]
#[template(path = "dashboard/websites/edit.html")]
struct EditPage {
    layout: Layout,
    /// The stored website; `None` for a new one.
    website: Option<Website>,
    /// Public address of its articles.
    site_url: String,
    /// Description of the publishing target; empty for a new website.
    publishes_to: String,
    /// Next publishing slots.
    next_slots: Vec<DisplayTime>,
    typed: Typed,
    time_zones: Vec<&'static str>,
    /// The account's Brand DNA profiles.
    voices: Vec<BrandVoice>,
    errors: FieldErrors,
}

/// Form fields as submitted.
#[derive(Debug, Clone, Default)]
struct Typed {
    name: String,
    url: String,
    language: String,
    time_zone: String,
    needs_approval: bool,
    publishing_slots: String,
    brand_voice_id: String,
    word_count: String,
    lead_retention: String,
    consent_text: String,
    privacy_url: String,
    double_opt_in: bool,
}

impl Typed {
    fn new_website() -> Self {
        Self { language: "en".to_owned(), time_zone: "UTC".to_owned(), ..Self::default() }
    }

    fn read(form: &Form) -> Self {
        let text = |name| form.text(name).to_owned();
        Self {
            name: text("name"),
            url: text("url"),
            language: text("language"),
            time_zone: text("time_zone"),
            needs_approval: form.has("needs_approval"),
            publishing_slots: text("publishing_slots"),
            brand_voice_id: text("brand_voice_id"),
            word_count: text("word_count"),
            lead_retention: text("lead_retention"),
            consent_text: text("consent_text"),
            privacy_url: text("privacy_url"),
            double_opt_in: form.has("double_opt_in"),
        }
    }

    fn of(website: &Website) -> Self {
        Self {
            name: website.name.clone(),
            url: website.url.clone(),
            language: website.language.clone(),
            time_zone: website.time_zone.clone(),
            needs_approval: !website.auto_publish,
            publishing_slots: website.publishing_slots.to_string(),
            brand_voice_id: website.brand_voice_id.clone().unwrap_or_default(),
            word_count: website.target_word_count.map(|words| words.to_string()).unwrap_or_default(),
            lead_retention: website.lead_retention.map(duration::show).unwrap_or_default(),
            consent_text: website.lead_form.consent_text.clone().unwrap_or_default(),
            privacy_url: website.lead_form.privacy_url.clone().unwrap_or_default(),
            double_opt_in: website.lead_form.double_opt_in,
        }
    }

    /// Parses the settings.
    fn settings(&self) -> Result<WebsiteSettings, FieldErrors> {
        let mut errors = FieldErrors::default();
        let target_word_count = match self.word_count.as_str() {
            "" => None,
            text => text.parse().ok().or_else(|| {
                errors.add("word_count", "write a whole number, such as 1200, or leave it empty");
                None
            }),
        };
        let publishing_slots: PublishingSlots = self.publishing_slots.parse().unwrap_or_else(|error: TextError| {
            errors.add("publishing_slots", &error.to_string());
            PublishingSlots::default()
        });
        let lead_retention = match self.lead_retention.as_str() {
            "" => None,
            text => duration::parse(text).or_else(|| {
                errors.add("lead_retention", "write it like 90d, or leave it empty to keep leads for ever");
                None
            }),
        };
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(WebsiteSettings {
            name: self.name.clone(),
            url: self.url.clone(),
            language: self.language.clone(),
            time_zone: self.time_zone.clone(),
            auto_publish: !self.needs_approval,
            publishing_slots,
            brand_voice_id: Some(self.brand_voice_id.clone()).filter(|id| !id.is_empty()),
            target_word_count,
            lead_retention,
            lead_form: LeadForm {
                consent_text: Some(self.consent_text.clone()),
                privacy_url: Some(self.privacy_url.clone()),
                double_opt_in: self.double_opt_in,
            },
        })
    }
}

/// Shows the empty form.
pub(in crate::dashboard) async fn show_new(visit: Visit) -> Result {
    Ok(visit.page(&page(&visit, None, Typed::new_website(), FieldErrors::default()).await?))
}

/// Creates the website.
pub(in crate::dashboard) async fn create(visit: Visit, form: Form) -> Result {
    let typed = Typed::read(&form);
    let settings = match typed.settings() {
        Ok(settings) => settings,
        Err(errors) => return Ok(visit.form_again(&page(&visit, None, typed, errors).await?)),
    };
    match visit.app().create_website(visit.account(), settings, WebsiteStatus::Active).await {
        Ok(website) => {
            let path = format!("/dashboard/websites/{}", website.website_id);
            Ok(visit.redirect(&path, Some(Notice::WebsiteCreated)))
        }
        Err(error) => Ok(visit.form_again(&page(&visit, None, typed, at_field(error)?).await?)),
    }
}

/// Shows a website's settings.
pub(in crate::dashboard) async fn show(visit: Visit, Path(website_id): Path<String>) -> Result {
    let website = visit.app().website(visit.account(), &website_id).await?;
    let typed = Typed::of(&website);
    Ok(visit.page(&page(&visit, Some(website), typed, FieldErrors::default()).await?))
}

/// Changes the settings.
pub(in crate::dashboard) async fn save(visit: Visit, Path(website_id): Path<String>, form: Form) -> Result {
    let website = visit.app().website(visit.account(), &website_id).await?;
    let typed = Typed::read(&form);
    let settings = match typed.settings() {
        Ok(settings) => settings,
        Err(errors) => return Ok(visit.form_again(&page(&visit, Some(website), typed, errors).await?)),
    };
    match visit.app().save_website(visit.account(), &website_id, settings).await {
        Ok(_) => Ok(visit.redirect(&format!("/dashboard/websites/{website_id}"), Some(Notice::WebsiteSaved))),
        Err(error) => Ok(visit.form_again(&page(&visit, Some(website), typed, at_field(error)?).await?)),
    }
}

async fn page(visit: &Visit, website: Option<Website>, typed: Typed, errors: FieldErrors) -> Result<EditPage> {
    let title = website.as_ref().map_or("New website", |website| website.name.as_str());
    let site_url = website.as_ref().map(|website| visit.absolute(&format!("/sites/{}", website.website_id)));
    let publishes_to = match &website {
        Some(website) => told(&visit.app().publishing_target(visit.account(), &website.website_id).await?),
        None => String::new(),
    };
    let zone = website.as_ref().map(|website| TimeZone::or_utc(&website.time_zone));
    let next_slots = website.iter().zip(zone).flat_map(|(website, zone)| {
        let slots = website.publishing_slots.after(zone, visit.app().clock().wall());
        slots.take(SHOWN_SLOTS).map(move |time| DisplayTime::in_zone(time, zone))
    });
    let next_slots = next_slots.collect();
    let voices = visit.app().voices(visit.account()).await?;
    Ok(EditPage {
        layout: visit.layout(title, Section::Websites),
        site_url: site_url.unwrap_or_default(),
        publishes_to,
        next_slots,
        website,
        typed,
        time_zones: TimeZone::names().collect(),
        voices: voices.into_iter().map(|saved| saved.profile).collect(),
        errors,
    })
}

/// Describes the publishing target in a sentence.
fn told(target: &StoredTarget) -> String {
    match target {
        PublishingTarget::Hosted => "Articles are published on the hosted site.".to_owned(),
        PublishingTarget::Directory { folder, .. } => {
            format!("Articles are published as files in the folder {}.", folder.as_str())
        }
        PublishingTarget::Push { url, .. } => format!("Articles are sent to {url}."),
    }
}

/// Returns the error for its field, or a failure if it belongs to no field.
fn at_field(error: AdminError) -> Result<FieldErrors, Failure> {
    if let AdminError::Store(store::Error::LimitReached { .. }) = error {
        return Ok(FieldErrors::one("name", &error.to_string()));
    }
    let AdminError::Invalid { setting, .. } = &error else { return Err(error.into()) };
    let field = match setting {
        Setting::Name => "name",
        Setting::WebsiteUrl => "url",
        Setting::Language => "language",
        Setting::TimeZone => "time_zone",
        Setting::BrandDna => "brand_voice_id",
        Setting::ArticleLength => "word_count",
        Setting::LeadRetention => "lead_retention",
        Setting::ConsentText => "consent_text",
        Setting::PrivacyUrl => "privacy_url",
        _ => return Err(error.into()),
    };
    Ok(FieldErrors::one(field, &error.to_string()))
}
