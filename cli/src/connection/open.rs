//! Server of the commands. Its address, key and website come from one source, so that no key is sent to the server of another source.

use contentgen_sdk::types::WebsiteStatus;
use contentgen_sdk::{Client, ConfigError, Error};

use super::profile::Profile;
use super::ready_file;
use super::target::Target;
use crate::arguments::{API_KEY, BASE_URL, Global, HOOK_SECRET, PROFILE, variable};
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
        let mut target = target(options)?;
        target.ca_cert = options.ca_cert.clone().or(target.ca_cert);
        Self::to(target, options.allow_plain_http)
    }

    /// Opens a server, with `http://` on another machine only if `allows_plain_http`. Sends nothing yet.
    pub(crate) fn to(target: Target, allows_plain_http: bool) -> Result<Self, Failure> {
        let Target { base_url, api_key, website_id, failing_topic, dashboard_url, ca_cert } = target;
        let mut builder = Client::builder().base_url(&base_url).api_key(api_key).app_info(APPLICATION);
        if let Some(path) = &ca_cert {
            let certificates = std::fs::read(path).map_err(|error| {
                Failure::usage(format!("{} cannot be read: {error}", path.display()))
                    .advise("--ca-cert names a PEM file with certificate authorities")
            })?;
            builder = builder.root_certificates(certificates);
        }
        if allows_plain_http {
            builder = builder.allow_plain_http();
        }
        let client = builder.build().map_err(|error| match error {
            ConfigError::InvalidKey => {
                Failure::usage("the API key contains spaces or other invalid characters; copy it again")
            }
            ConfigError::PlainHttp => Failure::usage("over http, anyone on the way could read the API key")
                .advise("use an address that begins with https://, or --allow-plain-http in a network that you trust"),
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
        let mut unreadable = None;
        while let Some(website) = websites.next().await {
            match website {
                Ok(website) if website.status == WebsiteStatus::Active => return Ok(website.website_id),
                Ok(_inactive) => {}
                Err(error) if error.unreadable_item().is_some() => unreadable = Some(error),
                Err(error) => return Err(error.into()),
            }
        }
        if let Some(error) = unreadable {
            return Err(Failure::from(error).advise("name the website with --website-id"));
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
        (None, None) => {
            let is_unset = options.base_url.is_none() && variable(BASE_URL).is_none() && variable(API_KEY).is_none();
            match if is_unset { Profile::default_one()? } else { None } {
                Some(profile) => profile.target(),
                None => Target::from_environment(options.base_url.clone()),
            }
        }
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
        None => match variable(HOOK_SECRET) {
            Some(secrets) => Ok(secrets),
            None => Profile::default_one()?
                .filter(Profile::has_hook_secrets)
                .map_or_else(|| Ok(String::new()), Profile::hook_secrets),
        },
    }
}
