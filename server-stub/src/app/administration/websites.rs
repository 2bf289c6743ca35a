//! Websites of an account, and which addresses they may have.

use std::time::Duration;

use url::{Host, Url};

use super::super::service::App;
use super::bounds::check_length;
use super::error::AdminError;
use crate::domain::account::{Account, Scope, Website, WebsiteStatus};
use crate::domain::id::{self, Kind};
use crate::domain::retention::{MAX_RETENTION, MIN_LEAD_RETENTION};
use crate::domain::store::PageRequest;

const MAX_WEBSITE_NAME_CHARS: usize = 120;
const MAX_URL_BYTES: usize = 2048;

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

impl App {
    /// The account's newest websites, at most 100.
    pub async fn websites(&self, account: &Account) -> Result<Vec<Website>, AdminError> {
        let scope = Scope { account_id: account.id.clone(), website_ids: None };
        Ok(self.store.list_websites(&scope, &PageRequest { after: None, limit: 100 }).await?)
    }

    /// Makes a website.
    pub async fn create_website(&self, account: &Account, wanted: NewWebsite) -> Result<Website, AdminError> {
        check_length("the name", &wanted.name, MAX_WEBSITE_NAME_CHARS)?;
        check_url("the website's URL", &wanted.url)?;
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
            created_at: now,
            updated_at: now,
        };
        self.store.create_website(&website).await?;
        Ok(website)
    }

    /// Sets how long the website's leads are kept, within the bounds of `domain::retention`; `None` means for ever. Those that
    /// are older are erased soon, with what was announced of them.
    pub async fn set_lead_retention(
        &self,
        account: &Account,
        website_id: &str,
        retention: Option<Duration>,
    ) -> Result<(), AdminError> {
        if retention.is_some_and(|retention| !(MIN_LEAD_RETENTION..=MAX_RETENTION).contains(&retention)) {
            return Err(AdminError::Invalid { what: "the retention of leads", reason: "must be from 1d to 3650d" });
        }
        self.check_website(account, website_id).await?;
        self.store.set_lead_retention(website_id, retention).await?;
        tracing::info!(website_id, account_id = %account.id, ?retention, "how long leads are kept was changed");
        Ok(())
    }

    /// Refuses a website that is not the account's.
    pub(super) async fn check_website(&self, account: &Account, website_id: &str) -> Result<(), AdminError> {
        let website = self.store.find_website(website_id).await?;
        if website.is_some_and(|website| website.account_id == account.id) {
            return Ok(());
        }
        Err(AdminError::WebsiteNotFound(website_id.to_owned()))
    }
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
