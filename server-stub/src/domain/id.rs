//! Opaque, typed, time-ordered ids: a prefix that names the kind and a `UUIDv7`. Nothing here looks anything up.

use rand::RngCore as _;
use uuid::Builder;

use super::clock::Timestamp;

/// What an id names; the prefix keeps a job id from ever being taken for an article id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An account.
    Account,
    /// An API key's public id (never the secret).
    ApiKey,
    /// An article.
    Article,
    /// One delivery of one event to one endpoint.
    Delivery,
    /// An event, which is the `webhook-id` too.
    Event,
    /// A hook endpoint.
    HookEndpoint,
    /// A generation job.
    Job,
    /// A lead.
    Lead,
    /// A scheduled post.
    Post,
    /// A request, as `X-Request-Id` names it.
    Request,
    /// A Brand DNA profile.
    Voice,
    /// A website.
    Website,
}

impl Kind {
    /// The prefix, underscore included.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Account => "acct_",
            Self::ApiKey => "key_",
            Self::Article => "art_",
            Self::Delivery => "dlv_",
            Self::Event => "evt_",
            Self::HookEndpoint => "hook_",
            Self::Job => "job_",
            Self::Lead => "lead_",
            Self::Post => "post_",
            Self::Request => "req_",
            Self::Voice => "voice_",
            Self::Website => "web_",
        }
    }
}

/// A new id of `kind`: prefix and 32 hexadecimal digits (RFC 9562 version 7), so ids sort by the time they were made.
/// It never holds a `.`, which Standard Webhooks signatures could not tell from their separator.
pub fn new(kind: Kind, now: Timestamp) -> String {
    let mut random = [0_u8; 10];
    rand::rng().fill_bytes(&mut random);
    let millis = u64::try_from(now.millis()).unwrap_or(0);
    let uuid = Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
    format!("{}{}", kind.prefix(), uuid.simple())
}
