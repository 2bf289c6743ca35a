//! Changes of the server that `cargo-mutants` proposes.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use serde::Deserialize;

/// The folders whose code decides what a client sees.
const FOLDERS: [&str; 4] = ["domain", "app", "http", "storage"];

/// A change of one place.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Mutation {
    /// Place and change, for people.
    pub(super) name: String,
    /// The file, relative to the workspace root.
    pub(super) file: String,
    pub(super) span: Span,
    /// Code that replaces the span; empty for an operator that is removed.
    pub(super) replacement: String,
    pub(super) genre: Genre,
}

/// Kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum Genre {
    /// A function returns a fixed value.
    FnValue,
    /// Another operator between two values.
    BinaryOperator,
    /// No operator before a value.
    UnaryOperator,
    /// A fixed value instead of the condition of a match arm.
    MatchArmGuard,
    /// Changes that cannot be enabled while the program runs: removed match arms and fields.
    #[serde(other)]
    Other,
}

/// Part of a file.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Span {
    pub(super) start: Place,
    pub(super) end: Place,
}

/// Line and column in characters, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Returns all changes of the server in a random order.
pub(super) fn shuffled(root: &Path, seed: u64) -> Result<Vec<Mutation>> {
    let mut cargo = Command::new("cargo");
    cargo.args(["mutants", "--list", "--json", "--package", "contentgen-server-stub"]).current_dir(root);
    for folder in FOLDERS {
        cargo.arg("--file").arg(format!("server-stub/src/{folder}/**"));
    }
    let output = cargo.stderr(Stdio::inherit()).output().context("cargo cannot be run")?;
    ensure!(output.status.success(), "there is no list of changes; install cargo-mutants: cargo install cargo-mutants");
    let mut all: Vec<Mutation> =
        serde_json::from_slice(&output.stdout).context("the list of changes is not readable")?;
    all.retain(|mutation| mutation.genre != Genre::Other);
    all.shuffle(&mut StdRng::seed_from_u64(seed));
    Ok(all)
}
