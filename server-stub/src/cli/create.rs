//! `account`, `website`, `key` and `hook create`. Each prints the new object, one `name: value` per line.

use serde_json::json;

use super::failure::{Exit, Failure};
use super::run::print;
use crate::app::{App, HookSettings, NewKey, RateLimitPolicy, WebsiteSettings};
use crate::config::{CreateHook, CreateKey, CreateWebsite};
use crate::domain::account::{Account, WebsiteStatus};
use crate::domain::event::EventType;
use crate::domain::key::{KeyQuotas, Permission};

pub(super) async fn account(app: &App, name: &str) -> Result<(), Failure> {
    let account = app.create_account(name).await?;
    print(&format!("account: {}\nname: {}\n", account.id, account.name))
}

pub(super) async fn website(app: &App, options: CreateWebsite) -> Result<(), Failure> {
    let account = app.account(&options.account).await?;
    let settings = WebsiteSettings {
        name: options.name,
        url: options.url,
        language: options.language,
        time_zone: options.time_zone,
        auto_publish: !options.manual_publish,
        publishing_slots: options.publishing_slots,
        ..WebsiteSettings::default()
    };
    let website = app.create_website(&account, settings, WebsiteStatus::Active).await?;
    print(&format!("website_id: {}\nname: {}\nurl: {}\n", website.website_id, website.name, website.url))
}

pub(super) async fn key(app: &App, options: CreateKey) -> Result<(), Failure> {
    let account = app.account(&options.account).await?;
    let mut quotas = KeyQuotas::default();
    for (policy, quota) in options.quotas {
        let place = match policy {
            RateLimitPolicy::Generate => &mut quotas.generate,
            RateLimitPolicy::Api => &mut quotas.api,
        };
        if place.replace(quota).is_some() {
            return Err(Failure::new(Exit::Usage, format!("--quota {} is given twice; keep one", policy.as_str())));
        }
    }
    let wanted = NewKey {
        name: options.name,
        permissions: if options.scopes.is_empty() { Permission::ALL.to_vec() } else { options.scopes },
        website_ids: (!options.websites.is_empty()).then_some(options.websites),
        quotas,
        expires_at: options.expires,
    };
    let (key, secret) = app.create_key(&account, wanted).await?;
    print(&format!("key: {}\nkey_id: {}\nKeep the key now; it is not shown again.\n", secret.reveal(), key.id))
}

pub(super) async fn hook(app: &App, account: &Account, options: CreateHook) -> Result<(), Failure> {
    let wanted = HookSettings {
        url: options.url,
        events: if options.events.is_empty() { EventType::DEFAULT.to_vec() } else { options.events },
        website_id: options.website,
        include_content: options.include_content,
        description: options.description,
    };
    let endpoint = app.create_hook(account, wanted).await?;
    let events: Vec<_> = endpoint.events.iter().map(|event| event.as_str()).collect();
    if options.json {
        let made = json!({ "id": endpoint.id, "secret": endpoint.secret.reveal(), "events": events });
        return print(&format!("{made}\n"));
    }
    print(&format!("hook: {}\nsecret: {}\nevents: {}\n", endpoint.id, endpoint.secret.reveal(), events.join(", ")))
}
