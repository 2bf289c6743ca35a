//! Accounts, their websites, and what one caller may see of them. Nothing here checks credentials.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::lead_form::LeadForm;
use super::publishing_slots::PublishingSlots;

/// An account: the owner of websites, keys, voices, hooks, articles and leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// `acct_…`.
    pub id: String,
    /// Unique, 1..80 characters.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
}

impl Account {
    /// All that the account has, whatever the website.
    pub fn scope(&self) -> Scope {
        Scope { account_id: self.id.clone(), website_ids: None }
    }
}

/// The state of a website.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WebsiteStatus {
    /// Articles are generated and published, leads captured.
    Active,
    /// No new articles and leads are accepted.
    Paused,
    /// Closed for good; its articles stay.
    Archived,
}

impl WebsiteStatus {
    /// The name in the API and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Archived => "archived",
        }
    }

    /// The state with that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Active, Self::Paused, Self::Archived].into_iter().find(|status| status.as_str() == name)
    }
}

/// Most websites of an account.
pub const MAX_WEBSITES: u32 = 1000;

/// A website, with the member names of the API. `account_id` never leaves the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Website {
    /// The owner.
    #[serde(skip)]
    pub account_id: String,
    /// `web_…`, 1..128 characters.
    pub website_id: String,
    /// Its state.
    pub status: WebsiteStatus,
    /// 1..120 characters.
    pub name: String,
    /// Base of canonical URLs and the origin from which leads are captured; at most 2048 characters.
    pub url: String,
    /// BCP 47.
    pub language: String,
    /// IANA time zone name.
    pub time_zone: String,
    /// Whether finished articles are published without approval.
    pub auto_publish: bool,
    /// When its articles are published that nobody set a time for.
    pub publishing_slots: PublishingSlots,
    /// The Brand DNA profile; `None` means the account's default.
    pub brand_voice_id: Option<String>,
    /// How long its leads are kept; `None` means for ever. Nothing of the API tells it.
    #[serde(skip)]
    pub lead_retention: Option<Duration>,
    /// Words of an article whose length was not asked for; `None` means the service's default. Nothing of the API tells it.
    #[serde(skip)]
    pub target_word_count: Option<u32>,
    /// What its lead forms show and ask for.
    #[serde(default)]
    pub lead_form: LeadForm,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Data that a caller may see: all websites of one account, or some of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The caller's account.
    pub account_id: String,
    /// The websites it is restricted to; `None` means all of the account.
    pub website_ids: Option<Vec<String>>,
}

impl Scope {
    /// Whether something that belongs to this account and website exists for the caller.
    pub fn sees(&self, account_id: &str, website_id: &str) -> bool {
        self.account_id == account_id
            && self.website_ids.as_ref().is_none_or(|ids| ids.iter().any(|id| id == website_id))
    }
}
