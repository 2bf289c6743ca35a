//! Links in the texts of published crates work from the package: the registry and docs.rs do not show the other files of this workspace.

use std::path::Path;

use super::finding::Finding;
use super::tree::Tree;

/// Returns one finding for each relative link in a Markdown file or a doc comment of a published crate.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.manifests().iter().filter(|(_, text)| !is_private(text));
    let folders: Vec<&Path> = manifests
        .filter_map(|(path, text)| path.parent().filter(|_| text.contains("[package]")))
        .filter(|folder| !folder.as_os_str().is_empty())
        .collect();
    let is_published = |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
    let texts = tree.files().filter(|(path, _)| is_published(path) && is_shown(path));
    texts.flat_map(|(path, text)| relative_links(path, text)).collect()
}

/// Returns true if a manifest forbids publishing, itself or by the workspace's setting.
fn is_private(manifest: &str) -> bool {
    manifest.lines().any(|line| matches!(line, "publish = false" | "publish.workspace = true"))
}

/// Returns true for the Markdown files of a package, and for its code.
fn is_shown(path: &Path) -> bool {
    let ends_with = |wanted: &str| path.extension().is_some_and(|extension| extension == wanted);
    ends_with("md") || (ends_with("rs") && path.iter().nth(1).is_some_and(|folder| folder == "src"))
}

fn relative_links(path: &Path, text: &str) -> Vec<Finding> {
    let is_code = path.extension().is_some_and(|extension| extension == "rs");
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if is_code && !line.starts_with("///") && !line.starts_with("//!") {
            continue;
        }
        for target in targets(line.trim_start_matches(['/', '!']).trim_start()).filter(|target| is_relative(target)) {
            let fix = "Name the file in words, or link an https address, an item or a heading.";
            let fault = format!("the link to {target} is dead on the registry and on docs.rs");
            findings.push(Finding::new(path, index + 1, fault, fix));
        }
    }
    findings
}

/// Returns the targets of the links in a line: `[text](target)`, and `[text]: target` at its beginning.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let inline = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let definition = line.starts_with('[').then(|| line.split_once("]: ")).flatten();
    inline.chain(definition.map(|(_, target)| target.trim()).filter(|target| !target.contains(' ')))
}

/// Returns true for a path to a file. The paths of items have no slash, and no dot.
fn is_relative(target: &str) -> bool {
    let has_scheme = target.contains("://") || target.starts_with("mailto:");
    !has_scheme && !target.starts_with('#') && target.contains(['/', '.'])
}
