//! The command line of `screenshots`. An ignored test of the examples takes the pictures, because it has the browser and a server with
//! realistic data.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::cargo::cargo;

/// The test that takes the pictures.
const TEST: &str = "browser::screenshots::every_page_is_photographed";

/// Takes pictures of every page of the dashboard and of the hosted site: at 390 and 1280 pixels, light and dark.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The folder for the screenshots; those of an earlier run are replaced.
    #[arg(long, default_value = "target/screenshots")]
    out: PathBuf,
}

/// Runs the test, which prints where the pictures are.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let status = cargo()
        .env("CONTENTGEN_SCREENSHOTS", root.join(&arguments.out))
        .args(["test", "--locked", "--quiet", "--package", "contentgen-examples", "--test", "server", "--"])
        .args(["--ignored", "--exact", TEST, "--nocapture"])
        .current_dir(root)
        .status()
        .context("cargo cannot be run")?;
    ensure!(status.success(), "the screenshots were not taken; the messages above say why");
    Ok(())
}
