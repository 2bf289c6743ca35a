//! File that a demonstration server writes once it is ready. Messages never quote it, because it contains keys.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;

use super::target::Target;
use crate::failure::Failure;

/// Maximum size in bytes; a longer file is not a ready file.
const MOST_READY_BYTES: u64 = 1024 * 1024;

/// Fields of the file that are used here.
#[derive(Deserialize)]
struct Ready {
    base_url: String,
    #[serde(default)]
    dashboard_url: Option<String>,
    accounts: Vec<Account>,
}

#[derive(Deserialize)]
struct Account {
    api_key: String,
    website_id: String,
    #[serde(default)]
    failing_topic: Option<String>,
}

/// Reads the server of a ready file, with its first account.
pub(super) fn read(path: &Path) -> Result<Target, Failure> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MOST_READY_BYTES).read_to_string(&mut text));
    read.map_err(|error| {
        let failure = Failure::usage(format!("{} cannot be read: {error}", path.display()));
        failure.advise("the server writes it when it is ready, if it was started with `serve --demo --ready-file`")
    })?;
    let ready: Ready = serde_json::from_str(&text)
        .map_err(|_| Failure::usage(format!("{} is not a server's ready file", path.display())))?;
    let Ready { base_url, dashboard_url, accounts } = ready;
    let Some(Account { api_key, website_id, failing_topic }) = accounts.into_iter().next() else {
        let message = format!("{} contains no account", path.display());
        return Err(Failure::usage(message).advise("start the server with --demo"));
    };
    Ok(Target { base_url, api_key, website_id: Some(website_id), failing_topic, dashboard_url, ca_cert: None })
}
