//! Answers: every successful one keeps the schema of its operation.

pub(super) mod cancel_job;
pub(super) mod capture_lead;
pub(super) mod generate;
pub(super) mod get_article;
pub(super) mod get_job;
pub(super) mod get_lead;
pub(super) mod get_scheduled_post;
pub(super) mod headers;
pub(super) mod json;
pub(super) mod list_articles;
pub(super) mod list_leads;
pub(super) mod list_scheduled_posts;
pub(super) mod list_websites;
pub(super) mod times;
pub(super) mod vocabulary;
