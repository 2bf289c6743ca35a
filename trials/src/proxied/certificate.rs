//! A certificate that only this run trusts.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use tokio::process::Command;

/// A certificate for this machine's loopback address, and its key, in PEM.
#[derive(Debug)]
pub(super) struct Certificate {
    pub(super) file: PathBuf,
    pub(super) key: PathBuf,
}

impl Certificate {
    /// Makes a certificate in `folder` with the program openssl; it is valid for a day.
    pub(super) async fn new(folder: &Path) -> Result<Self> {
        let made = Self { file: folder.join("certificate.pem"), key: folder.join("key.pem") };
        let output = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"])
            .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"])
            .args(["-addext", "basicConstraints=critical,CA:FALSE"])
            .args([Path::new("-keyout"), &made.key, Path::new("-out"), &made.file])
            .output()
            .await
            .context("openssl cannot be run; apt-get install openssl")?;
        ensure!(output.status.success(), "openssl: {}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(made)
    }
}
