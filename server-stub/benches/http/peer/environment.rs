//! A Python virtual environment with the peer's packages.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use tempfile::TempDir;

/// Packages that pip installs.
const REQUIREMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/http/peer/requirements.txt");

/// A virtual environment, deleted when this value is dropped.
pub(super) struct Environment {
    folder: TempDir,
}

impl Environment {
    /// Creates an environment. pip shows its progress.
    pub(super) fn install(python: &Path) -> anyhow::Result<Self> {
        let environment = Self { folder: tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))? };
        let named = python.display();
        let made = Command::new(python).args(["-m", "venv"]).arg(environment.folder.path()).status();
        let made = made.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => anyhow::anyhow!(
                "there is no program {named}: install Python 3.11 or newer, or name it: --peer --python PROGRAM"
            ),
            _ => anyhow::Error::from(error).context(format!("{named} cannot be run")),
        })?;
        ensure!(made.success(), "`{named} -m venv` failed; its messages above say what to install");
        let installed = Command::new(environment.python())
            .args(["-m", "pip", "install", "--disable-pip-version-check", "--requirement", REQUIREMENTS])
            .status()
            .context("the Python of the new environment cannot be run")?;
        ensure!(
            installed.success(),
            "pip could not install the peer; its messages above say why. It needs Python 3.11 or newer, and the network or an \
             index of packages that `pip config` names"
        );
        Ok(environment)
    }

    /// Returns the path of the interpreter.
    pub(super) fn python(&self) -> PathBuf {
        self.folder.path().join("bin/python")
    }

    /// Returns the compared packages with their versions, as one line.
    pub(super) fn versions(&self) -> anyhow::Result<String> {
        let script = "import platform, fastapi, uvicorn
print(f'FastAPI {fastapi.__version__}, uvicorn {uvicorn.__version__}, Python {platform.python_version()}')";
        let output = Command::new(self.python()).args(["-c", script]).output()?;
        ensure!(
            output.status.success(),
            "the peer's packages cannot be loaded: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }
}
