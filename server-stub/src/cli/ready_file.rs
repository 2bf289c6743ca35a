//! The ready file: one JSON object with the server's address and how to use it, for scripts. It contains the demonstration's
//! keys, so only its owner may read it.

use std::io::{self, Write as _};
use std::path::Path;

use serde::Serialize;

use super::failure::{Exit, Failure};
use crate::demo::DemoAccount;
use crate::server::Running;

#[derive(Serialize)]
struct Ready<'a> {
    base_url: Option<&'a str>,
    dashboard_url: Option<String>,
    metrics_url: Option<&'a str>,
    database: &'a str,
    accounts: Vec<Account<'a>>,
}

#[derive(Serialize)]
struct Account<'a> {
    #[serde(flatten)]
    account: &'a DemoAccount,
    sign_in_url: Option<String>,
}

/// Removes the file of an earlier run, so that no script confuses it with this run's file.
pub(super) fn remove(path: &Path) -> Result<(), Failure> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failure(path, &error)),
        _ => Ok(()),
    }
}

/// Writes the file atomically, so that no reader sees half of it.
pub(super) fn write(path: &Path, running: &Running) -> Result<(), Failure> {
    let accounts = running.accounts().iter();
    let accounts = accounts.map(|account| Account { account, sign_in_url: running.sign_in_url(account) });
    let ready = Ready {
        base_url: running.base_url(),
        dashboard_url: running.dashboard_url(),
        metrics_url: running.metrics_url(),
        database: running.database(),
        accounts: accounts.collect(),
    };
    let mut text = serde_json::to_vec(&ready).expect("strings always serialize");
    text.push(b'\n');
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
        file.write_all(&text)?;
        file.persist(path).map(drop).map_err(|error| error.error)
    });
    written.map_err(|error| failure(path, &error))
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    let message =
        format!("the ready file {} cannot be written ({error}); choose another path with --ready-file", path.display());
    Failure::new(Exit::CannotStart, message)
}
