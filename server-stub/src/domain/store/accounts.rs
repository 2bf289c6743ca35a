//! Accounts with their websites and keys, and finding them for a caller. What a caller may do is decided elsewhere.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

use crate::domain::account::{Account, Scope, Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::key::{ApiKey, KeyState, SecretHash};
use crate::domain::lead_form::LeadForm;
use crate::domain::publishing_slots::PublishingSlots;
use crate::domain::search::Search;

use super::{PageRequest, Result};

/// Accounts, their websites and keys.
#[async_trait]
pub trait Accounts: Send + Sync + fmt::Debug {
    /// Stores an account. [`AlreadyExists`](super::Error::AlreadyExists) when the name is taken.
    async fn create_account(&self, account: &Account) -> Result<()>;
    /// The account with that name or id.
    async fn find_account(&self, name_or_id: &str) -> Result<Option<Account>>;
    /// Renames an account. [`AlreadyExists`](super::Error::AlreadyExists) when the name is taken. Returns whether it has a new name.
    async fn rename_account(&self, account_id: &str, name: &str) -> Result<bool>;
    /// Stores a website. [`LimitReached`](super::Error::LimitReached) when the account has [`MAX_WEBSITES`] of them.
    async fn create_website(&self, website: &Website) -> Result<()>;
    /// Replaces the settings of a website of its account, not its state. Returns whether there is such a website.
    async fn update_website(&self, website: &Website) -> Result<bool>;
    /// Sets the state of a website. Returns whether there is such a website.
    async fn set_website_status(&self, website_id: &str, status: WebsiteStatus, now: Timestamp) -> Result<bool>;
    /// The website, whoever owns it.
    async fn find_website(&self, website_id: &str) -> Result<Option<Website>>;
    /// A page of websites.
    async fn list_websites(&self, scope: &Scope, filter: &WebsiteFilter, page: &PageRequest) -> Result<Vec<Website>>;
    /// Sets how long the leads of a website are kept; `None` means for ever. Returns whether there is such a website.
    async fn set_lead_retention(&self, website_id: &str, retention: Option<Duration>) -> Result<bool>;
    /// Sets the publishing slots of a website. Posts that are scheduled keep their times. Returns whether there is such a website.
    async fn set_publishing_slots(&self, website_id: &str, slots: &PublishingSlots, now: Timestamp) -> Result<bool>;
    /// Sets what the lead forms of a website show and ask for. Returns whether there is such a website.
    async fn set_lead_form(&self, website_id: &str, form: &LeadForm, now: Timestamp) -> Result<bool>;
    /// Whether the website had that consent text at `since` or later, and has another one now.
    async fn is_former_consent_text(&self, website_id: &str, text: &str, since: Timestamp) -> Result<bool>;
    /// Stores a key. Needs an active website; at most 20 live keys per account.
    async fn create_key(&self, key: &ApiKey) -> Result<()>;
    /// The key with that hash, live or not.
    async fn find_key(&self, hash: SecretHash) -> Result<Option<ApiKey>>;
    /// The account's key with that id, live or not.
    async fn find_key_by_id(&self, account_id: &str, key_id: &str) -> Result<Option<ApiKey>>;
    /// A page of an account's keys.
    async fn list_keys(&self, account_id: &str, filter: &KeyFilter, page: &PageRequest) -> Result<Vec<ApiKey>>;
    /// Revokes a key of the account. Returns whether it was not revoked before.
    async fn revoke_key(&self, account_id: &str, key_id: &str, now: Timestamp) -> Result<bool>;
    /// Notes when keys were last used; an earlier time than the one that is known changes nothing.
    async fn note_key_uses(&self, uses: &[(String, Timestamp)]) -> Result<()>;
}

/// Filters of the list of keys; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyFilter {
    /// In this state at that time.
    pub state: Option<(KeyState, Timestamp)>,
    /// With this in their name.
    pub search: Option<Search>,
}

/// Filters of the list of websites; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebsiteFilter {
    /// In this state.
    pub status: Option<WebsiteStatus>,
    /// With this in their name or address.
    pub search: Option<Search>,
}
