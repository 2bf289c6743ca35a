//! Every crate inherits the lints, the judge, the judged and the client do not depend on each other, and the command line is
//! made from the client alone.

use std::path::Path;

use anyhow::{Context as _, Result};
use toml::{Table, Value};

use super::finding::Finding;
use super::tree::Tree;

/// The packages that share nothing but the document and the test vectors.
const APART: [&str; 3] = ["contentgen-sdk", "contentgen-server-stub", "contentgen-conformance"];
/// The one exception: who, whom, and the feature that must carry it.
const EXCEPTION: (&str, &str, &str) = ("contentgen-conformance", "contentgen-server-stub", "reference");
/// The command line, and the one package of this workspace that it is made from. Nobody depends on it.
const COMMAND_LINE: (&str, &str) = ("contentgen-cli", "contentgen-sdk");
/// What the names of this workspace's packages begin with.
const OURS: &str = "contentgen-";

/// One finding for each crate without the lints and each dependency that must not be.
pub(super) fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for (path, text) in tree.manifests() {
        let manifest: Table = text.parse().with_context(|| format!("{} is not readable", path.display()))?;
        if let Some(name) = manifest.get("package").and_then(|package| package.get("name")).and_then(Value::as_str) {
            findings.extend(lints(path, &manifest));
            findings.extend(dependencies(path, text, &manifest, name));
        }
    }
    Ok(findings)
}

fn lints(path: &Path, manifest: &Table) -> Option<Finding> {
    let inherits = manifest.get("lints").and_then(|lints| lints.get("workspace")) == Some(&Value::Boolean(true));
    let fix = "Add a section [lints] with workspace = true.";
    (!inherits).then(|| Finding::new(path, 1, "the crate does not inherit the workspace's lints", fix))
}

fn dependencies(path: &Path, text: &str, manifest: &Table, name: &str) -> Vec<Finding> {
    let Some(table) = manifest.get("dependencies").and_then(Value::as_table) else { return Vec::new() };
    let others = table.keys().filter(|other| *other != name && is_apart(name, other));
    others
        .filter(|other| !is_excepted(name, other, manifest))
        .map(|other| {
            let line = text.lines().position(|line| line.starts_with(other.as_str())).map_or(1, |index| index + 1);
            let fix =
                "Share the document or a test vector instead of code; only dev-dependencies on the server may cross.";
            Finding::new(path, line, format!("{name} depends on {other}"), fix)
        })
        .collect()
}

/// Whether one package may not know another.
fn is_apart(name: &str, other: &str) -> bool {
    let (command_line, client) = COMMAND_LINE;
    let are_both_apart = APART.contains(&name) && APART.contains(&other);
    let is_more_than_the_client = name == command_line && other.starts_with(OURS) && other != client;
    are_both_apart || is_more_than_the_client || other == command_line
}

/// Whether the dependency is the allowed one: optional, and switched on by its feature.
fn is_excepted(name: &str, other: &str, manifest: &Table) -> bool {
    let (who, whom, feature) = EXCEPTION;
    let is_optional = manifest["dependencies"][other].get("optional") == Some(&Value::Boolean(true));
    let switches = manifest.get("features").and_then(|features| features.get(feature)).and_then(Value::as_array);
    let wanted = format!("dep:{whom}");
    let is_switched = switches.is_some_and(|list| list.iter().any(|entry| entry.as_str() == Some(&wanted)));
    name == who && other == whom && is_optional && is_switched
}
