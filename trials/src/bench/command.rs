//! Selects and runs the benches, one after the other. For their figures and goals see `docs/benchmarks.md`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use clap::{Args, ValueEnum};

use super::{sdk_build, suite};

/// The benches to run, and their options.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only this benchmark; by default all.
    bench: Option<Bench>,
    #[command(flatten)]
    suite: suite::Options,
    #[command(flatten)]
    sdk_build: sdk_build::Options,
    /// Arguments for the benchmark, after `--`.
    #[arg(last = true, requires = "bench")]
    passed_on: Vec<String>,
}

/// A bench.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Bench {
    /// Cost of durability and reading; with `-- --peer`, also compared with `FastAPI` and uvicorn.
    Http,
    /// Speed of the durable core.
    Durable,
    /// Growth of costs with the database; fails if they clearly grow too much.
    Scale,
    /// Time and memory of the dashboard's pages in a large account; fails if a goal is missed.
    Pages,
    /// Cost of an SDK call compared with the HTTP client alone, and of verifying a webhook.
    Sdk,
    /// Build time and crates that the SDK adds to a program; fails if they are too many.
    SdkBuild,
    /// Speed of the suite, compared with schemathesis.
    Suite,
}

/// Runs the benches. Prints a missed goal without failing, unless a bench documents a failure.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let benches = arguments.bench.map_or_else(|| Bench::value_variants().to_vec(), |bench| vec![bench]);
    for bench in benches {
        match bench {
            Bench::Suite => suite::run(root, &arguments.suite)?,
            Bench::SdkBuild => sdk_build::run(root, &arguments.sdk_build)?,
            Bench::Http => cargo_bench(root, "contentgen-server-stub", "http", &arguments.passed_on)?,
            Bench::Durable => cargo_bench(root, "contentgen-server-stub", "durable", &arguments.passed_on)?,
            Bench::Scale => cargo_bench(root, "contentgen-server-stub", "scale", &arguments.passed_on)?,
            Bench::Pages => cargo_bench(root, "contentgen-server-stub", "pages", &arguments.passed_on)?,
            Bench::Sdk => cargo_bench(root, "contentgen-sdk", "overhead", &arguments.passed_on)?,
        }
    }
    Ok(())
}

/// Runs a bench that is a target of a package.
fn cargo_bench(root: &Path, package: &str, name: &str, passed_on: &[String]) -> Result<()> {
    let status = Command::new("cargo")
        .args(["bench", "--locked", "--package", package, "--bench", name, "--"])
        .args(passed_on)
        .current_dir(root)
        .status()
        .context("cargo cannot be run")?;
    ensure!(status.success(), "the benchmark {name} failed; its messages above say why");
    Ok(())
}
