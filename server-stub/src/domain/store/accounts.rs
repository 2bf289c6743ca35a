//! Records of an account: sessions of its users, uses of its voices, and its statistics.

use crate::domain::clock::Timestamp;
use crate::domain::day::Day;
use crate::domain::sign_in::AttemptSubject;
use crate::domain::time_zone::TimeZone;
use crate::domain::user::{PasswordHash, Session, TokenHash};

/// Maximum number of profiles of an account.
pub const MAX_VOICES: usize = 50;
/// Maximum number of websites that `Store::list_voice_uses` returns.
pub const MAX_VOICE_USES: u32 = 1000;

/// A session to open.
#[derive(Debug, Clone)]
pub struct SessionOpening {
    /// The session.
    pub session: Session,
    /// Hash of its token.
    pub token: TokenHash,
    /// Hash of the browser's former token. If it belongs to a session, that session ends.
    pub former: TokenHash,
    /// Sign-in link that opening the session uses up.
    pub link: Option<TokenHash>,
    /// Password hash that was verified. If the user's password has changed since, no session is opened.
    pub password: Option<PasswordHash>,
    /// Subjects whose attempt counters included this attempt.
    pub subjects: Vec<AttemptSubject>,
}

/// Result of removing a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceRemoval {
    /// The profile is removed.
    Done,
    /// The account has no such profile.
    NotFound,
    /// The profile is the default, which websites without a chosen profile use.
    IsDefault,
    /// Some websites have chosen the profile.
    InUse,
}

/// A website and its chosen profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceUse {
    /// The website.
    pub website_id: String,
    /// Its name.
    pub website_name: String,
    /// The profile; `None` means the account's default.
    pub voice_id: Option<String>,
}

/// A range of consecutive days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedDays {
    /// Time zone of the days.
    pub zone: TimeZone,
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
