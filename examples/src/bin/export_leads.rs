//! Exports leads as CSV, page by page, for a spreadsheet.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;
use contentgen_sdk::Client;
use contentgen_sdk::types::Lead;

/// Writes leads to a file or to standard output as CSV.
#[derive(Debug, Parser)]
struct Arguments {
    /// The file to write; by default standard output. An existing file is replaced when the export is complete.
    #[arg(long)]
    output: Option<PathBuf>,
    /// The website whose leads are exported; by default all websites.
    #[arg(long, env = "CONTENTGEN_WEBSITE_ID")]
    website_id: Option<String>,
}

/// Header line of the table.
const COLUMNS: [&str; 9] =
    ["id", "captured_at", "email", "name", "company", "phone", "message", "article_id", "consent_given"];

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

/// Reads all pages and writes a line for each lead.
async fn run(arguments: Arguments) -> Result<()> {
    // Reads CONTENTGEN_BASE_URL and CONTENTGEN_API_KEY.
    let client = Client::from_env()?;
    let mut leads = client.list_leads().limit(100).website_id(arguments.website_id).items();
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(COLUMNS)?;
    let mut count = 0;
    while let Some(lead) = leads.next().await {
        table.write_record(record(&lead?))?;
        count += 1;
    }
    let text = table.into_inner().context("the table cannot be written")?;
    match &arguments.output {
        None => std::io::stdout().lock().write_all(&text)?,
        Some(path) => {
            // Replaces the file in one step: a reader finds the old file or the new one, never a part.
            let draft = path.with_added_extension("part");
            std::fs::write(&draft, text).with_context(|| format!("{} cannot be written", draft.display()))?;
            std::fs::rename(&draft, path).with_context(|| format!("{} cannot be replaced", path.display()))?;
        }
    }
    // Ignored: the export is complete even if the count cannot be shown.
    let _written = writeln!(std::io::stderr().lock(), "leads: {count}");
    Ok(())
}

/// Converts a lead to a line of the table.
fn record(lead: &Lead) -> [String; 9] {
    let text = |member: &Option<String>| member.as_deref().map(harmless).unwrap_or_default();
    [
        lead.id.clone(),
        lead.captured_at.to_rfc3339(),
        text(&lead.email),
        text(&lead.name),
        text(&lead.company),
        text(&lead.phone),
        text(&lead.message),
        text(&lead.article_id),
        lead.consent.given.to_string(),
    ]
}

/// Escapes a text that a spreadsheet could take for a formula. The texts of leads are untrusted input.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() }
}
