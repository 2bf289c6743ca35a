//! `lib.rs` and `mod.rs` are tables of contents: no function lives in them.

use super::finding::Finding;
use super::tokens::{self, Word};
use super::tree::{Source, Tree};

/// One finding for each function in a table of contents.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.sources().iter().filter(|source| is_root(source)).flat_map(functions).collect()
}

fn is_root(source: &Source) -> bool {
    let name = source.path.file_name().and_then(|name| name.to_str());
    !source.is_test() && matches!(name, Some("lib.rs" | "mod.rs"))
}

fn functions(source: &Source) -> Vec<Finding> {
    let Ok(words) = tokens::words(&source.text) else { return Vec::new() };
    words
        .iter()
        .filter(|word| matches!(word, Word::Name { name, .. } if name == "fn"))
        .map(|word| {
            Finding::new(
                &source.path,
                word.line(),
                "a function in a file for modules and exports",
                "Move it to a file named after what it does.",
            )
        })
        .collect()
}
