//! Statistics for the dashboard's overview.

use crate::domain::clock::Timestamp;
use crate::domain::day::Day;

/// A range of consecutive days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedDays {
    /// First day.
    pub first: Day,
    /// Last day.
    pub last: Day,
    /// First day whose counts may still change. Earlier counts are final.
    pub open_from: Day,
}

/// Counts of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayCounts {
    /// The day.
    pub day: Day,
    /// Number of articles that were written.
    pub articles: u64,
    /// Number of leads that were captured.
    pub leads: u64,
    /// Number of finished deliveries that were created on the day.
    pub deliveries: u64,
    /// Number of these deliveries that failed.
    pub failures: u64,
}

/// First steps that the account has completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstSteps {
    /// The account has a website.
    pub has_website: bool,
    /// The account has a key, live or not.
    pub has_key: bool,
    /// The account has an article.
    pub has_article: bool,
    /// The account has a webhook endpoint.
    pub has_hook: bool,
}

/// A key that expires soon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpiringKey {
    /// `key_…`.
    pub id: String,
    /// Name for display.
    pub name: String,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time from which the server refuses it.
    pub expires_at: Timestamp,
}

/// A paused website with waiting jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StalledWebsite {
    /// `web_…`.
    pub id: String,
    /// Name for display.
    pub name: String,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Number of waiting jobs.
    pub unfinished: u64,
}
