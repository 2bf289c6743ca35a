//! `website list`, `set`, `pause` and `resume`: show and change websites.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::json;

use super::failure::Failure;
use super::run::print;
use super::table::table;
use crate::app::{App, PublishTo};
use crate::config::{ListWebsites, NameWebsite, PublishingOptions, SetWebsite, Target};
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::duration;
use crate::domain::publishing_slots::PublishingSlots;
use crate::domain::time_zone::TimeZone;

/// Number of coming publishing slots that are shown.
const SHOWN_SLOTS: usize = 3;
use crate::domain::lead_form::LeadForm;

pub(super) async fn list(app: &App, options: &ListWebsites) -> Result<(), Failure> {
    let account = app.account(&options.account).await?;
    let websites = app.websites(&account).await?;
    if options.json {
        let mut text = String::new();
        for website in &websites {
            let target = app.publishing_target(&account, &website.website_id).await?;
            let _ = writeln!(text, "{}", object(website, target.kind()));
        }
        return print(&text);
    }
    let rows: Vec<_> = websites.iter().map(row).collect();
    print(&table(["website", "status", "name", "url", "lead_retention"], &rows))
}

fn row(website: &Website) -> [String; 5] {
    [
        website.website_id.clone(),
        website.status.as_str().to_owned(),
        website.name.clone(),
        website.url.clone(),
        shown(website.lead_retention),
    ]
}

fn object(website: &Website, publish_to: &str) -> serde_json::Value {
    json!({
        "website_id": website.website_id,
        "status": website.status,
        "name": website.name,
        "url": website.url,
        "lead_retention": shown(website.lead_retention),
        "lead_form": website.lead_form,
        "publish_to": publish_to,
        "time_zone": website.time_zone,
        "publishing_slots": website.publishing_slots,
        "created_at": website.created_at,
    })
}

pub(super) async fn set(app: &App, options: &SetWebsite) -> Result<(), Failure> {
    let account = app.account(&options.account).await?;
    let mut text = format!("website_id: {}\n", options.id);
    if let Some(retention) = options.lead_retention {
        app.set_lead_retention(&account, &options.id, retention.0).await?;
        let _ = writeln!(text, "lead_retention: {}", shown(retention.0));
    }
    if let Some(slots) = &options.publishing_slots {
        app.set_publishing_slots(&account, &options.id, slots).await?;
        let website = app.website(&account, &options.id).await?;
        let _ = writeln!(text, "publishing_slots: {}", shown_slots(slots));
        for slot in next_slots(&website, app.clock().wall()) {
            let _ = writeln!(text, "next_slot: {slot}");
        }
    }
    if options.consent_text.is_some() || options.privacy_url.is_some() || options.double_opt_in.is_some() {
        let former = app.website(&account, &options.id).await?.lead_form;
        let form = LeadForm {
            consent_text: options.consent_text.clone().or(former.consent_text),
            privacy_url: options.privacy_url.clone().or(former.privacy_url),
            double_opt_in: options.double_opt_in.unwrap_or(former.double_opt_in),
        };
        let form = app.set_lead_form(&account, &options.id, form).await?;
        let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
        let _ = writeln!(text, "consent_text: {}", shown(&form.consent_text));
        let _ = writeln!(text, "privacy_url: {}", shown(&form.privacy_url));
        let _ = writeln!(text, "double_opt_in: {}", if form.double_opt_in { "on" } else { "off" });
    }
    if let Some(wanted) = wanted(&options.publishing) {
        let new_secret = app.set_publishing_target(&account, &options.id, wanted).await?;
        let target = app.publishing_target(&account, &options.id).await?;
        let _ = writeln!(text, "publish_to: {}", target.kind());
        if let Some(secret) = new_secret {
            let _ = writeln!(text, "secret: {}", secret.reveal());
        }
    }
    print(&text)
}

/// Returns the new publishing target, if the options change it. The command line has checked that no value is missing.
fn wanted(options: &PublishingOptions) -> Option<PublishTo> {
    let text = |option: &Option<String>| option.clone().unwrap_or_default();
    Some(match options.publish_to? {
        Target::Hosted => PublishTo::Hosted,
        Target::Directory => PublishTo::Directory { folder: text(&options.folder), front_matter: options.front_matter },
        Target::Push => PublishTo::Push { url: text(&options.push_url), wants_new_secret: options.new_secret },
    })
}

pub(super) async fn set_status(app: &App, options: &NameWebsite, status: WebsiteStatus) -> Result<(), Failure> {
    let account = app.account(&options.account).await?;
    app.set_website_status(&account, &options.id, status).await?;
    print(&format!("website_id: {}\nstatus: {}\n", options.id, status.as_str()))
}

fn shown(retention: Option<Duration>) -> String {
    retention.map_or_else(|| "forever".to_owned(), duration::show)
}

fn shown_slots(slots: &PublishingSlots) -> String {
    if slots.is_empty() { "none".to_owned() } else { slots.to_string() }
}

/// Returns the next slots in the time zone of the website.
fn next_slots(website: &Website, now: Timestamp) -> impl Iterator<Item = String> {
    let zone = TimeZone::or_utc(&website.time_zone);
    website.publishing_slots.after(zone, now).take(SHOWN_SLOTS).map(move |slot| zone.show(slot))
}
