//! Compares the suite with schemathesis: the same document, the same kind of server, the same cores. The server counts the requests of
//! both.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use tokio::process::Command;

use super::contender::{Seen, watch};
use crate::fleet::{Member, target};
use crate::program::Program;

/// Minimum ratio of the suite's request rate to that of schemathesis.
const GOAL: f64 = 10.0;
/// Maximum duration of a run of the profile `full`, and of `core`, in seconds.
const FULL: f64 = 60.0;
const CORE: f64 = 20.0;
/// Maximum memory of a run, in MiB.
const MEMORY: u64 = 200;
/// Numbers of workers with which schemathesis runs.
const WORKERS: [&str; 2] = ["1", "auto"];
/// Seconds after which schemathesis stops by its own option; its default run takes too long to wait for.
const MAX_TIME: &str = "60";

/// Skips the requirements that wait for webhook retries and for quotas to reset. They make a run longer without adding load, and
/// schemathesis has nothing similar. So the rates are compared with and without them.
const WAITING: [&str; 4] = ["--skip", "hooks.*", "--skip", "limits.quota.*"];

/// Options of the measurement.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The program `schemathesis`, installed with pip; the comparison is skipped if it is not found.
    #[arg(long, default_value = "schemathesis", value_name = "PROGRAM")]
    schemathesis: PathBuf,
}

/// Measures and prints; a missed goal is printed without failing.
pub(super) fn run(root: &Path, options: &Options) -> Result<()> {
    let server = Program::build(root, "release", "contentgen-server", &[])?;
    let suite = Program::build(root, "release", "contentgen-conformance", &[])?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let full = judged(&server, &suite, "full", &[]).await?;
        let busy = judged(&server, &suite, "full", &WAITING).await?;
        let core = judged(&server, &suite, "core", &[]).await?;
        let mut best: Option<f64> = None;
        for workers in WORKERS {
            let Some(seen) = compared(root, &server, &options.schemathesis, workers).await? else { break };
            best = Some(best.unwrap_or_default().max(seen.rate()));
        }
        let mut out = std::io::stdout().lock();
        let verdict = |is_met: bool| if is_met { "met" } else { "MISSED" };
        writeln!(out, "full run: {:.1} s, goal {FULL:.0}: {}", full.seconds, verdict(full.seconds <= FULL))?;
        writeln!(out, "core run: {:.1} s, goal {CORE:.0}: {}", core.seconds, verdict(core.seconds <= CORE))?;
        writeln!(out, "memory: {} MiB, goal {MEMORY}: {}", full.mebibytes, verdict(full.mebibytes < MEMORY))?;
        if let Some(best) = best {
            for (what, seen) in [("the whole run", full), ("without what waits", busy)] {
                let ratio = seen.rate() / best;
                let verdict = verdict(ratio >= GOAL);
                writeln!(out, "exchanges a second over schemathesis, {what}: {ratio:.1}, goal {GOAL:.0}: {verdict}")?;
            }
        } else {
            writeln!(out, "schemathesis was not found: pip install schemathesis, or name it with --schemathesis")?;
        }
        Ok(())
    })
}

/// Runs the suite with its default settings.
async fn judged(server: &Program, suite: &Program, profile: &str, selection: &[&str]) -> Result<Seen> {
    let folder = tempfile::tempdir()?;
    let member = demonstration(server, folder.path()).await?;
    let base_url = member.ready["base_url"].as_str().context("the ready file has no `base_url`")?;
    let file = folder.path().join("conformance.toml");
    std::fs::write(&file, target::configuration(base_url, &member.ready, server.path())?)?;
    let mut command = Command::new(suite.path());
    command
        .args(["run", "--no-progress", "--profile", profile, "--config"])
        .arg(&file)
        .arg("--report-dir")
        .arg(folder.path().join("report"))
        .args(selection)
        .envs(target::keys(&member.ready)?)
        .env("CONTENTGEN_DATABASE", database(folder.path()))
        .current_dir(folder.path());
    let seen = watch(format!("suite, {profile} {}", selection.join(" ")).trim_end(), command, &member).await?;
    member.stop().await?;
    Ok(seen)
}

/// Runs schemathesis with its default checks and phases; returns `None` if the program is not installed.
async fn compared(root: &Path, server: &Program, program: &Path, workers: &str) -> Result<Option<Seen>> {
    if Command::new(program).arg("--version").output().await.is_err() {
        return Ok(None);
    }
    let folder = tempfile::tempdir()?;
    let member = demonstration(server, folder.path()).await?;
    let base_url = member.ready["base_url"].as_str().context("the ready file has no `base_url`")?;
    let [(_, key), ..] = target::keys(&member.ready)?;
    let mut command = Command::new(program);
    command
        .arg("run")
        .arg(root.join("openapi.yaml"))
        .args(["--url", base_url, "--workers", workers, "--max-time", MAX_TIME, "--header"])
        .arg(format!("Authorization: Bearer {key}"))
        .current_dir(folder.path());
    let seen = watch(&format!("schemathesis, {workers} workers"), command, &member).await?;
    member.stop().await?;
    Ok(Some(seen))
}

async fn demonstration(server: &Program, folder: &Path) -> Result<Member> {
    let name = ("server".to_owned(), "api,worker");
    Member::start(server, folder, name, &database(folder), None).await
}

fn database(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("bench.db").display())
}
