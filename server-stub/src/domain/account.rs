//! Accounts and their websites.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use super::article::hosted_path;
use super::clock::Timestamp;
use super::lead_form::LeadForm;
use super::names::names;
use super::public_url::PublicUrl;
use super::publishing_slots::PublishingSlots;
use super::visibility::Visibility;

/// An account: the owner of websites, keys, voices, hooks, articles and leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// `acct_…`.
    pub id: String,
    /// Unique, 1..80 characters.
    pub name: String,
    /// Creation time.
    pub created_at: Timestamp,
}

impl Account {
    /// Returns the visibility of all websites of the account.
    pub fn visibility(&self) -> Visibility {
        Visibility { account_id: self.id.clone(), website_ids: None }
    }
}

names! {
    /// The state of a website.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum WebsiteStatus {
        /// Articles are generated and published, leads captured.
        Active = "active",
        /// No new articles and leads are accepted.
        Paused = "paused",
        /// Closed for good; its articles stay.
        Archived = "archived",
    }
}

/// Maximum number of websites of an account.
pub const MAX_WEBSITES: u32 = 1000;

/// A website, with the field names of the API. `account_id` never leaves the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Website {
    /// The owner.
    #[serde(skip)]
    pub account_id: String,
    /// `web_…`, 1..128 characters.
    pub website_id: String,
    /// Current state.
    pub status: WebsiteStatus,
    /// 1..120 characters.
    pub name: String,
    /// Address of the website and origin of captured leads; at most 2048 characters.
    pub url: String,
    /// True if readers find its hosted pages below `url`, for example because a proxy shows them there.
    #[serde(default)]
    pub pages_at_url: bool,
    /// True if the feed contains the full text of articles.
    #[serde(default)]
    pub full_text_feed: bool,
    /// BCP 47.
    pub language: String,
    /// IANA time zone name.
    pub time_zone: String,
    /// True if finished articles are published without approval.
    pub auto_publish: bool,
    /// Publishing times for articles without a requested time.
    pub publishing_slots: PublishingSlots,
    /// The Brand DNA profile; `None` means the account's default.
    pub brand_voice_id: Option<String>,
    /// Retention time of its leads; `None` means forever. Not part of the API.
    #[serde(skip)]
    pub lead_retention: Option<Duration>,
    /// Default number of words of an article; `None` means the service's default. Not part of the API.
    #[serde(skip)]
    pub target_word_count: Option<u32>,
    /// Settings of its lead forms.
    #[serde(default)]
    pub lead_form: LeadForm,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl Website {
    /// Returns the host of its address, which a user types to confirm a deletion.
    pub fn domain(&self) -> String {
        let url = Url::parse(&self.url).ok();
        url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_else(|| self.url.clone())
    }

    /// Returns the address at which readers find the article with this slug, unless its target reports another one. All addresses
    /// of articles come from here: `url`, `canonical_url`, front matter, pages, feeds and sitemaps.
    pub fn article_address(&self, slug: &str, is_hosted: bool, public_url: &PublicUrl) -> String {
        if is_hosted && !self.pages_at_url {
            public_url.absolute(&hosted_path(&self.website_id, slug))
        } else {
            format!("{}/{slug}", self.url.trim_end_matches('/'))
        }
    }
}
