//! Runs the workspace's programs as `cargo trials …`: measures them, makes them fail, and checks them in production-like set-ups. Each
//! trial has a module. This crate is separate from `xtask` because it needs databases and TLS.

mod bench;
mod costs;
mod crash;
mod evolve;
mod fleet;
mod mutants;
mod program;
mod proxied;
mod reserved_port;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};

/// Runs the workspace's programs, and measures or breaks them.
#[derive(Debug, Parser)]
#[command(name = "cargo trials", disable_version_flag = true)]
struct Command {
    #[command(subcommand)]
    trial: Trial,
}

/// A trial.
#[derive(Debug, Subcommand)]
enum Trial {
    /// Measures whether the promises about speed hold: the benches `http`, `durable`, `scale`, `pages`, `sdk`, `sdk-build` and `suite`.
    Bench(bench::Arguments),
    /// Measures the requests of each requirement of the suite, from which a run estimates its duration, and its coverage of the document.
    Costs(costs::Arguments),
    /// Kills, stops and starves the server, and checks that nothing is lost.
    Crash(crash::Arguments),
    /// Makes random changes of the document, and runs today's SDK and command line against servers with these changes.
    Evolve(evolve::Arguments),
    /// Runs the suite against several server processes on one PostgreSQL.
    Fleet(fleet::Arguments),
    /// Changes the server at random places, and counts how many of the changes the suite finds.
    Mutants(mutants::Arguments),
    /// Runs the suite against the server behind nginx, at the root of a host and below a path.
    Proxied(proxied::Arguments),
}

fn main() -> ExitCode {
    // In a build of the whole workspace, the HTTP client has TLS and requires a crypto provider, although the trials do not use TLS.
    let _ = rustls::crypto::ring::default_provider().install_default();
    match run(Command::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr().lock(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the requested trial in this workspace.
fn run(command: Command) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the folder of trials has no parent folder")?;
    match command.trial {
        Trial::Bench(arguments) => bench::run(root, &arguments),
        Trial::Costs(arguments) => costs::run(root, &arguments),
        Trial::Crash(arguments) => crash::run(root, &arguments),
        Trial::Evolve(arguments) => evolve::run(root, &arguments),
        Trial::Fleet(arguments) => fleet::run(root, &arguments),
        Trial::Mutants(arguments) => mutants::run(root, &arguments),
        Trial::Proxied(arguments) => proxied::run(root, &arguments),
    }
}
