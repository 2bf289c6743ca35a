//! `cargo xtask tidy`: runs every rule and reports all findings at once. The rules themselves live beside it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::tree::Tree;
use super::{
    imports, invariants, manifests, modules, package_links, packaging, pure_domain, reference_server,
    requirement_files, roots, sizes, test_clocks, words,
};

/// Options of `cargo xtask tidy`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The workspace to check instead of this one.
    #[arg(long, value_name = "DIRECTORY")]
    root: Option<PathBuf>,
}

/// Checks the workspace at `root`, or the one that the arguments name.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let root = arguments.root.as_deref().unwrap_or(root);
    let tree = Tree::read(root)?;
    let modules = modules::read(root)?;
    let mut findings = Vec::new();
    findings.extend(imports::check(&tree, &modules));
    findings.extend(pure_domain::check(&tree));
    findings.extend(sizes::check(&tree));
    findings.extend(roots::check(&tree));
    findings.extend(manifests::check(&tree)?);
    findings.extend(words::check(&tree));
    findings.extend(reference_server::check(&tree));
    findings.extend(package_links::check(&tree));
    findings.extend(packaging::dockerfile::check(root));
    findings.extend(packaging::action::check(root));
    findings.extend(requirement_files::check(&tree));
    findings.extend(invariants::check(&tree));
    findings.extend(test_clocks::check(&tree));
    findings.sort();
    let mut output = std::io::stdout().lock();
    if findings.is_empty() {
        writeln!(output, "tidy: {} files follow the rules", tree.sources().len())?;
        return Ok(());
    }
    for finding in &findings {
        writeln!(output, "{finding}")?;
    }
    bail!("tidy found {} faults. Fix them, then run `cargo xtask tidy` again.", findings.len())
}
