//! The workspace's own tasks, run as `cargo xtask …`. What each task does lives in a module of its own.

mod codegen;

use std::path::Path;

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
    /// Generates `sdk/src/generated.rs` from `openapi.yaml`.
    Codegen(codegen::Arguments),
}

fn main() -> Result<()> {
    let command = Command::parse();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the workspace")?;
    match command.task {
        Task::Codegen(arguments) => codegen::run(root, &arguments),
    }
}
