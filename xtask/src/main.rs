//! The workspace's own tasks, run as `cargo xtask …`. What each task does lives in a module of its own.

mod api;
mod bench;
mod codegen;
mod costs;
mod crash;
mod docs;
mod fleet;
mod proxied;
mod screenshots;
mod tidy;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};

/// The workspace's own tasks.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", disable_version_flag = true)]
struct Command {
    #[command(subcommand)]
    task: Task,
}

/// What can be done.
#[derive(Debug, Subcommand)]
enum Task {
    /// Lists the public items of the SDK in `sdk/public-api.txt`.
    Api(api::Arguments),
    /// Measures what is promised about speed: the benches `http`, `durable`, `scale`, `sdk`, `sdk-build` and `suite`.
    Bench(bench::Arguments),
    /// Generates from `openapi.yaml` what is committed: the SDK's `generated.rs` and the server's `reference.html`.
    Codegen(codegen::Arguments),
    /// Measures how many requests each requirement of the suite makes, for what it tells about the time that it will take.
    Costs(costs::Arguments),
    /// Kills, stops and starves the server, and checks that nothing is lost.
    Crash(crash::Arguments),
    /// Writes the reference, the problem pages and the guides to `target/docs`.
    Docs(docs::Arguments),
    /// Runs the suite against several server processes on one PostgreSQL.
    Fleet(fleet::Arguments),
    /// Runs the suite against the server behind nginx, at the root of a host and below a path.
    Proxied(proxied::Arguments),
    /// Takes pictures of every page of the dashboard.
    Screenshots(screenshots::Arguments),
    /// Checks the rules of the tree that a compiler does not know.
    Tidy(tidy::Arguments),
}

fn main() -> ExitCode {
    // Built with the whole workspace, the HTTP client has TLS and asks for its cryptography, though nothing here needs it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    match run(Command::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr().lock(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the task that was asked for in this workspace.
fn run(command: Command) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the workspace")?;
    match command.task {
        Task::Api(arguments) => api::run(root, &arguments),
        Task::Bench(arguments) => bench::run(root, &arguments),
        Task::Codegen(arguments) => codegen::run(root, &arguments),
        Task::Costs(arguments) => costs::run(root, &arguments),
        Task::Crash(arguments) => crash::run(root, &arguments),
        Task::Docs(arguments) => docs::run(root, &arguments),
        Task::Fleet(arguments) => fleet::run(root, &arguments),
        Task::Proxied(arguments) => proxied::run(root, &arguments),
        Task::Screenshots(arguments) => screenshots::run(root, &arguments),
        Task::Tidy(arguments) => tidy::run(root, &arguments),
    }
}
