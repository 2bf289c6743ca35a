//! The server under test and what the set-up declares about it.
//!
//! Reading it from flags and files lives in `cli`.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::set_up::SetUpError;
use crate::check::{ArticleIdSource, Capture, Channel, Credential, FailingJob, LeadEraser, PausableWebsite};
use crate::inbox::{HookLog, HookRegistrar};

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
    /// Receives the log of the run, for a sender in this process that writes to it. The suite then opens no receiver.
    pub in_process: Option<Arc<OnceLock<Arc<HookLog>>>>,
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
            in_process: None,
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
    /// The revoked key.
    pub revoked: String,
    /// The expired key.
    pub expired: String,
    /// The key for another website alone.
    pub restricted: String,
}

impl KeyVariables {
    /// The variable with the key that a request carries; `None` where it carries none of the set-up's, as it is.
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
            .map_err(|error| SetUpError::Configuration(format!("HTTPS_PROXY is not the URL of a proxy: {error}")))?;
        Ok(proxy.no_proxy(reqwest::NoProxy::from_string(&self.except)))
    }
}

/// A key that requests carry.
pub(super) struct KeyInUse {
    /// What such requests are told by.
    pub(super) credential: Credential,
    /// The key itself.
    pub(super) key: String,
    /// The environment variable that holds it.
    pub(super) variable: String,
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
    /// A key that was revoked.
    pub revoked_key: Option<Account>,
    /// A key that has expired.
    pub expired_key: Option<Account>,
    /// A key of the account under test that may use its website, and not the one under test.
    pub restricted_key: Option<Account>,
    /// A website of the account under test that is paused or archived.
    pub inactive_website_id: Option<String>,
    /// A website of the account under test whose leads have to be confirmed by a link.
    pub double_opt_in_website_id: Option<String>,
    /// An order whose job fails for good.
    pub failing_job: Option<FailingJob>,
    /// A website of the account under test that can be paused, and that nothing else uses.
    pub pausable: Option<Arc<PausableWebsite>>,
    /// Erases leads of the account under test.
    pub eraser: Option<Arc<dyn LeadEraser>>,
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
    /// Server in this process that gets the requests instead of the network, with their `Authorization` header.
    pub in_process: Option<Arc<dyn Channel>>,
}

impl Target {
    /// Every key in use; the one of the account under test comes first.
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
            revoked_key: None,
            expired_key: None,
            restricted_key: None,
            inactive_website_id: None,
            double_opt_in_website_id: None,
            failing_job: None,
            pausable: None,
            eraser: None,
            article_id_from: ArticleIdSource::Job,
            hook_id_pointer: "/data/article/id".to_owned(),
            ready_within: Duration::from_mins(1),
            hooks: None,
            capture: None,
            limits: Limits::default(),
            key_variables: KeyVariables::default(),
            flag: format!("--base-url {base_url}"),
            in_process: None,
        }
    }
}
