//! A profile that `login` stores. The key is in a separate file that only its owner can read; the configuration names that file.

use std::path::{Path, PathBuf};

use serde_json::json;
use toml::{Table, Value};

use super::profile::{DEFAULT, config_path, profiles};
use super::target::Target;
use crate::arguments::{BASE_URL, CA_CERT, Global, variable};
use crate::failure::{Exit, Failure};
use crate::output::{Privacy, Screen, Sink};

/// A server and the name to store it under.
pub(crate) struct NewProfile {
    name: String,
    base_url: String,
    website_id: Option<String>,
    ca_cert: Option<PathBuf>,
}

impl NewProfile {
    /// Takes the server from the options or the environment.
    pub(crate) fn of(options: &Global, website_id: Option<String>) -> Result<Self, Failure> {
        if options.ready_file.is_some() {
            return Err(Failure::usage("`login` stores a server; name it with --base-url instead of --ready-file"));
        }
        let name = options.profile.clone().unwrap_or_else(|| DEFAULT.to_owned());
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
            return Err(Failure::usage("the name of a profile has letters, digits, `-` and `_` only"));
        }
        let base_url = options.base_url.clone().or_else(|| variable(BASE_URL));
        let base_url = base_url.ok_or_else(|| Failure::usage("no server: name it with --base-url"))?;
        let ca_cert = options.ca_cert.clone().or_else(|| variable(CA_CERT).map(PathBuf::from));
        let ca_cert = ca_cert.map(std::path::absolute).transpose();
        let ca_cert = ca_cert.map_err(|error| Failure::usage(format!("--ca-cert: {error}")))?;
        Ok(Self { name, base_url, website_id, ca_cert })
    }

    /// Returns the server with a key.
    pub(crate) fn target(&self, api_key: String) -> Target {
        Target {
            base_url: self.base_url.clone(),
            api_key,
            website_id: None,
            failing_topic: None,
            dashboard_url: None,
            ca_cert: self.ca_cert.clone(),
        }
    }

    /// Writes the key, and adds the profile to the configuration.
    pub(crate) fn store(&self, key: &str, screen: Screen) -> Result<(), Failure> {
        let config = config_path()?;
        let folder = config.parent().unwrap_or(Path::new(".")).join("keys");
        let key_file = std::path::absolute(folder.join(&self.name));
        let key_file = key_file.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?;
        let entry = self.entry(&key_file)?;
        let old = if config.exists() { profiles(&config)?.1 } else { String::new() };
        let known = old.parse::<Table>().ok().and_then(|old| old.get("profiles")?.get(&self.name).cloned());
        let is_new = known.is_none();
        if known.is_some_and(|known| known != Value::Table(entry.clone())) {
            let message = format!("{} has another profile {:?}", config.display(), self.name);
            return Err(Failure::usage(message).advise("remove it there, or choose another name with --profile"));
        }
        // Added at the end, so that the comments and all other content stay as they are.
        let gap = if old.is_empty() || old.ends_with("\n\n") { "" } else { "\n\n" };
        let text = format!("{old}{gap}[profiles.{}]\n{entry}", self.name);
        if is_new && text.parse::<Table>().is_err() {
            let message = format!("{} has the profiles in a form that cannot be added to", config.display());
            return Err(Failure::usage(message).advise("write each as a table with the heading [profiles.NAME]"));
        }
        std::fs::create_dir_all(&folder)
            .map_err(|error| Failure::new(Exit::Failed, format!("{} cannot be created: {error}", folder.display())))?;
        write(&key_file, Privacy::Personal, &format!("{key}\n"))?;
        if is_new {
            write(&config, Privacy::Usual, &text)?;
        }
        let (config, key_file) = (config.display().to_string(), key_file.display().to_string());
        let words = format!("stored the profile {} in {config} and its key in {key_file}", self.name);
        screen.note(&words, "stored", &json!({ "profile": self.name, "config": config, "key_file": key_file }));
        Ok(())
    }

    /// Returns the table of the profile.
    fn entry(&self, key_file: &Path) -> Result<Table, Failure> {
        let text = |path: &Path| match path.to_str() {
            Some(path) => Ok(path.to_owned()),
            None => Err(Failure::usage(format!("{} is not valid UTF-8", path.display()))),
        };
        let mut entry = Table::new();
        entry.insert("base_url".to_owned(), self.base_url.clone().into());
        entry.insert("api_key_file".to_owned(), text(key_file)?.into());
        if let Some(website_id) = &self.website_id {
            entry.insert("website_id".to_owned(), website_id.clone().into());
        }
        if let Some(ca_cert) = &self.ca_cert {
            entry.insert("ca_cert".to_owned(), text(ca_cert)?.into());
        }
        Ok(entry)
    }
}

/// Replaces a file as a whole.
fn write(path: &Path, privacy: Privacy, text: &str) -> Result<(), Failure> {
    let mut sink = Sink::open(Some(path), privacy)?;
    sink.write(text)?;
    sink.finish()
}
