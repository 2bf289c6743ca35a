//! The server as a separate process, so that its memory can be measured.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;
use serde_json::Value;
use tempfile::TempDir;

use crate::database::Database;

/// Time limit of a start, because the server checks a large database first.
const START_LIMIT: Duration = Duration::from_mins(1);

/// The server, stopped when this value is dropped.
pub(crate) struct Program {
    process: Child,
    base_url: String,
    _folder: TempDir,
}

impl Program {
    /// Serves the API and the dashboard of the database.
    pub(crate) fn start(database: &Database) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let ready = folder.path().join("ready.json");
        let mut process = Command::new(env!("CARGO_BIN_EXE_contentgen-server"))
            .args(["serve", "--roles", "api,dashboard", "--listen", "127.0.0.1:0", "--log", "warn"])
            .args(["--database", &database.address()])
            .arg("--ready-file")
            .arg(&ready)
            .env("CONTENTGEN_SECRET_KEY", Database::SECRET_KEY)
            .stdout(Stdio::null())
            .spawn()?;
        let step = Duration::from_millis(20);
        for _ in 0..START_LIMIT.as_millis() / step.as_millis() {
            if let Ok(text) = fs::read(&ready) {
                let ready: Value = serde_json::from_slice(&text)?;
                let base_url = ready["base_url"].as_str().context("no address in the ready file")?.to_owned();
                return Ok(Self { process, base_url, _folder: folder });
            }
            anyhow::ensure!(process.try_wait()?.is_none(), "the server ended at its start");
            std::thread::sleep(step);
        }
        anyhow::bail!("the server did not start within {} s", START_LIMIT.as_secs())
    }

    /// Returns the base URL of the server.
    pub(crate) fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Returns the current memory of the process, in MiB.
    pub(crate) fn memory_mib(&self) -> anyhow::Result<f64> {
        self.status("VmRSS:")
    }

    /// Returns the peak memory of the process, in MiB.
    pub(crate) fn peak_memory_mib(&self) -> anyhow::Result<f64> {
        self.status("VmHWM:")
    }

    /// Returns a figure from the kernel's status file, which is in KiB.
    fn status(&self, name: &str) -> anyhow::Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name)).context("the kernel reports no memory")?;
        let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kib / 1024.0)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The figures are complete, so errors of the cleanup do not matter.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
