//! Numbers for the overview of the dashboard.

use crate::domain::clock::Timestamp;
use crate::domain::day::Day;

/// Days one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedDays {
    /// The first one.
    pub first: Day,
    /// The last one.
    pub last: Day,
    /// The first one whose counts may still change. Earlier ones are over.
    pub open_from: Day,
}

/// What happened on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayCounts {
    /// The day.
    pub day: Day,
    /// Articles that were written.
    pub articles: u64,
    /// Leads that were captured.
    pub leads: u64,
    /// Deliveries that were made on the day and have ended.
    pub deliveries: u64,
    /// Those of them that failed.
    pub failures: u64,
}

/// Which of the first steps with the service were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstSteps {
    /// There is a website.
    pub has_website: bool,
    /// There is a key, live or not.
    pub has_key: bool,
    /// There is an article.
    pub has_article: bool,
    /// There is a hook endpoint.
    pub has_hook: bool,
}

/// A key that expires soon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpiringKey {
    /// `key_…`.
    pub id: String,
    /// For people.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is refused.
    pub expires_at: Timestamp,
}

/// A paused website with jobs that wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StalledWebsite {
    /// `web_…`.
    pub id: String,
    /// For people.
    pub name: String,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// How many jobs wait.
    pub unfinished: u64,
}
