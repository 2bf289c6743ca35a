//! Checks the invariants in `ARCHITECTURE.md` and the threat model in `docs/security.md`: each rule and each defence names an existing
//! test, or a check that every developer runs.

use std::collections::BTreeSet;
use std::path::Path;

use super::finding::Finding;
use super::modules::PAGE;
use super::tree::Tree;

/// The chapter with the rules, a numbered list.
const CHAPTER: &str = "## What always holds";
/// Words before the names of tests and checks.
const HELD_BY: &str = "Held by ";
/// The page with the threat model, and the beginning of its tables of attacks. Their last column names tests.
const THREATS: &str = "docs/security.md";
const ATTACKS: &str = "| Attack |";
/// Prefixes of the names of checks that are not tests.
const CHECKS: [&str; 3] = ["cargo trials ", "cargo xtask ", "clippy::"];

/// Returns one finding for each rule or defence without a test or check, or with a missing test.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let text = |page: &str| tree.files().find(|(path, _)| *path == Path::new(page)).map_or("", |(_, text)| text);
    let functions: BTreeSet<&str> =
        tree.sources().iter().flat_map(|source| source.text.lines().filter_map(function_name)).collect();
    let rules = rules(text(PAGE)).into_iter().flat_map(|(line, rule)| {
        let held_by = rule.split_once(HELD_BY).map_or("", |(_, names)| names);
        unheld(Path::new(PAGE), line, held_by, &functions)
    });
    let attacks = attacks(text(THREATS));
    let attacks = attacks.into_iter().flat_map(|(line, tests)| unheld(Path::new(THREATS), line, tests, &functions));
    rules.chain(attacks).collect()
}

fn unheld(page: &Path, line: usize, held_by: &str, functions: &BTreeSet<&str>) -> Vec<Finding> {
    // Every second part is between code marks.
    let names: Vec<&str> = held_by.split('`').skip(1).step_by(2).collect();
    if names.is_empty() {
        let fix = format!(
            "End it with \"{HELD_BY}\" and the test or check that fails when it is broken. In {THREATS}, name that in the last column."
        );
        return vec![Finding::new(page, line, "a rule without a test or check", fix)];
    }
    let is_there = |name: &str| functions.contains(name) || CHECKS.iter().any(|check| name.starts_with(check));
    let missing = names.into_iter().filter(|name| !is_there(name));
    missing
        .map(|name| {
            Finding::new(page, line, format!("there is no test `{name}`"), "Name the test that checks the rule.")
        })
        .collect()
}

/// The items of the chapter's list, each with its line (1-based).
fn rules(text: &str) -> Vec<(usize, String)> {
    let chapter = text.lines().enumerate().skip_while(|(_, line)| *line != CHAPTER).skip(1);
    let mut rules: Vec<(usize, String)> = Vec::new();
    for (index, line) in chapter.take_while(|(_, line)| !line.starts_with("## ")) {
        if line.starts_with(|letter: char| letter.is_ascii_digit()) {
            rules.push((index + 1, line.to_owned()));
        } else if let Some((_, rule)) = rules.last_mut() {
            rule.push(' ');
            rule.push_str(line.trim());
        }
    }
    rules
}

/// The rows of the tables of attacks, each with its line (1-based) and its last cell.
fn attacks(text: &str) -> Vec<(usize, &str)> {
    let mut is_table = false;
    let rows = text.lines().enumerate().filter(|(_, line)| {
        let is_row = is_table && line.starts_with("| ");
        is_table = line.starts_with(ATTACKS) || (is_table && line.starts_with('|'));
        is_row
    });
    rows.map(|(index, line)| (index + 1, line.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap_or_default()))
        .collect()
}

/// The name of the function that begins on a line.
fn function_name(line: &str) -> Option<&str> {
    let (before, name) = line.split_once("fn ")?;
    let is_declaration = before.split_whitespace().all(|word| word.starts_with("pub") || word == "async");
    is_declaration.then(|| name.split('(').next().unwrap_or(name).trim())
}
