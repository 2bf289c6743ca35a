//! Tests do not depend on the machine's speed: they neither sleep nor read the machine's clock, except in the files that
//! CONTRIBUTING.md lists with a reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use super::modules::rows;
use super::tokens::{self, Word};
use super::tree::{Source, Tree};

/// The page with the list.
const PAGE: &str = "CONTRIBUTING.md";
/// Head of the table of files that may use a clock.
const HEAD: [&str; 2] = ["Test file", "Why it uses a clock"];
/// Functions and methods that wait for the machine's clock or read it.
const CLOCK_CALLS: [&str; 3] = ["sleep", "sleep_until", "elapsed"];
/// Types whose `now` reads the machine's clock.
const CLOCKS: [&str; 2] = ["Instant", "SystemTime"];

/// Returns one finding for each use of a clock in a test, and for each listed file that uses none.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let page = tree.files().find(|(path, _)| *path == Path::new(PAGE)).map_or("", |(_, text)| text);
    let listed = listed(page);
    let mut findings: Vec<Finding> = Vec::new();
    let mut used = Vec::new();
    for source in tree.sources() {
        let uses = uses(source);
        if listed.contains_key(&source.path) && !uses.is_empty() {
            used.push(&source.path);
        } else {
            findings.extend(uses.into_iter().map(|(name, line)| finding(&source.path, &name, line)));
        }
    }
    let stale = listed.iter().filter(|(path, _)| !used.contains(path));
    findings.extend(stale.map(|(path, line)| {
        let fault = format!("{} uses no clock, or does not exist", path.display());
        Finding::new(Path::new(PAGE), *line, fault, "Remove its row.")
    }));
    findings
}

fn finding(path: &Path, name: &str, line: usize) -> Finding {
    let fix = format!(
        "Wait for a condition, or use a paused or injected clock: see \"Tests that fail without a fault\" in {PAGE}."
    );
    Finding::new(path, line, format!("a test uses the machine's clock: `{name}`"), fix)
}

/// Returns the files in the first column of the table, each with its line (1-based).
fn listed(page: &str) -> BTreeMap<PathBuf, usize> {
    rows(page, &HEAD).into_iter().map(|(line, cells)| (PathBuf::from(&cells[0]), line)).collect()
}

/// Returns each use of a clock in the tests of a file, with its line.
fn uses(source: &Source) -> Vec<(String, usize)> {
    // `imports` reports files that are not Rust.
    let words = tokens::words(&source.text).unwrap_or_default();
    if source.is_test() {
        return uses_in(&words);
    }
    let mut found = Vec::new();
    let mut index = 0;
    while index < words.len() {
        if tokens::opens_tests(&words, index) {
            let end = tokens::behind_group(&words, index);
            found.extend(uses_in(&words[index..end]));
            index = end;
        } else {
            index += 1;
        }
    }
    found
}

fn uses_in(words: &[Word]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let Word::Name { name, line } = word else { continue };
        let is_called = matches!(words.get(index + 1), Some(Word::Open { .. }));
        let is_now = CLOCKS.contains(&name.as_str())
            && tokens::names_after(words, index + 1).iter().any(|(function, _)| function == "now");
        if is_now {
            found.push((format!("{name}::now"), *line));
        } else if is_called && CLOCK_CALLS.contains(&name.as_str()) {
            found.push((name.clone(), *line));
        }
    }
    found
}
