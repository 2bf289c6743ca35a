//! `website`: creates, shows and changes websites.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::json;

use super::database::open_account;
use super::failure::Failure;
use super::hook::policy_of;
use super::output::{json_lines, print, table};
use crate::app::{App, PublishTo, WebsiteSettings};
use crate::config::{CreateWebsite, DeleteWebsite, List, NameWebsite, PublishingOptions, SetWebsite, Target, Website};
use crate::domain::account::{self, Account, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::duration;
use crate::domain::lead_form::LeadForm;
use crate::domain::publishing_slots::PublishingSlots;
use crate::domain::time_zone::TimeZone;

/// Number of coming publishing slots that are shown.
const SHOWN_SLOTS: usize = 3;

pub(super) async fn run(command: Website) -> Result<(), Failure> {
    match command {
        Website::Create(options) => {
            let (app, account) = open_account(&options.owner).await?;
            create(&app, &account, options).await
        }
        Website::List(options) => list(&options).await,
        Website::Set(options) => {
            let policy = policy_of(&options.addresses)?;
            let (app, account) = open_account(&options.owner).await?;
            set(&app.with_hook_policy(policy), &account, &options).await
        }
        Website::Pause(options) => set_status(&options, WebsiteStatus::Paused).await,
        Website::Resume(options) => set_status(&options, WebsiteStatus::Active).await,
        Website::Delete(DeleteWebsite { website, confirm }) => {
            let (app, account) = open_account(&website.owner).await?;
            app.delete_website(&account, &website.id, &confirm).await?;
            print(&format!("deleted: {}\n", website.id))
        }
    }
}

async fn create(app: &App, account: &Account, options: CreateWebsite) -> Result<(), Failure> {
    let settings = WebsiteSettings {
        name: options.name,
        url: options.url,
        language: options.language,
        time_zone: options.time_zone,
        auto_publish: !options.manual_publish,
        publishing_slots: options.publishing_slots,
        pages_at_url: options.pages_at_url,
        full_text_feed: options.full_text_feed,
        ..WebsiteSettings::default()
    };
    let website = app.create_website(account, settings, WebsiteStatus::Active).await?;
    print(&format!("website_id: {}\nname: {}\nurl: {}\n", website.website_id, website.name, website.url))
}

async fn list(List { owner, json }: &List) -> Result<(), Failure> {
    let (app, account) = open_account(owner).await?;
    let websites = app.websites(&account).await?;
    if !json {
        let rows: Vec<_> = websites.iter().map(row).collect();
        return print(&table(["website", "status", "name", "url", "lead_retention"], &rows));
    }
    let mut objects = Vec::new();
    for website in &websites {
        let target = app.publishing_target(&account, &website.website_id).await?;
        objects.push(object(website, target.kind()));
    }
    print(&json_lines(objects))
}

fn row(website: &account::Website) -> [String; 5] {
    [
        website.website_id.clone(),
        website.status.as_str().to_owned(),
        website.name.clone(),
        website.url.clone(),
        shown(website.lead_retention),
    ]
}

fn object(website: &account::Website, publish_to: &str) -> serde_json::Value {
    json!({
        "website_id": website.website_id,
        "status": website.status,
        "name": website.name,
        "url": website.url,
        "lead_retention": shown(website.lead_retention),
        "lead_form": website.lead_form,
        "publish_to": publish_to,
        "pages_at_url": website.pages_at_url,
        "full_text_feed": website.full_text_feed,
        "time_zone": website.time_zone,
        "publishing_slots": website.publishing_slots,
        "created_at": website.created_at,
    })
}

async fn set(app: &App, account: &Account, options: &SetWebsite) -> Result<(), Failure> {
    let mut text = format!("website_id: {}\n", options.id);
    if let Some(retention) = options.lead_retention {
        app.set_lead_retention(account, &options.id, retention.0).await?;
        let _ = writeln!(text, "lead_retention: {}", shown(retention.0));
    }
    if let Some(slots) = &options.publishing_slots {
        app.set_publishing_slots(account, &options.id, slots).await?;
        let website = app.website(account, &options.id).await?;
        let _ = writeln!(text, "publishing_slots: {}", shown_slots(slots));
        for slot in next_slots(&website, app.clock().wall()) {
            let _ = writeln!(text, "next_slot: {slot}");
        }
    }
    if options.consent_text.is_some() || options.privacy_url.is_some() || options.double_opt_in.is_some() {
        let former = app.website(account, &options.id).await?.lead_form;
        let form = LeadForm {
            consent_text: options.consent_text.clone().or(former.consent_text),
            privacy_url: options.privacy_url.clone().or(former.privacy_url),
            double_opt_in: options.double_opt_in.unwrap_or(former.double_opt_in),
        };
        let form = app.set_lead_form(account, &options.id, form).await?;
        let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
        let _ = writeln!(text, "consent_text: {}", shown(&form.consent_text));
        let _ = writeln!(text, "privacy_url: {}", shown(&form.privacy_url));
        let _ = writeln!(text, "double_opt_in: {}", on_or_off(form.double_opt_in));
    }
    if options.pages_at_url.is_some() || options.full_text_feed.is_some() {
        let website = app.set_site(account, &options.id, (options.pages_at_url, options.full_text_feed)).await?;
        let _ = writeln!(text, "pages_at_url: {}", on_or_off(website.pages_at_url));
        let _ = writeln!(text, "full_text_feed: {}", on_or_off(website.full_text_feed));
    }
    if let Some(wanted) = wanted(&options.publishing) {
        let former = app.publishing_target(account, &options.id).await?;
        let new_secret = app.set_publishing_target(account, &options.id, &former, wanted).await?;
        let target = app.publishing_target(account, &options.id).await?;
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

async fn set_status(options: &NameWebsite, status: WebsiteStatus) -> Result<(), Failure> {
    let (app, account) = open_account(&options.owner).await?;
    app.set_website_status(&account, &options.id, status).await?;
    print(&format!("website_id: {}\nstatus: {}\n", options.id, status.as_str()))
}

const fn on_or_off(is_on: bool) -> &'static str {
    if is_on { "on" } else { "off" }
}

fn shown(retention: Option<Duration>) -> String {
    retention.map_or_else(|| "forever".to_owned(), duration::show)
}

fn shown_slots(slots: &PublishingSlots) -> String {
    if slots.is_empty() { "none".to_owned() } else { slots.to_string() }
}

/// Returns the next slots in the time zone of the website.
fn next_slots(website: &account::Website, now: Timestamp) -> impl Iterator<Item = String> {
    let zone = TimeZone::or_utc(&website.time_zone);
    website.publishing_slots.after(zone, now).take(SHOWN_SLOTS).map(move |slot| zone.show(slot))
}
