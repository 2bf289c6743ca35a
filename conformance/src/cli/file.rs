//! The shape of `conformance.toml`.
//!
//! Turning it into a target is `config`'s.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::spec::Profile;

/// A configuration file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfigurationFile {
    /// The server under test.
    pub target: TargetTable,
    /// How articles are found.
    #[serde(default)]
    pub article: ArticleTable,
    /// The hook receiver; absent switches the hook checks off.
    pub hooks: Option<HooksTable>,
    /// How leads are captured; absent switches the checks that need it off.
    pub leads: Option<LeadsTable>,
    /// An order whose job fails for good; absent switches the checks of failed jobs off.
    pub failing_job: Option<FailingJobTable>,
    /// A website that can be paused meanwhile; absent switches the checks of that off.
    pub pausing: Option<PausingTable>,
    /// Politeness.
    #[serde(default)]
    pub limits: LimitsTable,
    /// Who vouches for the target; shown in the reports.
    #[serde(default)]
    pub report: ReportTable,
    /// Failures that are known and do not fail the run until they expire.
    #[serde(default)]
    pub known_failures: Vec<KnownFailureTable>,
}

/// `[target]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetTable {
    /// Base URL.
    pub base_url: String,
    /// Certificates in PEM of a private authority, trusted beside the system's; relative to this file.
    pub ca_file: Option<std::path::PathBuf>,
    /// Environment variable that holds the key; the key itself never stands in the file.
    #[serde(default = "api_key_variable")]
    pub api_key_env: String,
    /// An active website; by default the first that the server lists.
    pub website_id: Option<String>,
    /// What is demanded.
    #[serde(default)]
    pub profile: Profile,
    /// A second account: switches the isolation group on.
    pub other_account: Option<AccountTable>,
    /// A key with a small quota, so that 429 can be checked.
    pub small_quota: Option<KeyTable>,
    /// A key that may read articles and nothing else (scope `articles:read`), so that 403 can be checked.
    pub narrow_scope: Option<KeyTable>,
    /// A key that was revoked, so that it can be seen that it is refused.
    pub revoked_key: Option<KeyTable>,
    /// A key that has expired, so that it can be seen that it is refused.
    pub expired_key: Option<KeyTable>,
    /// A key with every scope that may use another website of the account, and not the one under test.
    pub restricted_key: Option<RestrictedKeyTable>,
    /// A website of the account that is paused or archived, so that its 403 can be checked.
    pub inactive_website_id: Option<String>,
    /// An active website of the account whose leads have to be confirmed by a link (double opt-in), and that asks for no consent text.
    pub double_opt_in_website_id: Option<String>,
}

/// `[target.other_account]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountTable {
    /// Environment variable that holds the key.
    pub api_key_env: String,
    /// An active website of that account.
    pub website_id: Option<String>,
}

/// `[target.small_quota]`, `[target.narrow_scope]`, `[target.revoked_key]` and `[target.expired_key]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyTable {
    /// Environment variable that holds the key.
    pub api_key_env: String,
}

/// `[target.restricted_key]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestrictedKeyTable {
    /// Environment variable that holds the key.
    pub api_key_env: String,
    /// The active website that it may use; not the one under test.
    pub website_id: String,
}

/// `[failing_job]`: what makes the job fail is the topic, the website, or both together.
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
    /// A command that lets it go on.
    pub resume: Vec<String>,
}

/// `[article]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ArticleTable {
    /// Where an article's id comes from.
    pub id_from: IdFrom,
    /// Where a hook's payload holds it.
    pub hook_id_pointer: String,
    /// How long generation may take, such as `60s`.
    pub ready_within: String,
}

impl Default for ArticleTable {
    fn default() -> Self {
        Self { id_from: IdFrom::Job, hook_id_pointer: "/data/article/id".to_owned(), ready_within: "60s".to_owned() }
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
    /// A hook's payload.
    Hook,
}

/// `[hooks]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HooksTable {
    /// Where the suite's receiver listens.
    #[serde(default = "loopback")]
    pub listen: String,
    /// How the target reaches it; `{port}` stands for the port.
    #[serde(default = "loopback_url")]
    pub public_url: String,
    /// A command that registers `{url}`; its output is the secret, or a JSON object with `id` and `secret`.
    pub register: Option<Vec<String>>,
    /// A command that removes `{id}`.
    pub remove: Option<Vec<String>>,
    /// Like `register`, but for leads only.
    pub register_leads: Option<Vec<String>>,
    /// A command that gives the registration `{id}` a new secret; its output is that, like `register`'s.
    pub rotate: Option<Vec<String>>,
    /// A command that sends the event `{event}`, named by its `webhook-id`, to the registration `{id}` again.
    pub redeliver: Option<Vec<String>>,
    /// Whether the target signs as Standard Webhooks says.
    #[serde(default)]
    pub standard_webhooks: bool,
    /// Whether the suite may try to register private addresses such as 10.0.0.1, which the target must refuse.
    #[serde(default)]
    pub probe_private_addresses: bool,
    /// When a hook that was not taken is sent again at the latest, up to `60s`. Without it, a retry that does not come
    /// within 30 s is an open question and no warning.
    pub retry_within: Option<String>,
}

/// `[leads]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeadsTable {
    /// The request that captures a lead.
    pub capture: CaptureTable,
    /// A command that erases the lead `{lead_id}`; absent switches the checks of erased leads off.
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
    /// Cap on requests, such as 0.2 for one in five seconds: from 0.01 to 100000, or 0 for none.
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
    /// Who makes or runs the target.
    pub organisation: Option<String>,
    /// Where to ask about it; it stands in the reports, so name a role and not a person.
    pub contact: Option<String>,
}

/// `[[known_failures]]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownFailureTable {
    /// The requirement.
    pub id: String,
    /// Why it fails; required, and never empty.
    pub reason: String,
    /// The day on which it counts again, such as `2027-03-01`.
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
