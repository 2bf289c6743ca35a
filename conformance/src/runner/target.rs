//! The server under test and what the set-up declares about it.
//!
//! Reading it from flags and files lives in `cli`.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::set_up::SetUpError;
use crate::check::{ArticleIdSource, Capture};
use crate::inbox::HookRegistrar;

/// A key with the website it may write for.
#[derive(Clone)]
pub struct Account {
    /// The platform key.
    pub api_key: String,
    /// An active website, if it is known.
    pub website_id: Option<String>,
}

impl fmt::Debug for Account {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Account").field("api_key", &"[masked]").field("website_id", &self.website_id).finish()
    }
}

/// Where the suite's receiver listens and how it is registered.
#[derive(Debug, Clone)]
pub struct HookSetUp {
    /// Socket address to listen on, such as `127.0.0.1:0`.
    pub listen: String,
    /// How the target reaches it; `{port}` stands for the port.
    pub public_url: String,
    /// How it is registered; absent when that was done by hand.
    pub registrar: Option<Arc<dyn HookRegistrar>>,
    /// Whether the target promises Standard Webhooks.
    pub standard_webhooks: bool,
    /// Whether its owner consents to registering private addresses, which must be refused.
    pub probe_private_addresses: bool,
    /// When a hook that was not taken is sent again at the latest, if the target promises it.
    pub retry_within: Option<Duration>,
}

impl HookSetUp {
    /// A receiver on a free loopback port, which `registrar` registers.
    pub fn loopback(registrar: Option<Arc<dyn HookRegistrar>>) -> Self {
        Self {
            listen: "127.0.0.1:0".to_owned(),
            public_url: "http://127.0.0.1:{port}".to_owned(),
            registrar,
            standard_webhooks: false,
            probe_private_addresses: false,
            retry_within: None,
        }
    }

    /// Whether the target reaches every port of the receiver, and not a tunnel's end.
    pub fn is_direct(&self) -> bool {
        self.public_url.starts_with("http://") && self.public_url.contains("{port}")
    }
}

/// What a run may ask of the target.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Requests a second, such as 0.2 for one in five seconds; 0 for no cap.
    pub requests_per_second: f64,
    /// Longest time for one exchange.
    pub timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { requests_per_second: 0.0, timeout: Duration::from_secs(15) }
    }
}

/// The environment variables that hold the keys, for commands that repeat a request.
#[derive(Debug, Clone)]
pub struct KeyVariables {
    /// The key of the account under test.
    pub main: String,
    /// The key of the second account.
    pub other: String,
    /// The key with a small quota.
    pub small_quota: String,
    /// The key that may read articles and nothing else.
    pub narrow_scope: String,
}

impl Default for KeyVariables {
    fn default() -> Self {
        Self {
            main: "CONTENTGEN_API_KEY".to_owned(),
            other: "CONTENTGEN_OTHER_API_KEY".to_owned(),
            small_quota: "CONTENTGEN_LIMITED_API_KEY".to_owned(),
            narrow_scope: "CONTENTGEN_NARROW_API_KEY".to_owned(),
        }
    }
}

/// The proxy through which targets with `https://` are reached.
#[derive(Debug, Clone)]
pub struct HttpsProxy {
    /// Its URL, as `HTTPS_PROXY` has it.
    pub url: String,
    /// Hosts that are reached without it, as `NO_PROXY` has them.
    pub except: String,
}

impl HttpsProxy {
    /// The same for the HTTP client.
    pub(super) fn of_client(&self) -> Result<reqwest::Proxy, SetUpError> {
        let proxy = reqwest::Proxy::https(&self.url)
            .map_err(|error| SetUpError::Configuration(format!("HTTPS_PROXY is no URL of a proxy: {error}")))?;
        Ok(proxy.no_proxy(reqwest::NoProxy::from_string(&self.except)))
    }
}

/// The server under test.
#[derive(Debug, Clone)]
pub struct Target {
    /// Base URL without a trailing slash.
    pub base_url: String,
    /// Certificates of a private authority that is trusted beside the system's, in PEM.
    pub ca_file: Option<PathBuf>,
    /// The proxy on the way to a target with `https://`.
    pub https_proxy: Option<HttpsProxy>,
    /// The account under test.
    pub account: Account,
    /// A second account, for isolation.
    pub other_account: Option<Account>,
    /// A key with a small quota.
    pub small_quota: Option<Account>,
    /// A key that may read articles and nothing else.
    pub narrow_scope: Option<Account>,
    /// A website of the account under test that is paused or archived.
    pub inactive_website_id: Option<String>,
    /// Where article ids come from.
    pub article_id_from: ArticleIdSource,
    /// Where a hook's payload holds the article id.
    pub hook_id_pointer: String,
    /// How long generation may take.
    pub ready_within: Duration,
    /// The hook receiver.
    pub hooks: Option<HookSetUp>,
    /// How leads are captured; `{base_url}` and `{website_id}` are still to be filled in.
    pub capture: Option<Capture>,
    /// Politeness.
    pub limits: Limits,
    /// Where the keys came from.
    pub key_variables: KeyVariables,
    /// The flag that names this target again, such as `--base-url http://127.0.0.1:8080`.
    pub flag: String,
}

impl Target {
    /// Every key in use, with the environment variable that holds it; the one of the account under test comes first.
    pub(super) fn keys(&self) -> Vec<(String, String)> {
        let variables = &self.key_variables;
        let accounts = [
            (Some(&self.account), &variables.main),
            (self.other_account.as_ref(), &variables.other),
            (self.small_quota.as_ref(), &variables.small_quota),
            (self.narrow_scope.as_ref(), &variables.narrow_scope),
        ];
        accounts
            .into_iter()
            .filter_map(|(account, variable)| Some((account?.api_key.clone(), variable.clone())))
            .collect()
    }

    /// A target with nothing but a base URL and a key.
    pub fn new(base_url: &str, account: Account) -> Self {
        Self {
            base_url: base_url.trim_end_matches('/').to_owned(),
            ca_file: None,
            https_proxy: None,
            account,
            other_account: None,
            small_quota: None,
            narrow_scope: None,
            inactive_website_id: None,
            article_id_from: ArticleIdSource::Job,
            hook_id_pointer: "/data/article/id".to_owned(),
            ready_within: Duration::from_mins(1),
            hooks: None,
            capture: None,
            limits: Limits::default(),
            key_variables: KeyVariables::default(),
            flag: format!("--base-url {base_url}"),
        }
    }
}
