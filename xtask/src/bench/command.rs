//! Which benches are run, one after the other. Their figures and goals are in `docs/benchmarks.md`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use clap::{Args, ValueEnum};

use super::suite;

/// What to run.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only this bench; all of them unless given.
    bench: Option<Bench>,
    #[command(flatten)]
    suite: suite::Options,
    /// Arguments for the bench, after `--`.
    #[arg(last = true, requires = "bench")]
    passed_on: Vec<String>,
}

/// What can be run.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Bench {
    /// What durability and reading cost.
    Http,
    /// How fast the durable core is.
    Durable,
    /// How fast the suite is, beside schemathesis.
    Suite,
}

impl Bench {
    /// The target's name.
    const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Durable => "durable",
            Self::Suite => "suite",
        }
    }
}

/// Runs the benches; a missed goal is printed and is no error.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let benches = arguments.bench.map_or_else(|| Bench::value_variants().to_vec(), |bench| vec![bench]);
    for bench in benches {
        if matches!(bench, Bench::Suite) {
            suite::run(root, &arguments.suite)?;
            continue;
        }
        let status = Command::new("cargo")
            .args(["bench", "--locked", "--package", "contentgen-server-stub", "--bench", bench.name(), "--"])
            .args(&arguments.passed_on)
            .current_dir(root)
            .status()
            .context("cargo cannot be run")?;
        ensure!(status.success(), "the bench {} failed; its messages above say why", bench.name());
    }
    Ok(())
}
