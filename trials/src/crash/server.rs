//! One server process: starts it, sends it signals, waits for its end, and kills it.

use std::fs::File;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use super::launch::Launch;
use crate::program::Program;

/// Ignores the signal by which the system ends a process that writes too much to a file, then becomes the server.
const IGNORE_LONG_FILES: &str = "trap '' XFSZ; exec \"$0\" \"$@\"";

/// SIGTERM, which is number 15, in a set of signals.
const SIGTERM: u64 = 1 << 14;

/// Maximum time until a process has stopped after `SIGSTOP`.
const FROZEN_WITHIN: Duration = Duration::from_mins(1);

/// A server process; killed when this is dropped.
#[derive(Debug)]
pub(super) struct Server {
    child: Child,
    id: Pid,
}

impl Server {
    /// Starts a process; appends its log to the file at `log`.
    pub(super) fn start(
        program: &Program,
        launch: &Launch,
        address: SocketAddr,
        database: &str,
        log: &Path,
    ) -> Result<Self> {
        let folder = log.parent().context("the path of the log has no folder")?;
        let log = File::options().create(true).append(true).open(log).context("the server's log cannot be written")?;
        let mut command = if launch.survives_full_disk {
            let mut shell = Command::new("sh");
            shell.args(["-c", IGNORE_LONG_FILES]).arg(program.path());
            shell
        } else {
            Command::new(program.path())
        };
        let child = command
            .args(launch.options(address, folder))
            .envs(launch.environment())
            .env("CONTENTGEN_DATABASE", database)
            .env("CONTENTGEN_LOG", "info")
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .context("the server cannot be started")?;
        let id = child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
        let id = id.context("the server ended at once")?;
        Ok(Self { child, id })
    }

    /// Returns the exit status if the process has ended.
    pub(super) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    /// Sends `kill -9`, and waits until the process has ended.
    pub(super) async fn kill(&mut self) -> Result<()> {
        self.child.kill().await.context("the server cannot be killed")
    }

    /// Sends a signal to the process.
    pub(super) fn signal(&self, signal: Signal) -> Result<()> {
        kill_process(self.id, signal).with_context(|| format!("{signal:?} could not be sent to the server"))
    }

    /// Returns true if the process has installed its handler for SIGTERM. Before that the system ends it at once. Returns true on systems
    /// that do not report this; Linux does.
    pub(super) fn can_be_asked_to_stop(&self) -> Result<bool> {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", self.id)) else { return Ok(true) };
        let caught = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))
            .context("the process status has no line SigCgt")?;
        Ok(u64::from_str_radix(caught.trim(), 16)? & SIGTERM != 0)
    }

    /// Stops the process at any point, and returns once all its threads have stopped.
    pub(super) async fn freeze(&self) -> Result<()> {
        self.signal(Signal::STOP)?;
        let given_up_at = Instant::now() + FROZEN_WITHIN;
        // Does not wait for the exit: the exit is reported only once, and `child` waits for it.
        let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG;
        while waitid(WaitId::Pid(self.id), options)?.is_none() {
            ensure!(Instant::now() < given_up_at, "the server did not stop after SIGSTOP");
            sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }

    /// Sets the maximum size of the process's files, in bytes; `None` lifts the limit.
    pub(super) async fn limit_files(&self, bytes: Option<u64>) -> Result<()> {
        let limit = bytes.map_or_else(|| "unlimited".to_owned(), |bytes| bytes.to_string());
        let arguments = ["--pid".to_owned(), self.id.to_string(), format!("--fsize={limit}:")];
        let set = Command::new("prlimit").args(arguments).status().await.context("prlimit cannot be run")?;
        ensure!(set.success(), "prlimit could not set the limit of the server's files");
        Ok(())
    }

    /// Waits until the process ends; returns `None` if it does not end within `patience`.
    pub(super) async fn wait(&mut self, patience: Duration) -> Result<Option<ExitStatus>> {
        Ok(timeout(patience, self.child.wait()).await.ok().transpose()?)
    }
}
