//! Builds a program of the workspace and runs its short commands. `crash::server` runs the server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

/// A built program.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    path: PathBuf,
}

impl Program {
    /// Builds the server of the workspace at `root` with its failpoints.
    pub(crate) fn with_failpoints(root: &Path, profile: &str) -> Result<Self> {
        Self::build(root, profile, "contentgen-server", &["--features", "contentgen-server-stub/failpoints"])
    }

    /// Builds a program of the workspace at `root`; cargo's own output goes to the terminal.
    ///
    /// In the profile `dev` it builds all targets, as `.ci/run` does. Fewer targets would select other features for the dependencies, and
    /// cargo would compile them again.
    pub(crate) fn build(root: &Path, profile: &str, binary: &str, features: &[&str]) -> Result<Self> {
        let targets: &[&str] =
            if profile == "dev" && features.is_empty() { &["--all-targets"] } else { &["--bin", binary] };
        let mut cargo = Command::new("cargo");
        // `cargo trials` sets these for this program. Build scripts that read them would run again, and their dependents would be rebuilt.
        for name in ["NAME", "VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH", "VERSION_PRE"] {
            cargo.env_remove(format!("CARGO_PKG_{name}"));
        }
        let output = cargo
            .env_remove("CARGO_MANIFEST_DIR")
            .env_remove("CARGO_MANIFEST_LINKS")
            .args([
                "build",
                "--locked",
                "--workspace",
                "--profile",
                profile,
                "--message-format=json-render-diagnostics",
            ])
            .args(targets)
            .args(features)
            .current_dir(root)
            .stderr(Stdio::inherit())
            .output()
            .context("cargo cannot be run")?;
        ensure!(output.status.success(), "{binary} was not built; cargo's messages above say why");
        let messages = String::from_utf8(output.stdout).context("the output of cargo is not UTF-8")?;
        let executable = messages
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|message| message["target"]["name"] == binary && message["profile"]["test"] == false)
            .find_map(|message| message["executable"].as_str().map(PathBuf::from));
        Ok(Self { path: executable.context("cargo did not report the path of the program")? })
    }

    /// Returns the path of the executable.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs a short command on a database in `folder` and returns the `name: value` lines that it prints. Passes the database's address in
    /// the environment: it may contain a password, and other users cannot see the environment.
    pub(crate) fn run_command(
        &self,
        folder: &Path,
        database: &str,
        arguments: &[&str],
    ) -> Result<BTreeMap<String, String>> {
        let output = Command::new(&self.path)
            .args(arguments)
            .env("CONTENTGEN_DATABASE", database)
            .current_dir(folder)
            .output()
            .context("the server cannot be run")?;
        if !output.status.success() {
            bail!(
                "`{}` failed: {}",
                arguments[..arguments.len().min(2)].join(" "),
                String::from_utf8_lossy(&output.stderr).trim()
            );
        }
        let text = String::from_utf8(output.stdout).context("the output of the server is not UTF-8")?;
        let named = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
        Ok(text.lines().filter_map(named).collect())
    }
}
