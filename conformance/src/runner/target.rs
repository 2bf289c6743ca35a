//! The server under test and its declared set-up.
//!
//! `cli` reads it from flags and files.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::check::{
    ArticleIdSource, BreakableWriter, Capture, Channel, Credential, FailingJob, LeadEraser, MovableClock,
    PausableWebsite, Restarter,
};
use crate::inbox::{HookLog, HookRegistrar};
use crate::spec::{SpecError, Version};

/// A key and the website it may write to.
#[derive(Clone)]
pub struct Account {
    /// The platform key.
    pub api_key: String,
    /// An active website, if known.
    pub website_id: Option<String>,
}

impl fmt::Debug for Account {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Account").field("api_key", &"[masked]").field("website_id", &self.website_id).finish()
    }
}

/// Address and registration of the suite's receiver.
#[derive(Debug, Clone)]
pub struct HookSetUp {
    /// Socket address to listen on, such as `127.0.0.1:0`.
    pub listen: String,
    /// URL at which the target reaches it; `{port}` is replaced by the port.
    pub public_url: String,
    /// Registers it; absent if it was registered by hand.
    pub registrar: Option<Arc<dyn HookRegistrar>>,
    /// True if the target promises Standard Webhooks.
    pub standard_webhooks: bool,
    /// True if the owner consents to registering private addresses, which must be refused.
    pub probe_private_addresses: bool,
    /// Maximum time until a failed webhook is sent again, if the target promises one.
    pub retry_within: Option<Duration>,
    /// Receives the log of the run, for a sender in this process that writes to it. The suite then opens no receiver.
    pub in_process: Option<Arc<OnceLock<Arc<HookLog>>>>,
}

impl HookSetUp {
    /// Returns a receiver on a free loopback port, which `registrar` registers.
    pub fn loopback(registrar: Option<Arc<dyn HookRegistrar>>) -> Self {
        Self {
            listen: "127.0.0.1:0".to_owned(),
            public_url: "http://127.0.0.1:{port}".to_owned(),
            registrar,
            standard_webhooks: false,
            probe_private_addresses: false,
            retry_within: None,
            in_process: None,
        }
    }

    /// Returns true if the target reaches every port of the receiver, not only the end of a tunnel.
    pub fn is_direct(&self) -> bool {
        self.public_url.starts_with("http://") && self.public_url.contains("{port}")
    }
}

/// Limits of the load on the target.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Requests per second, such as 0.2 for one in five seconds; 0 for no limit.
    pub requests_per_second: f64,
    /// Longest time for one exchange.
    pub timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { requests_per_second: 0.0, timeout: Duration::from_secs(15) }
    }
}

/// Maximums of limits, by their names under `x-limits`.
pub type DeclaredLimits = BTreeMap<String, NonZeroU32>;

/// The environment variables that hold the keys, for commands that repeat a request.
#[derive(Debug, Clone)]
pub struct KeyVariables {
    /// The key of the account under test.
    pub main: String,
    /// The key of the second account.
    pub other: String,
    /// The key with a small quota.
    pub small_quota: String,
    /// The key that may only read articles.
    pub narrow_scope: String,
    /// The revoked key.
    pub revoked: String,
    /// The expired key.
    pub expired: String,
    /// The key that may only use another website.
    pub restricted: String,
}

impl KeyVariables {
    /// Returns the variable with the key that a request carries, or `None` if it carries no unchanged key of the set-up.
    pub fn of(&self, credential: &Credential) -> Option<&str> {
        match credential {
            Credential::Main => Some(&self.main),
            Credential::Other => Some(&self.other),
            Credential::SmallQuota => Some(&self.small_quota),
            Credential::NarrowScope => Some(&self.narrow_scope),
            Credential::Revoked => Some(&self.revoked),
            Credential::Expired => Some(&self.expired),
            Credential::Restricted => Some(&self.restricted),
            Credential::None | Credential::Literal(_) => None,
        }
    }
}

impl Default for KeyVariables {
    fn default() -> Self {
        Self {
            main: "CONTENTGEN_API_KEY".to_owned(),
            other: "CONTENTGEN_OTHER_API_KEY".to_owned(),
            small_quota: "CONTENTGEN_LIMITED_API_KEY".to_owned(),
            narrow_scope: "CONTENTGEN_NARROW_API_KEY".to_owned(),
            revoked: "CONTENTGEN_REVOKED_API_KEY".to_owned(),
            expired: "CONTENTGEN_EXPIRED_API_KEY".to_owned(),
            restricted: "CONTENTGEN_RESTRICTED_API_KEY".to_owned(),
        }
    }
}

/// A header that every request to the target carries in addition to those of the suite, for an access protection before it.
#[derive(Clone)]
pub struct ExtraHeader {
    /// Its name.
    pub name: String,
    /// Its value, which no report shows.
    pub value: String,
    /// The environment variable that contains the value, for commands that repeat a request; absent if the
    /// configuration contains the value.
    pub variable: Option<String>,
}

/// Minimum length in bytes of a literal configuration value that is masked in reports. Shorter ones, such as `1`, are parts of other words.
const SHORTEST_MASKED: usize = 8;

impl ExtraHeader {
    /// Returns the value if reports must mask it everywhere.
    pub(super) fn secret(&self) -> Option<String> {
        (self.variable.is_some() || self.value.len() >= SHORTEST_MASKED).then(|| self.value.clone())
    }

    /// Returns the text that reports show instead of the value.
    pub fn masked(&self) -> String {
        self.variable.as_ref().map_or_else(|| "[masked]".to_owned(), |variable| format!("[masked: {variable}]"))
    }
}

impl fmt::Debug for ExtraHeader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ExtraHeader")
            .field("name", &self.name)
            .field("value", &self.masked())
            .finish_non_exhaustive()
    }
}

/// The proxy for targets with `https://`.
#[derive(Debug, Clone)]
pub struct HttpsProxy {
    /// Its URL, in the form of `HTTPS_PROXY`.
    pub url: String,
    /// Hosts that are reached without it, in the form of `NO_PROXY`.
    pub except: String,
}

impl HttpsProxy {
    /// Returns the same proxy for the HTTP client.
    pub(super) fn of_client(&self) -> Result<reqwest::Proxy, SetUpError> {
        let proxy = reqwest::Proxy::https(&self.url)
            .map_err(|error| SetUpError::Configuration(format!("HTTPS_PROXY is not the URL of a proxy: {error}")))?;
        Ok(proxy.no_proxy(reqwest::NoProxy::from_string(&self.except)))
    }
}

/// A key that requests carry.
pub(super) struct KeyInUse {
    /// The credential of requests that carry it.
    pub(super) credential: Credential,
    /// The key itself.
    pub(super) key: String,
    /// The environment variable that contains it.
    pub(super) variable: String,
}

/// The server under test.
#[derive(Debug, Clone)]
pub struct Target {
    /// Base URL without a trailing slash.
    pub base_url: String,
    /// Certificates of a private authority that is trusted in addition to the system's, in PEM.
    pub ca_file: Option<PathBuf>,
    /// Certificate and private key of the suite in PEM, for a target that requires them.
    pub client_certificate: Option<PathBuf>,
    /// Headers that every request carries in addition to those of the suite.
    pub headers: Vec<ExtraHeader>,
    /// The proxy for a target with `https://`.
    pub https_proxy: Option<HttpsProxy>,
    /// The account under test.
    pub account: Account,
    /// A second account, for isolation.
    pub other_account: Option<Account>,
    /// A key with a small quota.
    pub small_quota: Option<Account>,
    /// A key that may only read articles.
    pub narrow_scope: Option<Account>,
    /// A key that was revoked.
    pub revoked_key: Option<Account>,
    /// A key that has expired.
    pub expired_key: Option<Account>,
    /// A key of the account under test for its own website only, which is not the one under test.
    pub restricted_key: Option<Account>,
    /// A website of the account under test that is paused or archived.
    pub inactive_website_id: Option<String>,
    /// A website of the account under test whose leads have to be confirmed by a link.
    pub double_opt_in_website_id: Option<String>,
    /// A request whose job fails for good.
    pub failing_job: Option<FailingJob>,
    /// A website of the account under test that can be paused, and that nothing else uses.
    pub pausable: Option<Arc<PausableWebsite>>,
    /// The clock of the target, if it can be moved.
    pub clock: Option<Arc<MovableClock>>,
    /// Erases leads of the account under test.
    pub eraser: Option<Arc<dyn LeadEraser>>,
    /// Restarts the target.
    pub restarter: Option<Arc<dyn Restarter>>,
    /// The writer of the target, if it can be broken.
    pub writer: Option<Arc<BreakableWriter>>,
    /// Source of article ids.
    pub article_id_from: ArticleIdSource,
    /// JSON Pointer to the article id in a webhook's payload.
    pub hook_id_pointer: String,
    /// Time within which articles are written, if the set-up declares one.
    pub ready_within: Option<Duration>,
    /// The webhook receiver.
    pub hooks: Option<HookSetUp>,
    /// Describes how to capture leads; `{base_url}` and `{website_id}` are not filled in yet.
    pub capture: Option<Capture>,
    /// Limits of the load.
    pub limits: Limits,
    /// The version of the document that the target declares to implement, if it declares one.
    pub document_version: Option<Version>,
    /// Limits that the operator of the target configured. The others have the document's defaults.
    pub declared_limits: DeclaredLimits,
    /// Sources of the keys.
    pub key_variables: KeyVariables,
    /// The flag that selects this target again, such as `--base-url http://127.0.0.1:8080`.
    pub flag: String,
    /// Server in this process that gets the requests instead of the network, with their `Authorization` header.
    pub in_process: Option<Arc<dyn Channel>>,
}

impl Target {
    /// Returns every key in use, the one of the account under test first.
    pub(super) fn keys(&self) -> Vec<KeyInUse> {
        let accounts = [
            (Credential::Main, Some(&self.account)),
            (Credential::Other, self.other_account.as_ref()),
            (Credential::SmallQuota, self.small_quota.as_ref()),
            (Credential::NarrowScope, self.narrow_scope.as_ref()),
            (Credential::Revoked, self.revoked_key.as_ref()),
            (Credential::Expired, self.expired_key.as_ref()),
            (Credential::Restricted, self.restricted_key.as_ref()),
        ];
        let in_use = accounts.into_iter().filter_map(|(credential, account)| {
            let variable = self.key_variables.of(&credential)?.to_owned();
            Some(KeyInUse { key: account?.api_key.clone(), credential, variable })
        });
        in_use.collect()
    }

    /// Returns a target with only a base URL and a key.
    pub fn new(base_url: &str, account: Account) -> Self {
        Self {
            base_url: base_url.trim_end_matches('/').to_owned(),
            ca_file: None,
            client_certificate: None,
            headers: Vec::new(),
            https_proxy: None,
            account,
            other_account: None,
            small_quota: None,
            narrow_scope: None,
            revoked_key: None,
            expired_key: None,
            restricted_key: None,
            inactive_website_id: None,
            double_opt_in_website_id: None,
            failing_job: None,
            pausable: None,
            clock: None,
            eraser: None,
            restarter: None,
            writer: None,
            article_id_from: ArticleIdSource::Job,
            hook_id_pointer: "/data/article/id".to_owned(),
            ready_within: None,
            hooks: None,
            capture: None,
            limits: Limits::default(),
            document_version: None,
            declared_limits: DeclaredLimits::new(),
            key_variables: KeyVariables::default(),
            flag: format!("--base-url {base_url}"),
            in_process: None,
        }
    }
}

/// The run cannot begin. A problem during a run is an outcome, not an error.
#[derive(Debug, thiserror::Error)]
pub enum SetUpError {
    /// The configuration is invalid.
    #[error("{0}")]
    Configuration(String),
    /// The target cannot be reached, or refuses the key.
    #[error("{0}")]
    Target(String),
    /// The built-in document is broken.
    #[error("the built-in OpenAPI document is broken")]
    Document(#[from] SpecError),
}
