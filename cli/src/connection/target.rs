//! Choice of server, key and website. All three come from one source, so that no key is sent to the server of another source.

use super::profile::Profile;
use super::ready_file;
use crate::arguments::{API_KEY, BASE_URL, Global, HOOK_SECRET, PROFILE, WEBSITE_ID, variable};
use crate::failure::Failure;

/// Advice for a user without a server.
const TRY: &str = "`contentgen-server serve --demo` starts a server to try and prints the variables to set";

/// Data of a connection.
pub(super) struct Target {
    pub(super) base_url: String,
    pub(super) api_key: String,
    pub(super) website_id: Option<String>,
    pub(super) failing_topic: Option<String>,
    pub(super) dashboard_url: Option<String>,
}

impl Target {
    /// Finds the data by the options or the environment.
    pub(super) fn find(options: &Global) -> Result<Self, Failure> {
        let profile = profile_of(options)?;
        match (&options.ready_file, profile) {
            (Some(path), _) => ready_file::read(path),
            (None, Some(profile)) => profile.target(),
            (None, None) => from_environment(options.base_url.clone()),
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

fn from_environment(base_url: Option<String>) -> Result<Target, Failure> {
    let missing = |what: &str| Failure::usage(what).advise(TRY);
    let base_url = base_url.or_else(|| variable(BASE_URL));
    let base_url = base_url.ok_or_else(|| missing("no server: set CONTENTGEN_BASE_URL, --base-url or --profile"))?;
    let api_key =
        variable(API_KEY).ok_or_else(|| missing("no key: set CONTENTGEN_API_KEY to a platform key of that server"))?;
    Ok(Target { base_url, api_key, website_id: variable(WEBSITE_ID), failing_topic: None, dashboard_url: None })
}

/// Returns the secrets of hooks, separated by commas: those of the profile, or those of the environment. A ready file has no secrets.
pub(crate) fn hook_secrets(options: &Global) -> Result<String, Failure> {
    match profile_of(options)? {
        Some(profile) => profile.hook_secrets(),
        None => Ok(variable(HOOK_SECRET).unwrap_or_default()),
    }
}
