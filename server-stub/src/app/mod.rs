//! Use cases: one function per operation, plus lead intake, reading for the hosted site, and administration. They decide and store.
//! They do not depend on HTTP and contain no status codes. Each folder has the use cases of one subject; shared files are beside
//! the folders.

mod administration;
mod articles;
mod audit_trail;
mod body_schema;
mod caller;
mod document;
mod error;
mod hooks;
mod jobs;
mod json;
mod json_schema;
mod key_uses;
mod leads;
mod length_keywords;
mod manage_error;
mod operation;
mod page;
mod peer;
mod pipeline;
mod schema_violation;
mod service;
mod statistics;
mod users;
mod violations;
mod websites;

pub use administration::{
    AdminError, HookSettings, KeyQuery, ListedVoice, MAX_CHECKED_CHARS, NewKey, PublishTo, Setting, VoiceTrial,
    WebsiteSettings,
};
pub use audit_trail::MAX_EXPORTED_ENTRIES;
pub use caller::Caller;
pub use document::{Document, TEXT as DOCUMENT_TEXT};
pub use error::{Error, FieldCode, FieldError, Place};
pub use hooks::{
    DEFAULT_SECRET_OVERLAP, DeliveryView, EndpointView, MAX_RECOVERY, MAX_REDELIVERED, MAX_SECRET_OVERLAP, Matching,
    RotatedSecret,
};
pub use jobs::{Accepted, CheckedBody};
pub use json::parse as parse_json;
pub use leads::{LeadSubmission, LeadView, LinkState, ListedLead, NamedArticle, PersonLead, Recipient};
pub use manage_error::ManageError;
pub use operation::{Operation, RateLimitPolicy};
pub use page::Page;
pub use peer::Peer;
pub use pipeline::{BoardColumn, NewArticle, PipelineEntry, PipelineError, PublishTime, PublishTimeError};
pub use service::{App, Limits, Readiness};
pub use statistics::{Attention, DailyStatistics, STATISTICS_DAYS, Subject};
pub use users::{NewSession, PasswordHasher, SignInError, Visitor};
pub use violations::Violations;
pub use websites::{HostedArticle, MAX_SITEMAP_ADDRESSES, PublishedPage, SITE_PAGE_SIZE};
