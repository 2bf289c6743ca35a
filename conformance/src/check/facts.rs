//! Facts about the target that are known before the first case.
//!
//! `cli` reads them from flags and files; `runner::transport` keeps the keys.

use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::Value;

use super::capability::Capability;
use super::clock::MovableClock;
use super::pausing::PausableWebsite;
use super::secrets::Secrets;
use super::writer::BreakableWriter;

/// Source of the id of a job's article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArticleIdSource {
    /// `Job.article_id`, or the job's own id.
    #[default]
    Job,
    /// The `job_id` itself.
    JobId,
    /// A webhook's payload.
    Hook,
}

/// Describes how to capture a lead on the target.
#[derive(Debug, Clone)]
pub struct Capture {
    /// HTTP method.
    pub method: String,
    /// URL with `{base_url}` and `{website_id}` already filled in.
    pub url: String,
    /// JSON body with the placeholders `{email}`, `{name}` and `{message}`.
    pub json: Option<Value>,
    /// Form fields with the same placeholders.
    pub form: Option<Vec<(String, String)>>,
}

/// A request whose job fails for good, however often it is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FailingJob {
    /// A topic that cannot be written about; any ordinary topic if the website alone causes the failure.
    pub topic: Option<String>,
    /// A website for which nothing can be written; the website under test if the topic alone causes the failure.
    pub website_id: Option<String>,
}

/// Erases leads, for which the API has no operation: the set-up provides a command, or the administration interface of a server in the
/// same process. Every error is one clause.
pub trait LeadEraser: Send + Sync + fmt::Debug {
    /// Erases the lead with this id.
    fn erase(&self, lead_id: String) -> BoxFuture<'_, Result<(), String>>;
}

/// Restarts the target: a command of the set-up, or a server in the same process. Every error is one clause.
pub trait Restarter: Send + Sync + fmt::Debug {
    /// Stops the target and starts it again with the same data, address and keys. Returns when it has started.
    fn restart(&self) -> BoxFuture<'_, Result<(), String>>;
}

/// Facts about the target.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Base URL without a trailing slash.
    pub base_url: String,
    /// An active website of the account under test.
    pub website_id: String,
    /// True if that website has publishing slots, so that an article without `publish_at` waits for one.
    pub has_publishing_slots: bool,
    /// A website of the second account.
    pub other_website_id: Option<String>,
    /// A website of the account under test that is paused or archived.
    pub inactive_website_id: Option<String>,
    /// A website of the account under test whose leads have to be confirmed by a link.
    pub double_opt_in_website_id: Option<String>,
    /// The website of the account under test that the restricted key may use.
    pub restricted_website_id: Option<String>,
    /// A request whose job fails for good.
    pub failing_job: Option<FailingJob>,
    /// A website that can be paused.
    pub pausable: Option<Arc<PausableWebsite>>,
    /// The clock of the target, if it can be moved.
    pub clock: Option<Arc<MovableClock>>,
    /// Erases leads of the account under test.
    pub eraser: Option<Arc<dyn LeadEraser>>,
    /// Restarts the target.
    pub restarter: Option<Arc<dyn Restarter>>,
    /// The writer of the target, if it can be broken.
    pub writer: Option<Arc<BreakableWriter>>,
    /// Features that the target offers or the set-up declares.
    pub capabilities: BTreeSet<Capability>,
    /// Source of article ids.
    pub article_id_from: ArticleIdSource,
    /// JSON Pointer to the article id in a webhook's payload.
    pub hook_id_pointer: String,
    /// Time within which articles are written.
    pub ready_within: Duration,
    /// True if the set-up declares that time. Otherwise it is the default, and a later article is not a failure.
    pub is_ready_within_declared: bool,
    /// Maximum time until a failed webhook is sent again, if the target promises one.
    pub retry_within: Option<Duration>,
    /// Describes how to capture leads.
    pub capture: Option<Capture>,
    /// The known addresses from which the suite reaches the target.
    pub own_addresses: BTreeSet<IpAddr>,
    /// Unix seconds at the start of the run.
    pub started: i64,
    /// Text that differs between runs, so that keys and addresses are fresh.
    pub run: String,
    /// The API keys and the webhook secret in use, to search for in responses; never printed.
    pub secrets: Secrets,
}

/// Returns `value` with every text changed, at every depth. The names of fields stay.
pub(crate) fn map_texts(value: &Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        Value::Array(items) => items.iter().map(|item| map_texts(item, change)).collect(),
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), map_texts(field, change))).collect(),
        other => other.clone(),
    }
}
