//! `cargo xtask evolve`: the same as `cargo trials evolve`, which is where programs are run. This program must not depend on the SDK that
//! it generates.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::cargo::cargo;

/// Tries changes of the document with today's SDK and command line.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Options of `cargo trials evolve`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    passed_on: Vec<String>,
}

/// Runs the trial.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let status = cargo()
        .args(["run", "--locked", "--quiet", "--package", "trials", "--", "evolve"])
        .args(&arguments.passed_on)
        .current_dir(root)
        .status()
        .context("cargo cannot be run")?;
    ensure!(status.success(), "the trial failed; its messages above say why");
    Ok(())
}
