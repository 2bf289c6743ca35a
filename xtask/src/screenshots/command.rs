//! The command line of `screenshots`. The pictures are taken by an ignored test of the examples, which has the browser and a
//! server on which much has happened.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// The test that takes the pictures.
const TEST: &str = "browser::screenshots::every_page_is_photographed";

/// Takes pictures of every page of the dashboard: at 390 and 1280 pixels, light and dark.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The folder for the pictures; those of an earlier run are replaced.
    #[arg(long, default_value = "target/screenshots")]
    out: PathBuf,
}

/// Runs the test, which prints where the pictures are.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let mut cargo = Command::new("cargo");
    // `cargo xtask` sets them for this program; build scripts that look at them would run again, and all that needs them.
    for name in ["NAME", "VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH", "VERSION_PRE"] {
        cargo.env_remove(format!("CARGO_PKG_{name}"));
    }
    let status = cargo
        .env_remove("CARGO_MANIFEST_DIR")
        .env_remove("CARGO_MANIFEST_LINKS")
        .env("CONTENTGEN_SCREENSHOTS", root.join(&arguments.out))
        .args(["test", "--locked", "--quiet", "--package", "contentgen-examples", "--test", "server", "--"])
        .args(["--ignored", "--exact", TEST, "--nocapture"])
        .current_dir(root)
        .status()
        .context("cargo cannot be run")?;
    ensure!(status.success(), "the pictures were not taken; the messages above say why");
    Ok(())
}
