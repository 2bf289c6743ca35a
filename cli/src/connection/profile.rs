//! Profiles: servers by name, in a file. The file contains no keys, only their sources. Messages never quote the file, in case a user wrote
//! a key into it anyway.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Table;

use super::secret::Secret;
use super::target::Target;
use crate::arguments::{CONFIG, variable};
use crate::failure::Failure;

/// Name of the profile that applies if nothing names a server.
pub(super) const DEFAULT: &str = "default";
/// Maximum size of a file with profiles in bytes.
const MOST_CONFIG_BYTES: u64 = 65_536;
/// Fields that users may try in order to store a secret in the file.
const SECRET_MEMBERS: [&str; 2] = ["api_key", "hook_secret"];
/// Description of a profile's fields.
const EXAMPLE: &str = "a profile has `base_url`, `website_id`, and `api_key_env = \"VARIABLE\"` or \
                       `api_key_command = [\"PROGRAM\", \"ARGUMENT\"]`, and the same for `hook_secret`";

/// A server and the sources of its secrets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Profile {
    base_url: String,
    website_id: Option<String>,
    api_key_env: Option<String>,
    api_key_command: Option<Vec<String>>,
    api_key_file: Option<PathBuf>,
    ca_cert: Option<PathBuf>,
    hook_secret_env: Option<String>,
    hook_secret_command: Option<Vec<String>>,
}

impl Profile {
    /// Reads the profile that applies if nothing names a server, if there is one.
    pub(super) fn default_one() -> Result<Option<Self>, Failure> {
        let has_one = config_path().ok().filter(|path| path.exists()).map(|path| profiles(&path)).transpose()?;
        has_one.filter(|(profiles, _)| profiles.contains_key(DEFAULT)).map(|_profiles| Self::read(DEFAULT)).transpose()
    }

    /// Reads the profile with a name.
    pub(super) fn read(name: &str) -> Result<Self, Failure> {
        let path = config_path()?;
        let (mut profiles, _) = profiles(&path)?;
        let file = path.display();
        let Some(profile) = profiles.remove(name) else {
            let names = profiles.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            let known =
                if names.is_empty() { "it has no profiles".to_owned() } else { format!("its profiles: {names}") };
            let failure = Failure::usage(format!("{file} has no profile {name:?}"));
            return Err(failure.advise(format!("{known}; `contentgen login --profile {name}` stores this one")));
        };
        let members = profile.as_table();
        if let Some(member) = SECRET_MEMBERS.iter().find(|member| members.is_some_and(|it| it.contains_key(**member))) {
            let message = format!("the profile {name:?} in {file} contains a secret, in `{member}`");
            return Err(Failure::usage(message).advise(format!(
                "remove it; name a variable that contains it in `{member}_env`, or a program that prints it in `{member}_command`"
            )));
        }
        profile.try_into().map_err(|_| {
            Failure::usage(format!("the profile {name:?} in {file} has an unknown or invalid field")).advise(EXAMPLE)
        })
    }

    /// Returns the server with its key.
    pub(super) fn target(self) -> Result<Target, Failure> {
        let key = Secret::of("api_key", self.api_key_env, self.api_key_command, self.api_key_file)?;
        let Some(key) = key else {
            return Err(Failure::usage(
                "the profile has neither `api_key_env` nor `api_key_command` nor `api_key_file`",
            )
            .advise(EXAMPLE));
        };
        Ok(Target {
            base_url: self.base_url,
            api_key: key.read()?,
            website_id: self.website_id,
            failing_topic: None,
            dashboard_url: None,
            ca_cert: self.ca_cert,
        })
    }

    /// Returns true if it names the source of the secrets of hooks.
    pub(super) fn has_hook_secrets(&self) -> bool {
        self.hook_secret_env.is_some() || self.hook_secret_command.is_some()
    }

    /// Returns the secrets of hooks.
    pub(super) fn hook_secrets(self) -> Result<String, Failure> {
        let secret = Secret::of("hook_secret", self.hook_secret_env, self.hook_secret_command, None)?;
        let missing = || {
            let failure = Failure::usage("the profile has neither `hook_secret_env` nor `hook_secret_command`");
            failure.advise("`hook_secret_env` names a variable with the webhook secret, `hook_secret_command` a program that prints it")
        };
        secret.ok_or_else(missing)?.read()
    }
}

/// Reads all profiles of a file, which may have none. Also returns its text.
pub(super) fn profiles(path: &Path) -> Result<(Table, String), Failure> {
    let file = path.display();
    let mut text = String::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(MOST_CONFIG_BYTES + 1).read_to_string(&mut text));
    let advice = "`contentgen login --base-url URL` writes this file with a profile";
    read.map_err(|error| Failure::usage(format!("{file} cannot be read: {error}")).advise(advice))?;
    if text.len() as u64 > MOST_CONFIG_BYTES {
        return Err(Failure::usage(format!("{file} has more than {MOST_CONFIG_BYTES} bytes")));
    }
    let broken = |line: usize| Failure::usage(format!("{file} is not TOML at line {line}"));
    let line_of = |at: usize| text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
    let mut whole: Table =
        text.parse().map_err(|error: toml::de::Error| broken(line_of(error.span().map_or(0, |span| span.start))))?;
    match whole.remove("profiles") {
        Some(toml::Value::Table(profiles)) => Ok((profiles, text)),
        Some(_) => Err(Failure::usage(format!("`profiles` in {file} is not a table")).advise(EXAMPLE)),
        None => Ok((Table::new(), text)),
    }
}

/// Returns the path of the file.
pub(super) fn config_path() -> Result<PathBuf, Failure> {
    if let Some(path) = variable(CONFIG) {
        return Ok(path.into());
    }
    let folder = variable("XDG_CONFIG_HOME").or_else(|| variable("APPDATA")).map(PathBuf::from);
    let folder = folder.or_else(|| variable("HOME").map(|home| Path::new(&home).join(".config")));
    let missing = || {
        Failure::usage("cannot find the configuration folder: XDG_CONFIG_HOME, APPDATA and HOME are not set")
            .advise(format!("set {CONFIG} to the path of the file with the profiles"))
    };
    Ok(folder.ok_or_else(missing)?.join("contentgen/config.toml"))
}
