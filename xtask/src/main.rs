//! The workspace's own tasks, run as `cargo xtask …`. Each task has a module.

mod api;
mod cargo;
mod codegen;
mod dist;
mod docs;
mod evolve;
mod new_requirement;
mod screenshots;
mod tidy;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};
use xtask::compatibility;

/// The workspace's own tasks.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", disable_version_flag = true)]
struct Command {
    #[command(subcommand)]
    task: Task,
}

/// A task.
#[derive(Debug, Subcommand)]
enum Task {
    /// Lists the public items of the SDK in `sdk/public-api.txt`.
    Api(api::Arguments),
    /// Generates the committed files from `openapi.yaml`: the SDK's `generated.rs`, the server's `reference.html` and `openapi-3.1.json`.
    Codegen(codegen::Arguments),
    /// Checks that the policy of the document allows its changes, or prints it as OpenAPI 3.1.
    Document(compatibility::Arguments),
    /// Packs all programs for this platform into `target/dist`, with checksums and shell completions.
    Dist(dist::Arguments),
    /// Writes the reference, the problem pages and the guides to `target/docs`.
    Docs(docs::Arguments),
    /// Tries random changes of the document that its policy allows, and some that it forbids: `cargo trials evolve`.
    Evolve(evolve::Arguments),
    /// Writes the file of a new requirement of the conformance suite.
    NewRequirement(new_requirement::Arguments),
    /// Takes screenshots of every page of the dashboard.
    Screenshots(screenshots::Arguments),
    /// Checks the rules of the repository that the compiler does not check.
    Tidy(tidy::Arguments),
}

fn main() -> ExitCode {
    match run(Command::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr().lock(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the requested task in this workspace.
fn run(command: Command) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the folder of xtask has no parent folder")?;
    match command.task {
        Task::Api(arguments) => api::run(root, &arguments),
        Task::NewRequirement(arguments) => new_requirement::run(root, &arguments),
        Task::Codegen(arguments) => codegen::run(root, &arguments),
        Task::Dist(arguments) => dist::run(root, &arguments),
        Task::Document(arguments) => compatibility::run(root, &arguments),
        Task::Docs(arguments) => docs::run(root, &arguments),
        Task::Evolve(arguments) => evolve::run(root, &arguments),
        Task::Screenshots(arguments) => screenshots::run(root, &arguments),
        Task::Tidy(arguments) => tidy::run(root, &arguments),
    }
}
