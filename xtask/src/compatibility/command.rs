//! `cargo xtask document --against OLD [NEW]`: reads both documents, prints the report. `cargo xtask document --edition 3.1 [DOCUMENT]`
//! prints another edition of one.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use super::comparison::compare;
use super::document::Document;
use crate::openapi_3_1::openapi_3_1;

/// The document, relative to the workspace root.
const DOCUMENT: &str = "openapi.yaml";

/// Options of `cargo xtask document`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The document that clients were made for: a file, or a git revision such as `main`.
    #[arg(long, value_name = "OLD", required_unless_present = "edition")]
    against: Option<String>,
    /// Do not compare; print the document as OpenAPI of this version, in JSON.
    #[arg(long, value_name = "VERSION", value_parser = ["3.1"], conflicts_with_all = ["against", "json"])]
    edition: Option<String>,
    /// The document to compare with OLD, or to print [default: `openapi.yaml` of this workspace]
    new: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

/// Compares the documents, or prints an edition of one. Fails when a change breaks the policy.
///
/// # Errors
///
/// When a document cannot be read, or a change breaks the policy.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let path = arguments.new.clone().unwrap_or_else(|| root.join(DOCUMENT));
    let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut output = std::io::stdout().lock();
    let Some(against) = &arguments.against else {
        let edition =
            openapi_3_1(&text).with_context(|| format!("{} cannot be converted to OpenAPI 3.1", path.display()))?;
        write!(output, "{edition}")?;
        return Ok(());
    };
    let old = Document::parse(&old_text(root, against)?).with_context(|| format!("{against} cannot be compared"))?;
    let new = Document::parse(&text).with_context(|| format!("{} cannot be compared", path.display()))?;
    let report = compare(&old, &new);
    if arguments.json {
        writeln!(output, "{:#}", report.to_json())?;
    } else {
        write!(output, "{report}")?;
    }
    ensure!(
        !report.is_breaking(),
        "the policy of the document (\"Versioning\") forbids {} of the changes; make them as the report advises, or start a new major version",
        report.breaking.len()
    );
    Ok(())
}

/// The text of a file, or of the document in a revision.
fn old_text(root: &Path, against: &str) -> Result<String> {
    if Path::new(against).is_file() {
        return fs::read_to_string(against).with_context(|| format!("{against} cannot be read"));
    }
    ensure!(!against.starts_with('-'), "{against:?} is neither a file nor a git revision");
    let output = Command::new("git")
        .args(["show", &format!("{against}:{DOCUMENT}")])
        .current_dir(root)
        .output()
        .context("git cannot be run, and there is no file of that name")?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        bail!("{against:?} is neither a file nor a git revision with {DOCUMENT} in it: {}", reason.trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("{DOCUMENT} of {against} is not text"))
}
