//! Creates, finds and changes the websites of an account.

use std::time::Duration;

use url::{Host, Url};

use super::super::page::Listing;
use super::super::{AdminError, App, Page, Setting};
use super::accounts::check_line;
use crate::domain::account::{Account, MAX_WEBSITES, Website, WebsiteStatus};
use crate::domain::audit::Action;
use crate::domain::clock::Timestamp;
use crate::domain::duration;
use crate::domain::id::{self, Kind};
use crate::domain::lead_form::{LeadForm, MAX_CONSENT_TEXT_CHARS};
use crate::domain::publishing_slots::PublishingSlots;
use crate::domain::retention::{MAX_RETENTION, MIN_LEAD_RETENTION};
use crate::domain::store::{DeletionCounts, PageKey, PageRequest, WebsiteFilter};
use crate::domain::time_zone::TimeZone;

const MAX_WEBSITE_NAME_CHARS: usize = 120;
const MAX_URL_BYTES: usize = 2048;
/// Maximum length of a language tag, in bytes.
const MAX_LANGUAGE_BYTES: usize = 35;
/// Maximum length of the publishing slots in an audit entry, in characters.
const MAX_AUDITED_SLOTS_CHARS: usize = 80;
/// Allowed word counts (`target_word_count` under `x-limits`).
const WORD_COUNTS: std::ops::RangeInclusive<u32> = 200..=5000;

/// Settings of a website.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebsiteSettings {
    /// 1..120 characters.
    pub name: String,
    /// https, or http on a loopback host.
    pub url: String,
    /// BCP 47 tag of the articles' language.
    pub language: String,
    /// IANA name of the time zone.
    pub time_zone: String,
    /// True if finished articles are published without approval.
    pub auto_publish: bool,
    /// Times at which articles without a given time are published. Without any slots, they are published when they are ready.
    pub publishing_slots: PublishingSlots,
    /// The Brand DNA profile; `None` means the account's default.
    pub brand_voice_id: Option<String>,
    /// Default number of words of an article, 200 to 5000; `None` means the service's default.
    pub target_word_count: Option<u32>,
    /// How long leads are kept; `None` means for ever.
    pub lead_retention: Option<Duration>,
    /// Content of the website's lead forms.
    pub lead_form: LeadForm,
    /// True if readers find the hosted pages below `url`.
    pub pages_at_url: bool,
    /// True if the feed contains the full text of articles.
    pub full_text_feed: bool,
}

/// Default settings: English articles in the account's default voice, published without approval. Add a name and a URL to save
/// them.
impl Default for WebsiteSettings {
    fn default() -> Self {
        Self {
            name: String::new(),
            url: String::new(),
            language: "en".to_owned(),
            time_zone: "UTC".to_owned(),
            auto_publish: true,
            publishing_slots: PublishingSlots::default(),
            brand_voice_id: None,
            target_word_count: None,
            lead_retention: None,
            lead_form: LeadForm::default(),
            pages_at_url: false,
            full_text_feed: false,
        }
    }
}

impl WebsiteSettings {
    /// Returns a website with these settings, ids, status and times of creation and last change.
    fn of_website(
        self,
        (account_id, website_id): (String, String),
        status: WebsiteStatus,
        (created_at, updated_at): (Timestamp, Timestamp),
    ) -> Website {
        Website {
            account_id,
            website_id,
            status,
            name: self.name,
            url: self.url,
            language: self.language,
            time_zone: self.time_zone,
            auto_publish: self.auto_publish,
            publishing_slots: self.publishing_slots,
            brand_voice_id: self.brand_voice_id,
            target_word_count: self.target_word_count,
            lead_retention: self.lead_retention,
            lead_form: self.lead_form.trimmed(),
            pages_at_url: self.pages_at_url,
            full_text_feed: self.full_text_feed,
            created_at,
            updated_at,
        }
    }
}

impl App {
    /// Returns all websites of the account, newest first.
    pub async fn websites(&self, account: &Account) -> Result<Vec<Website>, AdminError> {
        let page = PageRequest { after: None, limit: MAX_WEBSITES };
        Ok(self.store.list_websites(&account.visibility(), &WebsiteFilter::default(), &page).await?)
    }

    /// Returns a page of the account's websites, newest first: the page that `page_token` points to, or the first one.
    pub async fn find_websites(
        &self,
        account: &Account,
        filter: &WebsiteFilter,
        page_token: Option<&str>,
    ) -> Result<Page<Website>, AdminError> {
        let listing = Listing::new("websites", &account.id)
            .with("status", filter.status.map(WebsiteStatus::as_str))
            .with("search", filter.search.as_ref().map(crate::domain::search::Search::as_str));
        let listing = self.at_token(listing, page_token).ok_or(AdminError::PageToken)?;
        let rows = self.store.list_websites(&account.visibility(), filter, &listing.request()).await?;
        Ok(self.page(listing, rows, |website| PageKey { time: website.created_at, id: website.website_id.clone() }))
    }

    /// Returns the account's website with this id.
    pub async fn website(&self, account: &Account, website_id: &str) -> Result<Website, AdminError> {
        let website = self.store.find_website(website_id).await?;
        let website = website.filter(|website| website.account_id == account.id);
        website.ok_or_else(|| AdminError::WebsiteNotFound(website_id.to_owned()))
    }

    /// Creates a website in the given state.
    pub async fn create_website(
        &self,
        account: &Account,
        settings: WebsiteSettings,
        status: WebsiteStatus,
    ) -> Result<Website, AdminError> {
        let now = self.clock.wall();
        let website_id = id::new(Kind::Website, now, &*self.randomness);
        let website = settings.of_website((account.id.clone(), website_id), status, (now, now));
        check(&website)?;
        self.check_voice(account, website.brand_voice_id.as_deref()).await?;
        let store = self.audited(&account.id, (Action::WebsiteCreated, Some(&website.website_id)), Some(&website.name));
        store.create_website(&website).await?;
        Ok(website)
    }

    /// Changes the settings of a website of the account, if it still has those of `former`. Queued jobs keep the
    /// values that were copied into their requests.
    pub async fn save_website(
        &self,
        account: &Account,
        former: &Website,
        settings: WebsiteSettings,
    ) -> Result<Website, AdminError> {
        let ids = (account.id.clone(), former.website_id.clone());
        let website = settings.of_website(ids, former.status, (former.created_at, self.clock.wall()));
        check(&website)?;
        self.check_voice(account, website.brand_voice_id.as_deref()).await?;
        let changed = changed_settings(former, &website);
        let change = (Action::WebsiteChanged, Some(website.website_id.as_str()));
        let is_saved = self.audited(&account.id, change, Some(&changed)).update_website(former, &website).await?;
        if is_saved { Ok(website) } else { Err(AdminError::SettingsChanged) }
    }

    /// Pauses, activates or archives a website.
    pub async fn set_website_status(
        &self,
        account: &Account,
        website_id: &str,
        status: WebsiteStatus,
    ) -> Result<(), AdminError> {
        self.check_website(account, website_id).await?;
        let store = self.audited(&account.id, (Action::WebsiteChanged, Some(website_id)), Some(status.as_str()));
        require_found(store.set_website_status(website_id, status, self.clock.wall()).await?, website_id)
    }

    /// Returns what the deletion of the website removes.
    pub async fn website_to_delete(
        &self,
        account: &Account,
        website_id: &str,
    ) -> Result<(Website, DeletionCounts), AdminError> {
        let website = self.website(account, website_id).await?;
        let counts = self.store.count_to_delete(website_id).await?;
        Ok((website, counts))
    }

    /// Deletes the website with all of its records; `domain` is its domain, typed to confirm that. It is invisible at once. The
    /// purger removes the records.
    pub async fn delete_website(&self, account: &Account, website_id: &str, domain: &str) -> Result<(), AdminError> {
        let (website, counts) = self.website_to_delete(account, website_id).await?;
        let is_same = domain.trim().eq_ignore_ascii_case(&website.domain());
        Setting::Domain.require(is_same, "must be the domain of the website")?;
        let detail = format!("{} articles, {} leads", counts.articles, counts.leads);
        let store = self.audited(&account.id, (Action::WebsiteDeleted, Some(website_id)), Some(&detail));
        require_found(store.delete_website(&account.id, website_id, self.clock.wall()).await?, website_id)?;
        tracing::info!(website_id, account_id = %account.id, "a website was deleted");
        Ok(())
    }

    /// Sets how long the website's leads are kept, within the bounds of `domain::retention`; `None` means for ever. Older leads and
    /// their events are erased soon after.
    pub async fn set_lead_retention(
        &self,
        account: &Account,
        website_id: &str,
        retention: Option<Duration>,
    ) -> Result<(), AdminError> {
        check_lead_retention(retention)?;
        self.check_website(account, website_id).await?;
        let change = (Action::WebsiteChanged, Some(website_id));
        self.audited(&account.id, change, Some("lead retention")).set_lead_retention(website_id, retention).await?;
        tracing::info!(website_id, account_id = %account.id, ?retention, "how long leads are kept was changed");
        Ok(())
    }

    /// Sets the publishing slots of the website. Scheduled posts keep their time.
    pub async fn set_publishing_slots(
        &self,
        account: &Account,
        website_id: &str,
        slots: &PublishingSlots,
    ) -> Result<(), AdminError> {
        self.check_website(account, website_id).await?;
        let store =
            self.audited(&account.id, (Action::WebsiteChanged, Some(website_id)), Some(&publishing_slots(slots)));
        require_found(store.set_publishing_slots(website_id, slots, self.clock.wall()).await?, website_id)
    }

    /// Changes how the hosted site of a website is shown; `None` keeps a setting. Returns the website.
    pub async fn set_site(
        &self,
        account: &Account,
        website_id: &str,
        settings: (Option<bool>, Option<bool>),
    ) -> Result<Website, AdminError> {
        let former = self.website(account, website_id).await?;
        let website = Website {
            pages_at_url: settings.0.unwrap_or(former.pages_at_url),
            full_text_feed: settings.1.unwrap_or(former.full_text_feed),
            ..former.clone()
        };
        let changed = changed_settings(&former, &website);
        if changed.is_empty() {
            return Ok(former);
        }
        let store = self.audited(&account.id, (Action::WebsiteChanged, Some(website_id)), Some(&changed));
        require_found(store.set_site(website_id, settings, self.clock.wall()).await?, website_id)?;
        Ok(website)
    }

    /// Sets the lead form of a website. Existing leads keep the consent text that was shown to the visitor.
    pub async fn set_lead_form(
        &self,
        account: &Account,
        website_id: &str,
        form: LeadForm,
    ) -> Result<LeadForm, AdminError> {
        let form = form.trimmed();
        check_lead_form(&form)?;
        let former = self.website(account, website_id).await?;
        let changed = changed_settings(&former, &Website { lead_form: form.clone(), ..former.clone() });
        let store = self.audited(&account.id, (Action::WebsiteChanged, Some(website_id)), Some(&changed));
        store.set_lead_form(website_id, &form, self.clock.wall()).await?;
        Ok(form)
    }

    /// Returns an error if the Brand DNA profile does not belong to the account.
    async fn check_voice(&self, account: &Account, voice_id: Option<&str>) -> Result<(), AdminError> {
        let Some(voice_id) = voice_id else { return Ok(()) };
        match self.voice(account, voice_id).await {
            Ok(_) => Ok(()),
            Err(AdminError::VoiceNotFound) => {
                let reason = "must be a profile of the account; this one may have been removed";
                Err(AdminError::Invalid { setting: Setting::BrandDna, reason })
            }
            Err(other) => Err(other),
        }
    }

    /// Returns an error if the website does not belong to the account.
    pub(in crate::app) async fn check_website(&self, account: &Account, website_id: &str) -> Result<(), AdminError> {
        self.website(account, website_id).await.map(drop)
    }
}

/// Returns an error if another process removed the website in the meantime.
fn require_found(is_there: bool, website_id: &str) -> Result<(), AdminError> {
    if is_there { Ok(()) } else { Err(AdminError::WebsiteNotFound(website_id.to_owned())) }
}

/// Returns the names of the changed settings for the audit trail. Lead retention is recorded with its value, because it erases
/// leads.
fn changed_settings(former: &Website, website: &Website) -> String {
    let retention = website.lead_retention.map_or_else(|| "for ever".to_owned(), duration::show);
    let settings = [
        (former.name != website.name, "name".to_owned()),
        (former.url != website.url, "address".to_owned()),
        (former.language != website.language, "language".to_owned()),
        (former.time_zone != website.time_zone, "time zone".to_owned()),
        (former.auto_publish != website.auto_publish, "approval".to_owned()),
        (former.publishing_slots != website.publishing_slots, publishing_slots(&website.publishing_slots)),
        (former.brand_voice_id != website.brand_voice_id, "Brand DNA".to_owned()),
        (former.target_word_count != website.target_word_count, "length of articles".to_owned()),
        (former.lead_retention != website.lead_retention, format!("leads are kept {retention}")),
        (former.lead_form.consent_text != website.lead_form.consent_text, "consent text".to_owned()),
        (former.lead_form.privacy_url != website.lead_form.privacy_url, "privacy page".to_owned()),
        (former.lead_form.double_opt_in != website.lead_form.double_opt_in, "double opt-in".to_owned()),
        (former.pages_at_url != website.pages_at_url, "place of pages".to_owned()),
        (former.full_text_feed != website.full_text_feed, "full text in the feed".to_owned()),
    ];
    let changed: Vec<_> = settings.into_iter().filter(|(is_changed, _)| *is_changed).map(|(_, name)| name).collect();
    changed.join(", ")
}

/// Returns the slots for the audit trail, truncated if they are long.
fn publishing_slots(slots: &PublishingSlots) -> String {
    if slots.is_empty() {
        return "no publishing slots".to_owned();
    }
    let text = slots.to_string();
    let shown: String = text.chars().take(MAX_AUDITED_SLOTS_CHARS).collect();
    let end = if shown.len() < text.len() { "…" } else { "" };
    format!("publishing slots {shown}{end}")
}

/// Checks the settings of a website.
fn check(website: &Website) -> Result<(), AdminError> {
    check_line(Setting::Name, &website.name, MAX_WEBSITE_NAME_CHARS, "must have at most 120 characters")?;
    check_url(Setting::WebsiteUrl, &website.url)?;
    check_lead_form(&website.lead_form)?;
    Setting::Language.require(is_language(&website.language), "must be a BCP 47 tag, such as en or de-AT")?;
    let is_zone = TimeZone::parse(&website.time_zone).is_some();
    Setting::TimeZone.require(is_zone, "must be a name of the IANA database, such as Europe/London")?;
    let is_length = website.target_word_count.is_none_or(|words| WORD_COUNTS.contains(&words));
    Setting::ArticleLength.require(is_length, "must be from 200 to 5000 words")?;
    check_lead_retention(website.lead_retention)
}

fn check_lead_form(form: &LeadForm) -> Result<(), AdminError> {
    if let Some(text) = &form.consent_text {
        check_line(Setting::ConsentText, text, MAX_CONSENT_TEXT_CHARS, "must have at most 1000 characters")?;
    }
    form.privacy_url.as_deref().map_or(Ok(()), |url| check_url(Setting::PrivacyUrl, url))
}

fn check_lead_retention(retention: Option<Duration>) -> Result<(), AdminError> {
    let is_within = retention.is_none_or(|retention| (MIN_LEAD_RETENTION..=MAX_RETENTION).contains(&retention));
    Setting::LeadRetention.require(is_within, "must be from 1d to 3650d")
}

/// Returns true if the text has the form of a BCP 47 tag: a language of two or three letters, then subtags of up to eight
/// characters.
fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let is_first = |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_subtag = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.len() <= MAX_LANGUAGE_BYTES && parts.next().is_some_and(is_first) && parts.all(is_subtag)
}

/// Checks a URL: https for any host, http only for a loopback host.
fn check_url(setting: Setting, text: &str) -> Result<(), AdminError> {
    let reason = "must be a URL, such as https://example.com";
    let url = Url::parse(text).map_err(|_| AdminError::Invalid { setting, reason })?;
    let is_loopback = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let is_allowed = url.scheme() == "https" || (url.scheme() == "http" && is_loopback);
    setting.require(is_allowed, "must begin with https:// (http:// only for a loopback host)")?;
    setting.require(text.len() <= MAX_URL_BYTES, "must have at most 2048 characters")
}
