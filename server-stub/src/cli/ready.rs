//! Shows that `serve` is ready: prints a text for people, and writes the ready file for scripts. For the demonstration, the text has
//! everything that a new user needs.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use serde::Serialize;

use super::failure::{Exit, Failure};
use crate::demo::DemoAccount;
use crate::server::Running;
use crate::storage;

/// Returns the text; empty for a process without an API.
pub(super) fn text(running: &Running) -> String {
    let Some(base_url) = running.base_url() else { return String::new() };
    let mut text = format!(
        "Listening on {base_url}
API reference: {}
",
        running.public_url().absolute("/docs")
    );
    if let Some(url) = running.dashboard_url() {
        let _ = writeln!(text, "Dashboard: {url}");
    }
    if let Some(writer) = running.writer() {
        let _ = writeln!(text, "Writer: {writer}");
    }
    if let [first, ..] = running.accounts() {
        text.push_str(&demonstration(running, base_url, first));
    }
    text
}

fn demonstration(running: &Running, base_url: &str, first: &DemoAccount) -> String {
    let mut text = String::new();
    for account in running.accounts() {
        text.push_str(&account_lines(running, account));
    }
    let DemoAccount { name, api_key, website_id, .. } = first;
    let (program, database) = (program(), storage::shown(running.database()));
    let _ = write!(
        text,
        r#"
Try it:

  export CONTENTGEN_BASE_URL={base_url}
  export CONTENTGEN_API_KEY={api_key}
  export CONTENTGEN_WEBSITE_ID={website_id}

  # queue an article
  curl -sS "$CONTENTGEN_BASE_URL/api/v1/generate" -H "Authorization: Bearer $CONTENTGEN_API_KEY" \
    -H 'Content-Type: application/json' \
    -d '{{"topic": "Keeping a rye starter alive through winter", "website_id": "{website_id}"}}'

  # watch the job (put the job_id of the answer here), then read the article by the same id
  curl -sS "$CONTENTGEN_BASE_URL/api/v1/jobs/JOB_ID" -H "Authorization: Bearer $CONTENTGEN_API_KEY" -H 'Prefer: wait=30'
  curl -sS "$CONTENTGEN_BASE_URL/api/v1/articles/JOB_ID" -H "Authorization: Bearer $CONTENTGEN_API_KEY"

  # be told when it is published and when a lead comes in; prints the secret that signs the hooks
  {program} hook create --database {database} --account {name} --url http://127.0.0.1:9000/hooks

Stop with Ctrl-C.
"#
    );
    text
}

fn account_lines(running: &Running, account: &DemoAccount) -> String {
    let site = running.site_url().absolute(&format!("/sites/{}", account.website_id));
    let lines = [
        ("sign in, once", running.sign_in_url(account)),
        ("website", Some(account.website_id.clone())),
        ("key", Some(account.api_key.clone())),
        ("key, small quota", Some(account.limited_api_key.clone())),
        ("key, articles only", Some(account.narrow_api_key.clone())),
        ("key, second site only", Some(account.restricted_api_key.clone())),
        ("key, revoked", Some(account.revoked_api_key.clone())),
        ("key, expired", Some(account.expired_api_key.clone())),
        ("second site", Some(account.restricted_website_id.clone())),
        ("seasonal site", Some(account.pausable_website_id.clone())),
        ("paused website", Some(account.inactive_website_id.clone())),
        ("topic that fails", Some(account.failing_topic.clone())),
        ("hosted site", Some(site)),
    ];
    let mut text = format!("\nAccount {}\n", account.name);
    for (what, value) in lines.into_iter().filter_map(|(what, value)| Some((what, value?))) {
        let _ = writeln!(text, "  {what:<22} {value}");
    }
    text
}

/// Returns the command that started this program, so that the printed commands can be pasted.
fn program() -> String {
    std::env::args().next().unwrap_or_else(|| "contentgen-server".to_owned())
}

/// The ready file: one JSON object with the server's address and how to use it. It contains the demonstration's keys, so only its
/// owner may read it.
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
pub(super) fn remove_file(path: &Path) -> Result<(), Failure> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failure(path, &error)),
        _ => Ok(()),
    }
}

/// Writes the file atomically, so that no reader sees half of it.
pub(super) fn write_file(path: &Path, running: &Running) -> Result<(), Failure> {
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
