//! Websites of an account.

use std::time::Duration;

use url::{Host, Url};

use super::super::page::Page;
use super::super::page::Walk;
use super::super::service::App;
use super::bounds::check_length;
use super::error::AdminError;
use crate::domain::account::{Account, Scope, Website, WebsiteStatus};
use crate::domain::audit::Action;
use crate::domain::id::{self, Kind};
use crate::domain::retention::{MAX_RETENTION, MIN_LEAD_RETENTION};
use crate::domain::store::{PageKey, PageRequest, WebsiteFilter};
use crate::domain::time_zone::TimeZone;

const MAX_WEBSITE_NAME_CHARS: usize = 120;
const MAX_URL_BYTES: usize = 2048;
/// The longest language tag, bytes.
const MAX_LANGUAGE_BYTES: usize = 35;
/// Words that can be asked for (`target_word_count` under `x-limits`).
const WORD_COUNTS: std::ops::RangeInclusive<u32> = 200..=5000;

/// A website to make.
#[derive(Debug, Clone)]
pub struct NewWebsite {
    /// 1..120 characters.
    pub name: String,
    /// https, or http on a loopback host.
    pub url: String,
    /// BCP 47.
    pub language: String,
    /// IANA name.
    pub time_zone: String,
    /// Whether finished articles are published without approval.
    pub auto_publish: bool,
    /// Its state at first.
    pub status: WebsiteStatus,
}

/// What its owner sets of a website.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebsiteSettings {
    /// 1..120 characters.
    pub name: String,
    /// https, or http on a loopback host.
    pub url: String,
    /// BCP 47.
    pub language: String,
    /// IANA name.
    pub time_zone: String,
    /// Whether finished articles are published without approval.
    pub auto_publish: bool,
    /// The Brand DNA profile; `None` means the account's default.
    pub brand_voice_id: Option<String>,
    /// Words of an article whose length was not asked for, 200 to 5000; `None` means the service's default.
    pub target_word_count: Option<u32>,
    /// How long leads are kept; `None` means for ever.
    pub lead_retention: Option<Duration>,
}

impl App {
    /// The account's newest websites, at most 100.
    pub async fn websites(&self, account: &Account) -> Result<Vec<Website>, AdminError> {
        let page = PageRequest { after: None, limit: 100 };
        Ok(self.store.list_websites(&scope(account), &WebsiteFilter::default(), &page).await?)
    }

    /// A page of the account's websites, newest first, behind the page that gave the token.
    pub async fn find_websites(
        &self,
        account: &Account,
        filter: &WebsiteFilter,
        page_token: Option<&str>,
    ) -> Result<Page<Website>, AdminError> {
        let walk = Walk::new("websites", &account.id)
            .with("status", filter.status.map(WebsiteStatus::as_str))
            .with("search", filter.search.as_ref().map(crate::domain::search::Search::as_str));
        let request = self.begin(&walk, page_token).ok_or(AdminError::PageToken)?;
        let rows = self.store.list_websites(&scope(account), filter, &request).await?;
        Ok(self.end(walk, rows, |website| PageKey { time: website.created_at, id: website.website_id.clone() }))
    }

    /// The account's website with that id.
    pub async fn website(&self, account: &Account, website_id: &str) -> Result<Website, AdminError> {
        let website = self.store.find_website(website_id).await?;
        let website = website.filter(|website| website.account_id == account.id);
        website.ok_or_else(|| AdminError::WebsiteNotFound(website_id.to_owned()))
    }

    /// Makes a website.
    pub async fn create_website(&self, account: &Account, wanted: NewWebsite) -> Result<Website, AdminError> {
        let now = self.clock.wall();
        let website = Website {
            account_id: account.id.clone(),
            website_id: id::new(Kind::Website, now, &*self.randomness),
            status: wanted.status,
            name: wanted.name,
            url: wanted.url,
            language: wanted.language,
            time_zone: wanted.time_zone,
            auto_publish: wanted.auto_publish,
            brand_voice_id: None,
            lead_retention: None,
            target_word_count: None,
            created_at: now,
            updated_at: now,
        };
        check(&website)?;
        let store =
            self.changing(&account.id, (Action::WebsiteCreated, Some(&website.website_id)), Some(&website.name));
        store.create_website(&website).await?;
        Ok(website)
    }

    /// Changes what its owner sets of a website. Jobs that are queued keep what they were queued with.
    pub async fn save_website(
        &self,
        account: &Account,
        website_id: &str,
        settings: WebsiteSettings,
    ) -> Result<Website, AdminError> {
        let website = Website {
            name: settings.name,
            url: settings.url,
            language: settings.language,
            time_zone: settings.time_zone,
            auto_publish: settings.auto_publish,
            brand_voice_id: settings.brand_voice_id,
            target_word_count: settings.target_word_count,
            lead_retention: settings.lead_retention,
            updated_at: self.clock.wall(),
            ..self.website(account, website_id).await?
        };
        check(&website)?;
        self.check_voice(account, website.brand_voice_id.as_deref()).await?;
        self.update_website(account, &website, "settings").await?;
        Ok(website)
    }

    /// Pauses, activates or archives a website.
    pub async fn set_website_status(
        &self,
        account: &Account,
        website_id: &str,
        status: WebsiteStatus,
    ) -> Result<(), AdminError> {
        let website = self.website(account, website_id).await?;
        let website = Website { status, updated_at: self.clock.wall(), ..website };
        self.update_website(account, &website, status.as_str()).await
    }

    /// Sets how long the website's leads are kept, within the bounds of `domain::retention`; `None` means for ever. Those that
    /// are older are erased soon, with what was announced of them.
    pub async fn set_lead_retention(
        &self,
        account: &Account,
        website_id: &str,
        retention: Option<Duration>,
    ) -> Result<(), AdminError> {
        check_lead_retention(retention)?;
        self.check_website(account, website_id).await?;
        let change = (Action::WebsiteChanged, Some(website_id));
        self.changing(&account.id, change, Some("lead retention")).set_lead_retention(website_id, retention).await?;
        tracing::info!(website_id, account_id = %account.id, ?retention, "how long leads are kept was changed");
        Ok(())
    }

    /// Refuses a Brand DNA profile that is not the account's.
    async fn check_voice(&self, account: &Account, voice_id: Option<&str>) -> Result<(), AdminError> {
        let Some(voice_id) = voice_id else { return Ok(()) };
        match self.voice(account, voice_id).await {
            Ok(_) => Ok(()),
            Err(AdminError::VoiceNotFound) => {
                let reason = "is none of the account's profiles; it may have been removed";
                Err(AdminError::Invalid { what: "the Brand DNA", reason })
            }
            Err(other) => Err(other),
        }
    }

    async fn update_website(&self, account: &Account, website: &Website, detail: &str) -> Result<(), AdminError> {
        let store = self.changing(&account.id, (Action::WebsiteChanged, Some(&website.website_id)), Some(detail));
        if store.update_website(website).await? {
            return Ok(());
        }
        Err(AdminError::WebsiteNotFound(website.website_id.clone()))
    }

    /// Refuses a website that is not the account's.
    pub(super) async fn check_website(&self, account: &Account, website_id: &str) -> Result<(), AdminError> {
        self.website(account, website_id).await.map(drop)
    }
}

fn scope(account: &Account) -> Scope {
    Scope { account_id: account.id.clone(), website_ids: None }
}

/// What may be set of a website. The names in the errors are those of `WebsiteSettings`, in words.
fn check(website: &Website) -> Result<(), AdminError> {
    check_length("the name", &website.name, MAX_WEBSITE_NAME_CHARS)?;
    check_url("the website's URL", &website.url)?;
    if !is_language(&website.language) {
        return Err(AdminError::Invalid { what: "the language", reason: "must be a BCP 47 tag, such as en or de-AT" });
    }
    if TimeZone::parse(&website.time_zone).is_none() {
        let reason = "must be a name of the IANA database, such as Europe/London";
        return Err(AdminError::Invalid { what: "the time zone", reason });
    }
    if website.target_word_count.is_some_and(|words| !WORD_COUNTS.contains(&words)) {
        return Err(AdminError::Invalid { what: "the length of articles", reason: "must be from 200 to 5000 words" });
    }
    check_lead_retention(website.lead_retention)
}

fn check_lead_retention(retention: Option<Duration>) -> Result<(), AdminError> {
    if retention.is_some_and(|retention| !(MIN_LEAD_RETENTION..=MAX_RETENTION).contains(&retention)) {
        return Err(AdminError::Invalid { what: "the retention of leads", reason: "must be from 1d to 3650d" });
    }
    Ok(())
}

/// Whether the text has the form of a BCP 47 tag: a language of two or three letters, then subtags of up to eight.
fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let is_first = |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_subtag = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.len() <= MAX_LANGUAGE_BYTES && parts.next().is_some_and(is_first) && parts.all(is_subtag)
}

/// https anywhere, http on a loopback host (CONTRACT 1.1 and 1.9).
fn check_url(what: &'static str, text: &str) -> Result<(), AdminError> {
    let url = Url::parse(text).map_err(|_| AdminError::Invalid { what, reason: "is not a URL" })?;
    let is_loopback = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let is_allowed = url.scheme() == "https" || (url.scheme() == "http" && is_loopback);
    if !is_allowed {
        return Err(AdminError::Invalid {
            what,
            reason: "must begin with https:// (http:// only for a loopback host)",
        });
    }
    if text.len() > MAX_URL_BYTES {
        return Err(AdminError::Invalid { what, reason: "is longer than 2048 characters" });
    }
    Ok(())
}
