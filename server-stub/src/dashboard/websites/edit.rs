//! Creation and settings of a website.

use askama::Template;
use axum::extract::Path;

use super::super::{DisplayTime, FieldErrors, Form, Layout, Notice, Result, Section, Visit, ticked};
use crate::app::WebsiteSettings;
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::duration;
use crate::domain::lead_form::LeadForm;
use crate::domain::publishing_slots::{PublishingSlots, TextError};
use crate::domain::publishing_target::PublishingTarget;
use crate::domain::store::StoredTarget;
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
    typed: Form,
    time_zones: Vec<&'static str>,
    /// The account's Brand DNA profiles.
    voices: Vec<BrandVoice>,
    errors: FieldErrors,
}

/// Returns the form of a website.
fn form_of(website: &Website) -> Form {
    let (form, text) = (&website.lead_form, |text: &Option<String>| text.clone().unwrap_or_default());
    Form::of([
        ("name", website.name.clone()),
        ("url", website.url.clone()),
        ("language", website.language.clone()),
        ("time_zone", website.time_zone.clone()),
        ("needs_approval", ticked(!website.auto_publish)),
        ("publishing_slots", website.publishing_slots.to_string()),
        ("brand_voice_id", text(&website.brand_voice_id)),
        ("word_count", website.target_word_count.map(|words| words.to_string()).unwrap_or_default()),
        ("lead_retention", website.lead_retention.map(duration::show).unwrap_or_default()),
        ("consent_text", text(&form.consent_text)),
        ("privacy_url", text(&form.privacy_url)),
        ("double_opt_in", ticked(form.double_opt_in)),
        ("pages_at_url", ticked(website.pages_at_url)),
        ("full_text_feed", ticked(website.full_text_feed)),
    ])
}

/// Parses the settings in a form.
fn settings(form: &Form) -> Result<WebsiteSettings, FieldErrors> {
    let mut errors = FieldErrors::default();
    let parse_words = |text: &str| text.parse().ok();
    let hint = "write a whole number, such as 1200, or leave it empty";
    let target_word_count = errors.parsed(form, "word_count", parse_words, hint);
    let hint = "write it like 90d, or leave it empty to keep leads for ever";
    let lead_retention = errors.parsed(form, "lead_retention", duration::parse, hint);
    let publishing_slots = form.text("publishing_slots").parse().unwrap_or_else(|error: TextError| {
        errors.add("publishing_slots", &error.to_string());
        PublishingSlots::default()
    });
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(WebsiteSettings {
        name: form.text("name").to_owned(),
        url: form.text("url").to_owned(),
        language: form.text("language").to_owned(),
        time_zone: form.text("time_zone").to_owned(),
        auto_publish: !form.has("needs_approval"),
        publishing_slots,
        brand_voice_id: form.filled("brand_voice_id"),
        target_word_count,
        lead_retention,
        lead_form: LeadForm {
            consent_text: form.filled("consent_text"),
            privacy_url: form.filled("privacy_url"),
            double_opt_in: form.has("double_opt_in"),
        },
        pages_at_url: form.has("pages_at_url"),
        full_text_feed: form.has("full_text_feed"),
    })
}

/// Shows the form for a new website.
pub(in crate::dashboard) async fn show_new(visit: Visit) -> Result {
    let typed = Form::of([("language", "en".to_owned()), ("time_zone", "UTC".to_owned())]);
    Ok(visit.page(&page(&visit, None, typed, FieldErrors::default()).await?))
}

/// Creates the website.
pub(in crate::dashboard) async fn create(visit: Visit, form: Form) -> Result {
    let errors = match settings(&form) {
        Ok(settings) => match visit.app().create_website(visit.account(), settings, WebsiteStatus::Active).await {
            Ok(website) => {
                let path = format!("/dashboard/websites/{}", website.website_id);
                return Ok(visit.redirect(&path, Notice::WebsiteCreated));
            }
            Err(error) => FieldErrors::of_change(error, "name")?,
        },
        Err(errors) => errors,
    };
    Ok(visit.form_again(&page(&visit, None, form, errors).await?))
}

/// Shows a website's settings.
pub(in crate::dashboard) async fn show(visit: Visit, Path(website_id): Path<String>) -> Result {
    let website = visit.app().website(visit.account(), &website_id).await?;
    let typed = form_of(&website).opened();
    Ok(visit.page(&page(&visit, Some(website), typed, FieldErrors::default()).await?))
}

/// Changes the settings.
pub(in crate::dashboard) async fn save(visit: Visit, Path(website_id): Path<String>, mut form: Form) -> Result {
    let website = visit.app().website(visit.account(), &website_id).await?;
    let errors = match form.require_unchanged(&form_of(&website), "name").and_then(|()| settings(&form)) {
        Ok(settings) => match visit.app().save_website(visit.account(), &website, settings).await {
            Ok(_) => return Ok(visit.redirect(&format!("/dashboard/websites/{website_id}"), Notice::WebsiteSaved)),
            Err(error) => FieldErrors::of_change(error, "name")?,
        },
        Err(errors) => errors,
    };
    Ok(visit.form_again(&page(&visit, Some(website), form, errors).await?))
}

async fn page(visit: &Visit, website: Option<Website>, typed: Form, errors: FieldErrors) -> Result<EditPage> {
    let title = website.as_ref().map_or("New website", |website| website.name.as_str());
    let site_url = website.as_ref().map(|website| visit.link_to_site(&format!("/sites/{}", website.website_id)));
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
