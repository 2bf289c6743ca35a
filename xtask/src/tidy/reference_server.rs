//! Checks that the reference server contains no deliberate mistakes: no line below its folder names one, or a switch for one. Tests of the
//! suite on wrong servers modify the responses from outside. The server's tests may use the crate of faults.

use std::path::Path;

use super::finding::Finding;
use super::tree::Tree;

/// The reference server's folder.
const SERVER: &str = "server-stub";
/// Text of generated articles, which may be about anything.
const PROSE: &str = "server-stub/src/generation/offline";
/// The crate of faults, as its name is in a manifest and in code. `deny.toml` says that only tests may use it.
const FAULTS: [&str; 2] = ["contentgen-faults", "contentgen_faults"];
/// Forbidden words, in lower case.
const WORDS: [&str; 6] = ["fault", "faults", "slip", "slips", "switch", "switches"];

/// One finding for each line of the reference server that has one of the words, be it as part of a name.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let files = tree.files().filter(|(path, _)| path.starts_with(SERVER) && !path.starts_with(PROSE));
    files.flat_map(|(path, text)| named(path, text)).collect()
}

fn named(path: &Path, text: &str) -> Vec<Finding> {
    let lines = text.lines().enumerate();
    lines
        .filter_map(|(index, line)| {
            let line = FAULTS.iter().fold(line.to_owned(), |line, name| line.replace(name, ""));
            let word = words(&line).into_iter().find(|word| WORDS.contains(&word.as_str()))?;
            Some(Finding::new(
                path,
                index + 1,
                format!("`{word}` in the reference server"),
                "Deliberate faults belong in the crate `faults`. For other things use other words: bug, schema violation, \
                 reason, disable.",
            ))
        })
        .collect()
}

/// The words of a line in lower case; those that a name is made of count each.
fn words(line: &str) -> Vec<String> {
    let mut was_lower = false;
    let spaced: String = line
        .chars()
        .flat_map(|letter| {
            let begins = was_lower && letter.is_uppercase();
            was_lower = letter.is_lowercase();
            begins.then_some(' ').into_iter().chain([letter])
        })
        .collect();
    spaced.split(|letter: char| !letter.is_alphabetic()).map(str::to_lowercase).collect()
}
