//! Runs the suite against the server with one change.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::switch;

/// Time after which a run is ended, in seconds. Requirements that are not decided until then stay open.
const MAX_TIME: &str = "120s";
/// Time after which the suite is killed: a change may make a loop without an end.
const KILLED_AFTER: Duration = Duration::from_secs(150);

/// Result of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// These requirements failed.
    Found(Vec<String>),
    /// The run could not start, or a command of the set-up failed.
    SetUp(String),
    /// No requirement failed, and these were not decided.
    Passed { undecided: Vec<String> },
    /// The suite crashed or did not end.
    Crashed(String),
    /// The suite does not execute the changed code, so it was not run.
    NotReached,
}

/// Runs of the suite.
pub(super) struct Runs<'paths> {
    pub(super) suite: &'paths Path,
    /// Folder for the reports.
    pub(super) folder: &'paths Path,
    pub(super) seed: u64,
    pub(super) cases: u32,
}

impl Runs<'_> {
    /// Runs the suite without a change. Returns the verdict, and the numbers of the changes whose code it executed.
    pub(super) fn unchanged(&self) -> Result<(Verdict, BTreeSet<u32>)> {
        let passed = self.folder.join("passed");
        std::fs::create_dir_all(self.folder)?;
        let verdict = self.run("none", (switch::PASSED, passed.as_os_str()), &[])?;
        let numbers = std::fs::read_to_string(&passed)
            .context("the suite executes the code of no change; choose a higher --count or another --seed")?;
        Ok((verdict, numbers.lines().filter_map(|line| line.parse().ok()).collect()))
    }

    /// Runs the suite with the change, until a requirement fails.
    pub(super) fn changed(&self, number: u32) -> Result<Verdict> {
        let number = number.to_string();
        self.run(&number, (switch::ENABLED, number.as_ref()), &["--fail-fast"])
    }

    fn run(&self, name: &str, variable: (&str, &OsStr), arguments: &[&str]) -> Result<Verdict> {
        let folder = self.folder.join(name);
        std::fs::create_dir_all(&folder)?;
        let mut suite = Command::new(self.suite);
        suite
            .args(["run", "--reference", "--no-progress", "--har", "none", "--max-time", MAX_TIME, "--seed"])
            .args([self.seed.to_string(), "--cases".to_owned(), self.cases.to_string(), "--report-dir".to_owned()])
            .arg(&folder)
            .args(arguments)
            .env_remove(switch::ENABLED)
            .env_remove(switch::PASSED)
            .env(variable.0, variable.1)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(folder.join("errors.txt"))?);
        let mut running = suite.spawn().context("the suite cannot be run")?;
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = running.try_wait()? {
                break status;
            }
            if begun.elapsed() > KILLED_AFTER {
                running.kill()?;
                running.wait()?;
                return Ok(Verdict::Crashed(format!("no end within {} s", KILLED_AFTER.as_secs())));
            }
            std::thread::sleep(Duration::from_millis(100));
        };
        let errors = std::fs::read_to_string(folder.join("errors.txt"))?;
        let said = || errors.lines().rev().find(|line| line.starts_with("error")).unwrap_or("no message").to_owned();
        Ok(match status.code() {
            Some(0 | 1 | 4) => {
                let report = std::fs::read(folder.join("report.json")).context("the suite wrote no report")?;
                judged(&serde_json::from_slice(&report).context("the report is not JSON")?)
            }
            Some(2 | 3) => Verdict::SetUp(said()),
            _ => Verdict::Crashed(said()),
        })
    }
}

/// Returns the verdict of a report.
fn judged(report: &Value) -> Verdict {
    let with = |statuses: &[&str]| -> Vec<String> {
        let all = report["requirements"].as_array().into_iter().flatten();
        let chosen = all.filter(|one| one["status"].as_str().is_some_and(|status| statuses.contains(&status)));
        chosen.filter_map(|one| one["id"].as_str().map(ToOwned::to_owned)).collect()
    };
    let (failed, errors) = (with(&["failed", "warned"]), with(&["error"]));
    match () {
        () if !failed.is_empty() => Verdict::Found(failed),
        () if !errors.is_empty() => Verdict::SetUp(format!("the set-up of {} failed", errors.join(", "))),
        () => Verdict::Passed { undecided: with(&["inconclusive"]) },
    }
}
