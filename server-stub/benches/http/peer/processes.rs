//! The peer's processes: started on free ports of loopback, waited for, stopped. What is asked of them is not known here.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::environment::Environment;
use crate::load;

/// What each runs.
const APP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/http/peer/app.py");
/// How long a process may take until it answers.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// Between two attempts to reach one that starts.
const PAUSE: Duration = Duration::from_millis(50);

/// A process, which is killed and gone when this is dropped: it keeps nothing that could be lost. It ends by itself when
/// the bench is killed.
pub(super) struct PeerProcess {
    child: Child,
    pub(super) address: SocketAddr,
}

impl PeerProcess {
    /// Starts one and waits until it answers `request` with 202.
    pub(super) async fn start(environment: &Environment, api_key: &str, request: &[u8]) -> anyhow::Result<Self> {
        // Free again as soon as it is known; whoever takes it in between makes the start fail.
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
        // Both fail only for a process that is gone already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
