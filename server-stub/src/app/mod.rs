//! Use cases: one function per operation, plus lead intake, reading for the hosted site, and administration. They decide and store.
//! They do not depend on HTTP and contain no status codes. Each file or folder has the use cases of one subject.

mod admin_error;
mod administration;
mod articles;
mod attention;
mod audit_trail;
mod authenticate;
mod body_schema;
mod daily_counts;
mod deliveries;
mod document;
mod endpoints;
mod error;
mod generate;
mod jobs;
mod json;
mod json_schema;
mod key_uses;
mod leads;
mod operation;
mod page;
mod pipeline;
mod schema_violation;
mod service;
mod users;
mod websites;

pub use admin_error::{AdminError, Setting};
pub use administration::{KeyQuery, ListedVoice, MAX_CHECKED_CHARS, NewKey, PublishTo, VoiceTrial, WebsiteSettings};
pub use attention::{Attention, Subject};
pub use audit_trail::MAX_EXPORTED_ENTRIES;
pub use authenticate::{Caller, Peer};
pub use daily_counts::{DailyStatistics, STATISTICS_DAYS};
pub use deliveries::{DeliveryView, MAX_RECOVERY, MAX_REDELIVERED, Matching};
pub use document::{Document, TEXT as DOCUMENT_TEXT};
pub use endpoints::{DEFAULT_SECRET_OVERLAP, EndpointView, HookSettings, MAX_SECRET_OVERLAP, RotatedSecret};
pub use error::{Error, FieldCode, FieldError, Place, Violations};
pub use generate::{Accepted, CheckedBody};
pub use json::parse as parse_json;
pub use leads::{LeadSubmission, LeadView, LinkState, ListedLead, NamedArticle, PersonLead, Recipient};
pub use operation::{Operation, RateLimitPolicy};
pub use page::Page;
pub use pipeline::{BoardColumn, NewArticle, PipelineEntry, PipelineError, PublishTime, PublishTimeError};
pub use service::{App, Limits, Readiness};
pub use users::{NewSession, PasswordHasher, SignInError, Visitor};
pub use websites::{HostedArticle, MAX_SITEMAP_ADDRESSES, PublishedPage, SITE_PAGE_SIZE};
