//! Server of the commands. Its address, key and website come from one source, so that no key is sent to the server of another source.

use contentgen_sdk::types::WebsiteStatus;
use contentgen_sdk::{Client, ConfigError, Error};

use super::profile::Profile;
use super::ready_file;
use super::target::Target;
use crate::arguments::{Global, HOOK_SECRET, PROFILE, variable};
use crate::failure::{Exit, Failure};

/// Name of this program in the `User-Agent` header.
pub(super) const APPLICATION: &str = concat!("contentgen-cli/", env!("CARGO_PKG_VERSION"));

/// A server with its client.
#[derive(Debug)]
pub(crate) struct Connection {
    /// The client, with its key.
    pub(crate) client: Client,
    /// Base URL of the server.
    pub(crate) base_url: String,
    /// Topic whose job fails, if a demonstration server named one.
    pub(crate) failing_topic: Option<String>,
    /// Page on which websites are created, if the server named one.
    pub(crate) dashboard_url: Option<String>,
    /// Website of the ready file, of the profile or of the environment.
    website_id: Option<String>,
}

impl Connection {
    /// Opens the server of the ready file, of the profile, or of the options and the environment. Sends nothing yet.
    pub(crate) fn open(options: &Global) -> Result<Self, Failure> {
        let Target { base_url, api_key, website_id, failing_topic, dashboard_url } = target(options)?;
        let builder = Client::builder().base_url(&base_url).api_key(api_key).app_info(APPLICATION);
        let builder = if options.allow_plain_http { builder.allow_plain_http() } else { builder };
        let client = builder.build().map_err(|error| match error {
            ConfigError::InvalidKey => {
                Failure::usage("the API key contains spaces or other invalid characters; copy it again")
            }
            other => Failure::from(Error::from(other)),
        })?;
        Ok(Self { client, base_url, failing_topic, dashboard_url, website_id })
    }

    /// Returns the website to write for: the given one, that of the ready file, of the profile or of the environment, or the first active
    /// one.
    pub(crate) async fn website(&self, asked_for: Option<String>) -> Result<String, Failure> {
        if let Some(website_id) = asked_for.or_else(|| self.website_id.clone()) {
            return Ok(website_id);
        }
        let mut websites = self.client.list_websites().items();
        while let Some(website) = websites.next().await.transpose()? {
            if website.status == WebsiteStatus::Active {
                return Ok(website.website_id);
            }
        }
        let failure = Failure::new(Exit::Failed, "the account has no active website");
        Err(failure.advise("name one with --website-id; `contentgen websites` lists the websites of this key"))
    }
}

/// Finds the data of the connection by the options or the environment.
fn target(options: &Global) -> Result<Target, Failure> {
    let profile = profile_of(options)?;
    match (&options.ready_file, profile) {
        (Some(path), _) => ready_file::read(path),
        (None, Some(profile)) => profile.target(),
        (None, None) => Target::from_environment(options.base_url.clone()),
    }
}

/// Returns the requested profile, if any. A ready file, profile or base URL on the command line overrides the environment.
fn profile_of(options: &Global) -> Result<Option<Profile>, Failure> {
    let other = match (&options.profile, &options.ready_file, &options.base_url) {
        (Some(_), Some(_), _) => Some("--profile and --ready-file cannot be used together; leave one out"),
        (_, Some(_), Some(_)) => Some("--ready-file already names a server; leave out --base-url"),
        (Some(_), _, Some(_)) => Some("--profile already names a server; leave out --base-url"),
        _ => None,
    };
    if let Some(other) = other {
        return Err(Failure::usage(other));
    }
    if options.ready_file.is_some() {
        return Ok(None);
    }
    let from_environment = || if options.base_url.is_none() { variable(PROFILE) } else { None };
    options.profile.clone().or_else(from_environment).map(|name| Profile::read(&name)).transpose()
}

/// Returns the secrets of hooks, separated by commas: those of the profile, or those of the environment. A ready file has no secrets.
pub(crate) fn hook_secrets(options: &Global) -> Result<String, Failure> {
    match profile_of(options)? {
        Some(profile) => profile.hook_secrets(),
        None => Ok(variable(HOOK_SECRET).unwrap_or_default()),
    }
}
