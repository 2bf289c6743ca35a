//! Keeps a copy of the leads in a file. Each run updates it, including confirmations.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use chrono::{DateTime, TimeDelta, Utc};
use clap::Parser;
use contentgen_sdk::Client;
use contentgen_sdk::types::{Lead, LeadPage};
use contentgen_sdk::{Error, Response};
use serde::{Deserialize, Serialize};

/// Overlap of two runs: covers changes that were stored late, and clocks that differ.
const OVERLAP: TimeDelta = TimeDelta::minutes(5);

/// Brings a copy of the leads up to date.
#[derive(Debug, Parser)]
struct Arguments {
    /// The file with the copy, as JSON. The first run creates it.
    copy: PathBuf,
    /// Read every copied lead by its id, and remove those that were erased. Takes a request for each lead.
    #[arg(long)]
    check_erased: bool,
}

/// The content of the file with the copy.
#[derive(Default, Serialize, Deserialize)]
struct LeadCopy {
    /// `Date` of the first response of the last run.
    synced_at: Option<DateTime<Utc>>,
    leads: BTreeMap<String, Lead>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Ignored: there is no other way to report this.
            let _written = writeln!(std::io::stderr().lock(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<()> {
    // Reads CONTENTGEN_BASE_URL and CONTENTGEN_API_KEY.
    let client = Client::from_env()?;
    let mut copy = read(&arguments.copy)?;
    let mut received = 0;
    let since = copy.synced_at.map(|synced_at| synced_at - OVERLAP);
    let mut pages = client.list_leads().limit(100).updated_since(since).pages();
    let mut synced_at = None;
    while let Some(page) = pages.next().await {
        let page = page?;
        if synced_at.is_none() {
            synced_at = Some(date(&page)?);
        }
        received += page.items.len();
        copy.leads.extend(page.into_inner().items.into_iter().map(|lead| (lead.id.clone(), lead)));
    }
    // Set only after the last page, so that the next run repeats an interrupted one.
    copy.synced_at = synced_at;
    // Written before the check for erased leads, so that a failed check loses nothing.
    write(&arguments.copy, &copy)?;
    let mut erased = 0;
    if arguments.check_erased {
        let ids: Vec<String> = copy.leads.keys().cloned().collect();
        for id in ids {
            if is_erased(&client, &id).await? {
                copy.leads.remove(&id);
                erased += 1;
            }
        }
    }
    write(&arguments.copy, &copy)?;
    let count = copy.leads.len();
    writeln!(std::io::stdout(), "received: {received}, erased: {erased}, in the copy: {count}")?;
    Ok(())
}

/// Returns the server's time when it sent the response.
fn date(page: &Response<LeadPage>) -> Result<DateTime<Utc>> {
    let date = page.headers().get("date").context("the response has no Date header")?;
    let date = date.to_str().context("the Date header is not text")?;
    Ok(DateTime::parse_from_rfc2822(date).with_context(|| format!("the Date header is not a date: {date}"))?.to_utc())
}

/// Returns true if the server no longer has the lead.
async fn is_erased(client: &Client, id: &str) -> Result<bool, Error> {
    match client.get_lead(id).send().await {
        Ok(_) => Ok(false),
        Err(error) if error.code() == Some("lead_not_found") => Ok(true),
        Err(error) => Err(error),
    }
}

/// Reads the copy. Returns an empty copy if there is no file yet.
fn read(path: &Path) -> Result<LeadCopy> {
    match std::fs::read(path) {
        Ok(text) => serde_json::from_slice(&text).with_context(|| format!("{} is not a copy of leads", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(LeadCopy::default()),
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
    }
}

/// Replaces the copy in one step, so that a reader of the file finds the old copy or the new one.
fn write(path: &Path, copy: &LeadCopy) -> Result<()> {
    let draft = path.with_added_extension("part");
    std::fs::write(&draft, serde_json::to_vec_pretty(copy)?)
        .with_context(|| format!("{} cannot be written", draft.display()))?;
    std::fs::rename(&draft, path).with_context(|| format!("{} cannot be replaced", path.display()))
}
