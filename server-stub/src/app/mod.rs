//! Use cases: one function per operation, plus lead intake, the hosted site's reading and administration. They decide and
//! store; nothing here knows HTTP, and no status code appears here.
//! A use case lies in the folder of what it is about; what all of them share lies beside the folders.

mod administration;
mod articles;
mod body_schema;
mod caller;
mod document;
mod error;
mod hooks;
mod jobs;
mod json;
mod json_schema;
mod leads;
mod length_keywords;
mod manage_error;
mod operation;
mod page;
mod schema_violation;
mod service;
mod users;
mod violations;
mod websites;

pub use administration::{
    AdminError, ListedVoice, MAX_CHECKED_CHARS, NewHook, NewKey, NewWebsite, VoiceTrial, WebsiteSettings,
};
pub use caller::Caller;
pub use document::{Document, TEXT as DOCUMENT_TEXT};
pub use error::{Error, FieldCode, FieldError, Place};
pub use hooks::{DEFAULT_SECRET_OVERLAP, EndpointView, MAX_RECOVERY, MAX_SECRET_OVERLAP, RotatedSecret};
pub use jobs::{Accepted, CheckedBody};
pub use json::parse as parse_json;
pub use leads::LeadSubmission;
pub use manage_error::ManageError;
pub use operation::{Operation, RateLimitPolicy};
pub use page::Page;
pub use service::{App, Limits, Readiness};
pub use users::{NewSession, PasswordHasher, SignInError, Visitor};
pub use violations::Violations;
pub use websites::{PublishedPage, SITE_PAGE_SIZE};
