//! The command line of `costs`. For the use of the numbers see `conformance/src/runner/quotas/estimate.rs`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::program::Program;

/// The file from which the suite reads the measured costs.
const FILE: &str = "conformance/src/contract/costs.csv";
/// The file from which the suite reads which requirements covered which part of the document.
const COVERAGE_FILE: &str = "conformance/src/contract/coverage.csv";

/// Runs the suite against the reference server and writes the number of requests of each requirement, and its coverage of the document.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Number of cases of each requirement with random cases.
    #[arg(long, default_value_t = 16)]
    cases: u32,
    /// The cargo profile of the suite.
    #[arg(long, default_value = "dev")]
    profile: String,
}

/// Runs the suite and writes the file.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let suite = Program::build(root, &arguments.profile, "contentgen-conformance", &[])?;
    let folder = tempfile::tempdir()?;
    let status = Command::new(suite.path())
        .args(["run", "--reference", "--no-progress", "--seed", "1", "--cases", &arguments.cases.to_string()])
        .arg("--report-dir")
        .arg(folder.path())
        .status()
        .context("the suite cannot be run")?;
    ensure!(status.success(), "the suite ended with {status}, so its counts are not typical");
    let report = std::fs::read(folder.path().join("report.json")).context("the suite wrote no report")?;
    let report = serde_json::from_slice(&report).context("the report is not JSON")?;
    for (file, text) in [(FILE, table(&report)?), (COVERAGE_FILE, coverage(&report)?)] {
        std::fs::write(root.join(file), text).with_context(|| format!("{file} cannot be written"))?;
    }
    Ok(())
}

/// Returns a line for each covered part of the document, in the document's order; a keyword has one line for each side.
fn coverage(report: &Value) -> Result<String> {
    let mut text = "part,requirements\n".to_owned();
    for part in report["coverage"]["parts"].as_array().context("the report has no `coverage.parts`")? {
        let (kind, name) = (part["kind"].as_str(), part["name"].as_str().context("a part in the report has no name")?);
        let operation = part["operation"].as_str().filter(|operation| *operation != name);
        let whole = operation.into_iter().chain([name]).collect::<Vec<_>>().join(" ");
        let sides: &[(&str, &str)] = match kind {
            Some("keyword") => &[(" edge", "met_by"), (" beyond", "beyond_by")],
            _ => &[("", "met_by")],
        };
        for (side, member) in sides {
            let ids: Vec<&str> = part[member].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            if !ids.is_empty() {
                writeln!(text, "{whole}{side},{}", ids.join(" "))?;
            }
        }
    }
    Ok(text)
}

/// Returns the lines of the file, in the order of requirements and quotas.
fn table(report: &Value) -> Result<String> {
    let mut text = "requirement,quota,requests,cases\n".to_owned();
    for row in report["requirements"].as_array().context("the report has no `requirements`")? {
        let id = row["id"].as_str().context("a requirement in the report has no id")?;
        for (quota, requests) in row["requests"].as_object().into_iter().flatten() {
            writeln!(text, "{id},{quota},{requests},{}", row["cases"])?;
        }
    }
    Ok(text)
}
