//! What an operator sets up from the command line: accounts, websites, keys, hooks. Printing it is `cli`'s business.

use url::{Host, Url};

use super::service::App;
use crate::domain::account::{Account, Scope, Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::event::EventType;
use crate::domain::hook::{EndpointStatus, HookEndpoint, HookSecret};
use crate::domain::id::{self, Kind};
use crate::domain::key::{ApiKey, KeyQuotas, Permission, Secret, SecretHash};
use crate::domain::store::{self, PageRequest};
use crate::domain::voice::BrandVoice;
use crate::hooks::{AddressError, AddressPolicy};

const MAX_NAME: usize = 80;
const MAX_WEBSITE_NAME: usize = 120;
const MAX_URL: usize = 2048;

/// Why something was not set up; each is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// A value outside its bounds.
    #[error("{what} {reason}")]
    Invalid {
        /// Which value.
        what: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// No account has that name or id.
    #[error("there is no account named `{0}`; make it with `account create --name {0}`")]
    AccountNotFound(String),
    /// The account has no such website.
    #[error("the account has no website `{0}`")]
    WebsiteNotFound(String),
    /// Hooks do not go there.
    #[error("the hook's URL is refused: {0}")]
    HookAddress(#[source] AddressError),
    /// The account's name is taken.
    #[error("an account with this name exists; choose another name")]
    NameTaken,
    /// A key needs an active website.
    #[error("the account has no active website, which a key needs; make one with `website create`")]
    WebsiteRequired,
    /// The store refused or failed.
    #[error(transparent)]
    Store(store::Error),
}

impl From<store::Error> for AdminError {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::WebsiteRequired => Self::WebsiteRequired,
            store::Error::AlreadyExists => Self::NameTaken,
            other => Self::Store(other),
        }
    }
}

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
    /// Whether it takes articles from the start.
    pub status: WebsiteStatus,
}

/// A key to make.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// 1..80 characters.
    pub name: String,
    /// What it may be used for.
    pub permissions: Vec<Permission>,
    /// The websites it is restricted to.
    pub website_ids: Option<Vec<String>>,
    /// Its own quotas.
    pub quotas: KeyQuotas,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
}

/// An endpoint to register.
#[derive(Debug, Clone)]
pub struct NewHook {
    /// https, or http on a loopback host.
    pub url: String,
    /// What to send.
    pub events: Vec<EventType>,
    /// Only of this website.
    pub website_id: Option<String>,
    /// Whether `article.published` carries the article's text.
    pub include_content: bool,
}

impl App {
    /// Makes an account.
    pub async fn create_account(&self, name: &str) -> Result<Account, AdminError> {
        check_length("the name", name, MAX_NAME)?;
        let now = self.clock.now();
        let account =
            Account { id: id::new(Kind::Account, now, &*self.randomness), name: name.to_owned(), created_at: now };
        self.store.create_account(&account).await?;
        Ok(account)
    }

    /// The account with that name or id.
    pub async fn account(&self, name_or_id: &str) -> Result<Account, AdminError> {
        let account = self.store.find_account(name_or_id).await?;
        account.ok_or_else(|| AdminError::AccountNotFound(name_or_id.to_owned()))
    }

    /// The account's newest websites, at most 100.
    pub async fn websites(&self, account: &Account) -> Result<Vec<Website>, AdminError> {
        let scope = Scope { account_id: account.id.clone(), website_ids: None };
        Ok(self.store.list_websites(&scope, &PageRequest { after: None, limit: 100 }).await?)
    }

    /// Makes a website, active.
    pub async fn create_website(&self, account: &Account, wanted: NewWebsite) -> Result<Website, AdminError> {
        check_length("the name", &wanted.name, MAX_WEBSITE_NAME)?;
        check_url("the website's URL", &wanted.url)?;
        let now = self.clock.now();
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
            created_at: now,
            updated_at: now,
        };
        self.store.create_website(&website).await?;
        Ok(website)
    }

    /// Stores a Brand DNA profile.
    pub async fn put_voice(&self, account: &Account, voice: &BrandVoice) -> Result<(), AdminError> {
        Ok(self.store.put_voice(&account.id, voice).await?)
    }

    /// Makes a key with a new secret, which is shown once.
    pub async fn create_key(&self, account: &Account, wanted: NewKey) -> Result<(ApiKey, Secret), AdminError> {
        let secret = Secret::generate(&*self.randomness);
        let key = self.create_key_with(account, wanted, &secret).await?;
        Ok((key, secret))
    }

    /// Makes a key with a given secret.
    pub async fn create_key_with(
        &self,
        account: &Account,
        wanted: NewKey,
        secret: &Secret,
    ) -> Result<ApiKey, AdminError> {
        check_length("the name", &wanted.name, MAX_NAME)?;
        for website_id in wanted.website_ids.iter().flatten() {
            self.check_website(account, website_id).await?;
        }
        let now = self.clock.now();
        let key = ApiKey {
            id: id::new(Kind::ApiKey, now, &*self.randomness),
            account_id: account.id.clone(),
            name: wanted.name,
            secret_hash: SecretHash::of(secret.reveal()),
            last4: secret.last4(),
            permissions: wanted.permissions,
            website_ids: wanted.website_ids,
            quotas: wanted.quotas,
            created_at: now,
            expires_at: wanted.expires_at,
            revoked_at: None,
        };
        self.store.create_key(&key).await?;
        Ok(key)
    }

    /// Whether a key with this secret exists, live or not.
    pub async fn has_key(&self, secret: &Secret) -> Result<bool, AdminError> {
        Ok(self.store.find_key(SecretHash::of(secret.reveal())).await?.is_some())
    }

    /// Registers a hook endpoint with a new secret.
    pub async fn create_hook(&self, account: &Account, wanted: NewHook) -> Result<HookEndpoint, AdminError> {
        let checked = match &self.destinations {
            Some(destinations) => destinations.check(&wanted.url).await.map(drop),
            // What may be reached is for the server that sends to decide; its operator registers here.
            None => AddressPolicy::allow_loopback().check_url(&wanted.url).map(drop),
        };
        checked.map_err(AdminError::HookAddress)?;
        if let Some(website_id) = &wanted.website_id {
            self.check_website(account, website_id).await?;
        }
        let now = self.clock.now();
        let endpoint = HookEndpoint {
            id: id::new(Kind::HookEndpoint, now, &*self.randomness),
            account_id: account.id.clone(),
            url: wanted.url,
            events: wanted.events,
            website_id: wanted.website_id,
            description: None,
            secret: HookSecret::generate(&*self.randomness),
            status: EndpointStatus::Active,
            include_content: wanted.include_content,
            created_at: now,
        };
        self.store.create_hook_endpoint(&endpoint).await?;
        Ok(endpoint)
    }

    /// Removes a hook endpoint with what is still to be sent to it; says whether there was one.
    pub async fn remove_hook(&self, hook_id: &str) -> Result<bool, AdminError> {
        Ok(self.store.remove_hook_endpoint(hook_id).await?)
    }

    async fn check_website(&self, account: &Account, website_id: &str) -> Result<(), AdminError> {
        let website = self.store.find_website(website_id).await?;
        if website.is_some_and(|website| website.account_id == account.id) {
            return Ok(());
        }
        Err(AdminError::WebsiteNotFound(website_id.to_owned()))
    }
}

fn check_length(what: &'static str, text: &str, max: usize) -> Result<(), AdminError> {
    if text.trim().is_empty() {
        return Err(AdminError::Invalid { what, reason: "must not be empty" });
    }
    if text.chars().count() > max {
        return Err(AdminError::Invalid { what, reason: "is too long" });
    }
    Ok(())
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
    if text.len() > MAX_URL {
        return Err(AdminError::Invalid { what, reason: "is longer than 2048 characters" });
    }
    Ok(())
}
