//! Checks that every crate inherits the lints, and that the judge depends on the judged only through its feature. `deny.toml` lists the
//! other permitted dependencies.

use std::path::Path;

use anyhow::{Context as _, Result};
use toml::{Table, Value};

use super::finding::Finding;
use super::tree::Tree;

/// The one dependency between judge and judged: who, whom, and the feature that must carry it.
const JUDGE: &str = "contentgen-conformance";
const JUDGED: &str = "contentgen-server-stub";
const FEATURE: &str = "reference";

/// One finding for each crate without the lints, and one where the judge always knows the judged.
pub(super) fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for (path, text) in tree.manifests() {
        let manifest: Table = text.parse().with_context(|| format!("{} is not valid TOML", path.display()))?;
        if let Some(name) = manifest.get("package").and_then(|package| package.get("name")).and_then(Value::as_str) {
            findings.extend(lints(path, &manifest));
            findings.extend(judged(path, text, &manifest).filter(|_| name == JUDGE));
        }
    }
    Ok(findings)
}

fn lints(path: &Path, manifest: &Table) -> Option<Finding> {
    let inherits = manifest.get("lints").and_then(|lints| lints.get("workspace")) == Some(&Value::Boolean(true));
    let fix = "Add a section [lints] with workspace = true.";
    (!inherits).then(|| Finding::new(path, 1, "the crate does not inherit the workspace's lints", fix))
}

/// Returns a finding unless the judge's dependency is optional and enabled by its feature.
fn judged(path: &Path, text: &str, manifest: &Table) -> Option<Finding> {
    let dependency = manifest.get("dependencies")?.get(JUDGED)?;
    let is_optional = dependency.get("optional") == Some(&Value::Boolean(true));
    let switches = manifest.get("features").and_then(|features| features.get(FEATURE)).and_then(Value::as_array);
    let wanted = format!("dep:{JUDGED}");
    let is_switched = switches.is_some_and(|list| list.iter().any(|entry| entry.as_str() == Some(&wanted)));
    let line = text.lines().position(|line| line.starts_with(JUDGED)).map_or(1, |index| index + 1);
    let fix = format!("Make it optional, with {FEATURE} = [\"{wanted}\"] as its feature; no check may use it.");
    (!(is_optional && is_switched)).then(|| Finding::new(path, line, format!("{JUDGE} depends on {JUDGED}"), fix))
}
