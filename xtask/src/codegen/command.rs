//! `cargo xtask codegen [--check]`: writes the generated files, or checks that the committed ones are fresh. The other files of this module
//! generate the text.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use xtask::openapi_3_1::openapi_3_1;

use super::source::generated_source;
use crate::docs::served_page;

/// The document that everything is generated from, relative to the workspace root.
const DOCUMENT: &str = "openapi.yaml";
/// Makes the text of a file from the text of the document.
type Maker = fn(&str) -> Result<String>;
/// The generated files, relative to the workspace root.
const GENERATED: [(&str, Maker); 3] = [
    ("sdk/src/generated.rs", generated_source),
    ("server-stub/assets/reference.html", served_page),
    ("server-stub/assets/openapi-3.1.json", openapi_3_1),
];
/// The command that brings the generated files up to date.
const FIX: &str = "cargo xtask codegen";

/// Options of `cargo xtask codegen`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Change nothing; fail if a committed file is out of date.
    #[arg(long)]
    pub(super) check: bool,
}

/// Runs the command in the workspace at `root`.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let path = root.join(DOCUMENT);
    let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    // Make all files before writing one: an invalid document then changes nothing.
    let fresh = GENERATED.iter().map(|(name, make)| Ok((*name, make(&text)?))).collect::<Result<Vec<_>>>()?;
    let mut output = std::io::stdout().lock();
    let mut stale = Vec::new();
    for (name, fresh) in fresh {
        let target = root.join(name);
        let committed = fs::read_to_string(&target).unwrap_or_default();
        if committed == fresh {
            writeln!(output, "{name} is up to date")?;
        } else if arguments.check {
            stale.push(format!("{name} is stale ({}).", first_difference(&committed, &fresh)));
        } else {
            replace(&target, &fresh)?;
            writeln!(output, "wrote {name} ({} lines)", fresh.lines().count())?;
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    bail!("{}\nRun `{FIX}` and commit the result.", stale.join("\n"))
}

/// Replaces the file atomically, so that a concurrent build never reads half of it.
fn replace(target: &Path, text: &str) -> Result<()> {
    let temporary = target.with_added_extension("new");
    fs::write(&temporary, text).with_context(|| format!("{} cannot be written", temporary.display()))?;
    fs::rename(&temporary, target).with_context(|| format!("{} cannot be replaced", target.display()))
}

/// Describes the first difference of two texts, for the message of a failed check.
fn first_difference(committed: &str, fresh: &str) -> String {
    let line = committed.lines().zip(fresh.lines()).position(|(old, new)| old != new);
    let shorter = committed.lines().count().min(fresh.lines().count());
    match line.unwrap_or(shorter) {
        0 if committed.is_empty() => "it does not exist".to_owned(),
        line => format!("first difference in line {}", line + 1),
    }
}
