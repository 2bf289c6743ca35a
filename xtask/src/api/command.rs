//! `cargo xtask api [--check]`: writes the listing, or proves that the committed one is true; in both cases the Rust
//! version that is stated has to be true.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::difference::Difference;
use super::{listing, msrv};

/// The listing, relative to the workspace root.
const LISTING: &str = "sdk/public-api.txt";
/// The command that brings it up to date.
const FIX: &str = "cargo xtask api";

/// Options of `cargo xtask api`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Change nothing; fail if the committed listing is out of date.
    #[arg(long)]
    check: bool,
}

/// Runs the command in the workspace at `root`.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let stated = msrv::check(root)?;
    let fresh = listing::of_sdk(root)?;
    let target = root.join(LISTING);
    let committed = fs::read_to_string(&target).unwrap_or_default();
    let difference = Difference::between(&committed, &fresh);
    let mut output = std::io::stdout().lock();
    if committed == fresh {
        writeln!(output, "{LISTING} is up to date, and no crate needs a newer Rust than {stated}")?;
    } else if arguments.check {
        bail!(
            "{LISTING} is stale:\n{difference}\nRun `{FIX}` and commit the result. A removed line breaks users' programs: \
             raise the version and describe the change in CHANGELOG.md."
        );
    } else {
        fs::write(&target, &fresh).with_context(|| format!("{} cannot be written", target.display()))?;
        writeln!(output, "wrote {LISTING} ({} items)\n{difference}", fresh.lines().count())?;
    }
    Ok(())
}
