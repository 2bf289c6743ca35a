//! `cargo xtask codegen [--check]`: writes the generated file, or proves that the committed one is fresh.
//! How the text comes about is in the other files of this module.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::{document, finish, generate, lower};

/// The document that everything is generated from, relative to the workspace root.
const DOCUMENT: &str = "openapi.yaml";
/// The one generated file, relative to the workspace root.
const GENERATED: &str = "sdk/src/generated.rs";
/// The command that brings the generated file up to date.
const FIX: &str = "cargo xtask codegen";

/// Options of `cargo xtask codegen`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Change nothing; fail when the committed file is not what the document gives.
    #[arg(long)]
    pub(super) check: bool,
}

/// Runs the command in the workspace at `root`.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let path = root.join(DOCUMENT);
    let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let fresh = generated_source(&text)?;
    let target = root.join(GENERATED);
    let committed = fs::read_to_string(&target).unwrap_or_default();
    let mut output = std::io::stdout().lock();
    if committed == fresh {
        writeln!(output, "{GENERATED} is up to date")?;
    } else if arguments.check {
        let difference = first_difference(&committed, &fresh);
        bail!("{GENERATED} is stale ({difference}).\nRun `{FIX}` and commit the result.");
    } else {
        let temporary = target.with_extension("rs.new");
        fs::write(&temporary, &fresh).with_context(|| format!("{} cannot be written", temporary.display()))?;
        fs::rename(&temporary, &target).with_context(|| format!("{} cannot be replaced", target.display()))?;
        writeln!(output, "wrote {GENERATED} ({} lines)", fresh.lines().count())?;
    }
    Ok(())
}

/// The whole text of the generated file for a document.
pub(super) fn generated_source(document: &str) -> Result<String> {
    let lowered = lower::lower(document::parse(document)?)?;
    let tokens = generate::tokens(&lowered)?;
    finish::source(tokens, &lowered)
}

/// Says where two texts part, so that a reader of the failing check knows what changed.
fn first_difference(committed: &str, fresh: &str) -> String {
    let line = committed.lines().zip(fresh.lines()).position(|(old, new)| old != new);
    let shorter = committed.lines().count().min(fresh.lines().count());
    match line.unwrap_or(shorter) {
        0 if committed.is_empty() => "it does not exist".to_owned(),
        line => format!("first difference in line {}", line + 1),
    }
}
