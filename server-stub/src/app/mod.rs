//! Use cases: one function per operation, plus lead intake, the hosted site's reading and administration. They decide and
//! store; nothing here knows HTTP, and no status code appears here.

mod admin;
mod caller;
mod cancel_job;
mod capture_lead;
mod document;
mod erase_lead;
mod error;
mod generate;
mod get_article;
mod get_job;
mod get_lead;
mod hook_deliveries;
mod hook_endpoints;
mod json;
mod list_articles;
mod list_leads;
mod list_scheduled_posts;
mod list_websites;
mod manage_error;
mod operation;
mod page;
mod read_site;
mod schema_violation;
mod service;

pub use admin::{AdminError, NewHook, NewKey, NewWebsite};
pub use caller::Caller;
pub use capture_lead::Intake;
pub use document::{Document, TEXT as DOCUMENT_TEXT};
pub use error::{Error, FieldCode, FieldError, Place};
pub use generate::Accepted;
pub use hook_deliveries::MAX_RECOVERY;
pub use hook_endpoints::{DEFAULT_SECRET_OVERLAP, EndpointView, MAX_SECRET_OVERLAP, RotatedSecret};
pub use json::parse as parse_json;
pub use manage_error::ManageError;
pub use operation::{Operation, Policy};
pub use page::Page;
pub use read_site::{PublishedPage, SITE_PAGE_SIZE};
pub use service::{App, Limits, Readiness};
