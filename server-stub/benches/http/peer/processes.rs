//! The peer's processes: starts them on free loopback ports, waits until they respond, and stops them.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::environment::Environment;
use crate::load;

/// Script that each process runs.
const APP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/http/peer/app.py");
/// Time limit for the first response of a process.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// Pause between two attempts to reach a starting process.
const PAUSE: Duration = Duration::from_millis(50);

/// A peer process, killed when this value is dropped: it stores nothing that could be lost. It ends by itself when the bench is killed.
pub(super) struct PeerProcess {
    child: Child,
    pub(super) address: SocketAddr,
}

impl PeerProcess {
    /// Starts a process and waits until it responds to `request` with 202.
    pub(super) async fn start(environment: &Environment, api_key: &str, request: &[u8]) -> anyhow::Result<Self> {
        // The port is free again after this line. If another process takes it first, the start fails.
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let child = Command::new(environment.python())
            .args([APP, &address.port().to_string()])
            .env("CONTENTGEN_API_KEY", api_key)
            .stdin(Stdio::piped())
            .spawn()
            .context("the peer cannot be started")?;
        let mut process = Self { child, address };
        tokio::time::timeout(START_TIMEOUT, process.wait_until_ready(request))
            .await
            .with_context(|| format!("the peer did not answer within {} s", START_TIMEOUT.as_secs()))??;
        Ok(process)
    }

    async fn wait_until_ready(&mut self, request: &[u8]) -> anyhow::Result<()> {
        while let Err(error) = load::once(self.address, request, 202).await {
            if !error.is::<std::io::Error>() {
                return Err(error.context("the peer answers wrongly"));
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("the peer ended at its start ({status}); its messages above say why");
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }
}

impl Drop for PeerProcess {
    fn drop(&mut self) {
        // Both fail only if the process has already ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
