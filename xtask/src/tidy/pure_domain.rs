//! The reference server's domain decides and does nothing else: it names no runtime, no input or output, no source of time or
//! randomness. Its tests may.

use super::finding::Finding;
use super::tokens::{self, Word};
use super::tree::{Source, Tree};

/// The domain's folder.
const DOMAIN: &str = "server-stub/src/domain";
/// Crates that it does not name.
const CRATES: [&str; 6] = ["getrandom", "rand", "reqwest", "rustix", "tokio", "tracing"];
/// Modules of the standard library that it does not name.
const STD_MODULES: [&str; 6] = ["env", "fs", "io", "net", "process", "thread"];
/// Types whose `now` reads a clock.
const CLOCKS: [&str; 2] = ["Instant", "SystemTime"];

/// One finding for each such name in the domain's code.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let sources = tree.sources().iter().filter(|source| source.path.starts_with(DOMAIN));
    sources.filter(|source| !source.path.ends_with("tests.rs")).flat_map(check_source).collect()
}

fn check_source(source: &Source) -> Vec<Finding> {
    // A file that is not Rust is a finding of `imports`.
    let words = tokens::words(&source.text).unwrap_or_default();
    let found = impure_names(&words).into_iter();
    found
        .map(|(name, line)| {
            let fix = "Pass the value in, or move the code to a module that may do this.";
            Finding::new(&source.path, line, format!("the domain uses `{name}`"), fix)
        })
        .collect()
}

fn impure_names(words: &[Word]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut index = 0;
    while index < words.len() {
        if tokens::opens_tests(words, index) {
            index = tokens::behind_group(words, index);
            continue;
        }
        if let Word::Name { name, line } = &words[index] {
            let begins_path = tokens::is_path_mark(words, index + 1);
            if CLOCKS.contains(&name.as_str()) || (begins_path && CRATES.contains(&name.as_str())) {
                found.push((name.clone(), *line));
            } else if name == "std" {
                let modules = tokens::names_after(words, index + 1).into_iter();
                found.extend(modules.filter(|(module, _)| STD_MODULES.contains(&module.as_str())));
            }
        }
        index += 1;
    }
    found
}
