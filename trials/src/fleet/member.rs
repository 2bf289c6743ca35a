//! One server process of the fleet.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

use crate::program::Program;

/// Maximum time until a process accepts requests, and until it stops.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server process; killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Member {
    name: String,
    log: PathBuf,
    child: Child,
    /// Contents of its ready file.
    pub(crate) ready: Value,
}

impl Member {
    /// Starts `name` with `roles` as a demonstration, and waits until it is ready. `public_url` is its address for clients if they do not
    /// connect directly.
    pub(crate) async fn start(
        program: &Program,
        folder: &Path,
        (name, roles): (String, &str),
        database: &str,
        public_url: Option<&str>,
    ) -> Result<Self> {
        let (log, ready) = (folder.join(format!("{name}.log")), folder.join(format!("{name}.json")));
        let file = File::create(&log).context("a log cannot be written")?;
        let child = Command::new(program.path())
            .args(["serve", "--demo", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--roles", roles])
            .args(public_url.iter().flat_map(|url| ["--public-url", url]))
            .arg("--ready-file")
            .arg(&ready)
            .env("CONTENTGEN_DATABASE", database)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(file)
            .kill_on_drop(true)
            .spawn()
            .context("a server cannot be started")?;
        let mut member = Self { name, log, child, ready: Value::Null };
        member.ready = member.wait_until_ready(&ready).await?;
        Ok(member)
    }

    async fn wait_until_ready(&mut self, ready: &Path) -> Result<Value> {
        let given_up_at = Instant::now() + PATIENCE;
        while Instant::now() < given_up_at {
            if let Ok(text) = std::fs::read(ready) {
                return serde_json::from_slice(&text).context("the ready file is not JSON");
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("{} ended with {status}: {}", self.name, std::fs::read_to_string(&self.log)?.trim());
            }
            sleep(Duration::from_millis(20)).await;
        }
        bail!("{} was not ready after {} s", self.name, PATIENCE.as_secs())
    }

    /// Returns the address of its API.
    pub(crate) fn address(&self) -> Result<SocketAddr> {
        let url = self.ready["base_url"].as_str().context("the ready file has no `base_url`")?;
        url.trim_start_matches("http://").parse().context("the `base_url` of the ready file is not http://IP:PORT")
    }

    /// Stops the process in order and returns its exit status.
    pub(crate) async fn stop(mut self) -> Result<ExitStatus> {
        let id = self.child.id().context("the process has already ended")?;
        Command::new("kill").args(["-TERM", &id.to_string()]).status().await?;
        timeout(PATIENCE, self.child.wait()).await.context("a process did not stop in time")?.map_err(Into::into)
    }
}
