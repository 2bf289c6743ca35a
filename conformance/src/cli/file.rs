//! The format of `conformance.toml`.
//!
//! `config` converts it to a target.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::spec::Profile;

/// A configuration file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfigurationFile {
    /// The server under test.
    pub target: TargetTable,
    /// Describes how to find articles.
    #[serde(default)]
    pub article: ArticleTable,
    /// The webhook receiver. Without it, the webhook checks are skipped.
    pub hooks: Option<HooksTable>,
    /// Describes how to capture leads. Without it, the checks that need it are skipped.
    pub leads: Option<LeadsTable>,
    /// A request whose job fails for good. Without it, the checks of failed jobs are skipped.
    pub failing_job: Option<FailingJobTable>,
    /// A website that can be paused during the run. Without it, the checks of pausing are skipped.
    pub pausing: Option<PausingTable>,
    /// A command that restarts the server. Without it, the checks of restarts are skipped.
    pub restarting: Option<RestartingTable>,
    /// A command that breaks and repairs the writer. Without it, the checks of failing and hanging writers are skipped.
    pub writer: Option<WriterTable>,
    /// The clock of the server. Without it, the checks that take hours or days are skipped.
    pub clock: Option<ClockTable>,
    /// Limits of the load on the target.
    #[serde(default)]
    pub limits: LimitsTable,
    /// The organisation responsible for the target; shown in the reports.
    #[serde(default)]
    pub report: ReportTable,
    /// Known failures, which do not fail the run until they expire.
    #[serde(default)]
    pub known_failures: Vec<KnownFailureTable>,
}

/// `[target]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetTable {
    /// Base URL.
    pub base_url: String,
    /// Certificates of a private authority in PEM, trusted in addition to the system's; relative to this file.
    pub ca_file: Option<std::path::PathBuf>,
    /// Certificate and private key in PEM, for a server that requires them (mutual TLS); relative to this file.
    pub client_certificate: Option<std::path::PathBuf>,
    /// Headers of every request, for an access protection before the server; `$NAME` is replaced by the value of that environment variable.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Environment variable that contains the key; the file never contains the key itself.
    #[serde(default = "api_key_variable")]
    pub api_key_env: String,
    /// An active website; by default the first one that the server lists.
    pub website_id: Option<String>,
    /// Profile to check.
    #[serde(default)]
    pub profile: Profile,
    /// The version of the document that the server implements, such as `1.2.0`; by default that of the suite. Newer requirements only warn.
    pub document_version: Option<String>,
    /// A second account. Enables the checks of isolation.
    pub other_account: Option<AccountTable>,
    /// A key with a small quota, so that 429 can be checked.
    pub small_quota: Option<KeyTable>,
    /// A key that may only read articles (scope `articles:read`), so that 403 can be checked.
    pub narrow_scope: Option<KeyTable>,
    /// A revoked key, to check that it is rejected.
    pub revoked_key: Option<KeyTable>,
    /// An expired key, to check that it is rejected.
    pub expired_key: Option<KeyTable>,
    /// A key with every scope that may use another website of the account, but not the one under test.
    pub restricted_key: Option<RestrictedKeyTable>,
    /// A website of the account that is paused or archived, so that its 403 can be checked.
    pub inactive_website_id: Option<String>,
    /// An active website of the account whose leads have to be confirmed by a link (double opt-in), and that requires no consent text.
    pub double_opt_in_website_id: Option<String>,
    /// Limits that the operator configured, by their names under `x-limits` of the document, such as `rate_generate`: only those with
    /// `configurable: true`. The others have the values of the document.
    #[serde(default)]
    pub limits: BTreeMap<String, NonZeroU32>,
}

/// `[target.other_account]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountTable {
    /// Environment variable that contains the key.
    pub api_key_env: String,
    /// An active website of that account.
    pub website_id: Option<String>,
}

/// `[target.small_quota]`, `[target.narrow_scope]`, `[target.revoked_key]` and `[target.expired_key]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyTable {
    /// Environment variable that contains the key.
    pub api_key_env: String,
}

/// `[target.restricted_key]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestrictedKeyTable {
    /// Environment variable that contains the key.
    pub api_key_env: String,
    /// The active website that it may use; not the one under test.
    pub website_id: String,
}

/// `[failing_job]`: the topic, the website, or both together make the job fail.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailingJobTable {
    /// A topic that cannot be written about, such as one that consists of words that the voice profile forbids.
    pub topic: Option<String>,
    /// An active website for which nothing can be written; by default the one under test.
    pub website_id: Option<String>,
}

/// `[pausing]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PausingTable {
    /// An active website of the account that nothing else uses while the suite runs; not the one under test.
    pub website_id: String,
    /// A command that pauses the website `{website_id}`.
    pub pause: Vec<String>,
    /// A command that resumes it.
    pub resume: Vec<String>,
}

/// `[restarting]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestartingTable {
    /// A command that stops the server and starts it again with the same data, address and keys. It ends when the server has started.
    pub restart: Vec<String>,
}

/// `[writer]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriterTable {
    /// A command that brings the writer into `{state}`: `works`, `fails` (every attempt fails, for a reason that may pass) or `hangs` (no
    /// attempt ends). It ends when every attempt that begins is in this state.
    pub switch: Vec<String>,
}

/// `[clock]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockTable {
    /// A command that moves the clock of the server forward by `{seconds}`, in addition to earlier calls.
    pub advance: Vec<String>,
}

/// `[article]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ArticleTable {
    /// Source of an article's id.
    pub id_from: IdFrom,
    /// JSON Pointer to the id in a webhook's payload.
    pub hook_id_pointer: String,
    /// Time within which articles are written, such as `60s`. Without it the suite waits 60 s, and a later article is not a failure.
    pub ready_within: Option<String>,
}

impl Default for ArticleTable {
    fn default() -> Self {
        Self { id_from: IdFrom::Job, hook_id_pointer: "/data/article/id".to_owned(), ready_within: None }
    }
}

/// `article.id_from`.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdFrom {
    /// `Job.article_id`, or the job's own id.
    #[default]
    Job,
    /// The `job_id` itself.
    JobId,
    /// A webhook's payload.
    Hook,
}

/// `[hooks]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HooksTable {
    /// Address on which the suite's receiver listens.
    #[serde(default = "loopback")]
    pub listen: String,
    /// URL at which the target reaches it; `{port}` is replaced by the port.
    #[serde(default = "loopback_url")]
    pub public_url: String,
    /// A command that registers `{url}`; its output is the secret, or a JSON object with `id` and `secret`.
    pub register: Option<Vec<String>>,
    /// A command that removes `{id}`.
    pub remove: Option<Vec<String>>,
    /// A command that registers `{url}` for leads only; its output has the same format as that of `register`.
    pub register_leads: Option<Vec<String>>,
    /// A command that gives the registration `{id}` a new secret; its output has the same format as that of `register`.
    pub rotate: Option<Vec<String>>,
    /// A command that sends the event `{event}`, named by its `webhook-id`, to the registration `{id}` again.
    pub redeliver: Option<Vec<String>>,
    /// True if the target signs as Standard Webhooks requires.
    #[serde(default)]
    pub standard_webhooks: bool,
    /// True if the suite may try to register private addresses such as 10.0.0.1, which the target must refuse.
    #[serde(default)]
    pub probe_private_addresses: bool,
    /// Maximum time until a failed webhook is sent again, up to `60s`. Without it, a retry that is missing after 30 s
    /// is inconclusive and not a warning.
    pub retry_within: Option<String>,
}

/// `[leads]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeadsTable {
    /// The request that captures a lead.
    pub capture: CaptureTable,
    /// A command that erases the lead `{lead_id}`. Without it, the checks of erased leads are skipped.
    pub erase: Option<Vec<String>>,
}

/// `leads.capture`: `{email}`, `{name}` and `{message}` are filled in.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaptureTable {
    /// HTTP method.
    #[serde(default = "post")]
    pub method: String,
    /// URL with `{base_url}` and `{website_id}`.
    pub url: String,
    /// JSON body.
    pub json: Option<serde_json::Value>,
    /// Form fields.
    pub form: Option<BTreeMap<String, String>>,
}

/// `[limits]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsTable {
    /// Maximum number of requests per second, such as 0.2 for one in five seconds: from 0.01 to 100000, or 0 for no limit.
    pub requests_per_second: f64,
    /// Longest time for one exchange, such as `15s`.
    pub timeout: String,
}

impl Default for LimitsTable {
    fn default() -> Self {
        Self { requests_per_second: 0.0, timeout: "15s".to_owned() }
    }
}

/// `[report]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReportTable {
    /// The organisation that makes or runs the target.
    pub organisation: Option<String>,
    /// Contact for questions. The reports contain it, so name a role and not a person.
    pub contact: Option<String>,
}

/// `[[known_failures]]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownFailureTable {
    /// The requirement.
    pub id: String,
    /// The reason why it fails; must not be empty.
    pub reason: String,
    /// Date from which it counts again, such as `2027-03-01`.
    pub expires: Option<String>,
}

fn api_key_variable() -> String {
    "CONTENTGEN_API_KEY".to_owned()
}

fn loopback() -> String {
    "127.0.0.1:0".to_owned()
}

fn loopback_url() -> String {
    "http://127.0.0.1:{port}".to_owned()
}

fn post() -> String {
    "POST".to_owned()
}
