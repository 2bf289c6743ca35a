//! What is known about the target before the first case.
//!
//! Reading it from flags and files lives in `cli`; keys stay in `runner::transport`.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::capability::Capability;
use super::lead_eraser::LeadEraser;
use super::pausing::PausableWebsite;
use super::secrets::Secrets;

/// Where the id of a job's article comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArticleIdSource {
    /// `Job.article_id`, or the job's own id.
    #[default]
    Job,
    /// The `job_id` itself.
    JobId,
    /// A hook's payload.
    Hook,
}

/// How a lead is captured on the target.
#[derive(Debug, Clone)]
pub struct Capture {
    /// HTTP method.
    pub method: String,
    /// URL with `{base_url}` and `{website_id}` already filled in.
    pub url: String,
    /// JSON body with the places `{email}`, `{name}` and `{message}`.
    pub json: Option<Value>,
    /// Form fields with the same places.
    pub form: Option<Vec<(String, String)>>,
}

/// An order whose job fails for good, however often it is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FailingJob {
    /// The topic that cannot be written about; any ordinary one where the website alone is the reason.
    pub topic: Option<String>,
    /// The website that cannot be written for; the one under test where the topic alone is the reason.
    pub website_id: Option<String>,
}

/// What the run knows about its target.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Base URL without a trailing slash.
    pub base_url: String,
    /// An active website of the account under test.
    pub website_id: String,
    /// A website of the second account.
    pub other_website_id: Option<String>,
    /// A website of the account under test that is paused or archived.
    pub inactive_website_id: Option<String>,
    /// A website of the account under test whose leads have to be confirmed by a link.
    pub double_opt_in_website_id: Option<String>,
    /// The website of the account under test that the restricted key may use.
    pub restricted_website_id: Option<String>,
    /// An order whose job fails for good.
    pub failing_job: Option<FailingJob>,
    /// A website that can be paused.
    pub pausable: Option<Arc<PausableWebsite>>,
    /// Erases leads of the account under test.
    pub eraser: Option<Arc<dyn LeadEraser>>,
    /// What the target offers and the set-up declares.
    pub capabilities: BTreeSet<Capability>,
    /// Where article ids come from.
    pub article_id_from: ArticleIdSource,
    /// Where a hook's payload holds the article id.
    pub hook_id_pointer: String,
    /// How long generation may take.
    pub ready_within: Duration,
    /// When a hook that was not taken is sent again at the latest, if the target promises it.
    pub retry_within: Option<Duration>,
    /// How leads are captured.
    pub capture: Option<Capture>,
    /// The addresses from which the suite reaches the target, as far as it knows them.
    pub own_addresses: BTreeSet<IpAddr>,
    /// Unix seconds at the start of the run.
    pub started: i64,
    /// Text that differs from run to run, so that keys and addresses are fresh.
    pub run: String,
    /// The API keys and the hook secret in use, to look for in answers; never printed.
    pub secrets: Secrets,
}
