//! Checks that no file has more than 500 lines. Generated files do not count.

use super::finding::Finding;
use super::tree::Tree;

/// The longest file that passes, in lines.
const LONGEST: usize = 500;

/// One finding for each file that is too long.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.sources()
        .iter()
        .filter(|source| !source.is_generated())
        .filter_map(|source| {
            let lines = source.text.lines().count();
            (lines > LONGEST).then(|| {
                let fault = format!("{lines} lines; at most {LONGEST} are allowed");
                Finding::new(&source.path, lines, fault, "Split it: one file for each concept.")
            })
        })
        .collect()
}
