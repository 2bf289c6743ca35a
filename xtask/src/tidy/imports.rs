//! Checks that each module imports only the modules that the table allows. It finds paths by their tokens, so it includes paths in macros
//! and excludes paths in comments.

use std::path::Path;

use proc_macro2::Delimiter;

use super::finding::Finding;
use super::modules::{Modules, PAGE};
use super::tokens::{self, Word};
use super::tree::{Source, Tree};

/// The crate that is judged, as the judge's code would name it.
const JUDGED: &str = "contentgen_server_stub";
/// The one file of the judge that may name it: it starts the judged.
const STARTER: &str = "conformance/src/reference.rs";

/// One finding for each import that the table does not allow, for each module that it does not know, and for each place
/// where the judge knows the judged.
pub(super) fn check(tree: &Tree, modules: &Modules) -> Vec<Finding> {
    let sources = tree.sources().iter();
    sources.flat_map(|source| check_source(source, modules).into_iter().chain(check_judge(source))).collect()
}

fn check_judge(source: &Source) -> Vec<Finding> {
    let is_judge = source.path.starts_with("conformance/src") && source.path != Path::new(STARTER);
    let words = if is_judge { tokens::words(&source.text).unwrap_or_default() } else { Vec::new() };
    let named = words.iter().filter(|word| word.is_name(JUDGED));
    named
        .map(|word| {
            let fix = format!("Only {STARTER} may import the reference server.");
            Finding::new(&source.path, word.line(), "the suite imports the reference server", fix)
        })
        .collect()
}

fn check_source(source: &Source, modules: &Modules) -> Vec<Finding> {
    let Some((crate_folder, place)) = source.place() else { return Vec::new() };
    let Some(table) = modules.of(crate_folder) else { return Vec::new() };
    let module = place[0].trim_end_matches(".rs");
    if place.len() == 1 && matches!(module, "lib" | "main") {
        return Vec::new();
    }
    let Some(allowed) = table.get(module) else {
        let fix = format!("Give it a row in the table of modules in {PAGE}, or move the file into a module.");
        return vec![Finding::new(
            &source.path,
            1,
            format!("`{module}` of {crate_folder} is not in the table of modules"),
            fix,
        )];
    };
    let words = match tokens::words(&source.text) {
        Ok(words) => words,
        Err(error) => return vec![Finding::new(&source.path, 1, error.to_string(), "Make it compile.")],
    };
    imported_modules(&words, depth(&place))
        .into_iter()
        .filter(|(name, _)| name != module && table.contains_key(name) && !allowed.contains(name))
        .map(|(name, line)| {
            let fix = format!(
                "Move the code to a module that may import `{name}`, or change the table of modules in {PAGE} and say why."
            );
            Finding::new(&source.path, line, format!("module `{module}` of {crate_folder} imports `{name}`"), fix)
        })
        .collect()
}

/// Returns the number of modules between the file and the crate's root.
fn depth(place: &[&str]) -> usize {
    let is_folder_root = place.last().is_some_and(|name| *name == "mod.rs");
    place.len() - usize::from(is_folder_root)
}

/// The first names of all paths that begin at the crate's root, with their lines.
fn imported_modules(words: &[Word], depth: usize) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut bodies = Vec::new();
    let mut index = 0;
    while index < words.len() {
        match &words[index] {
            Word::Open { .. } => bodies.push(opens_module(words, index)),
            Word::Close { .. } => {
                bodies.pop();
            }
            Word::Name { name, .. } if name == "crate" => found.extend(tokens::names_after(words, index + 1)),
            Word::Name { name, .. } if name == "super" => {
                let inline = bodies.iter().filter(|is_module| **is_module).count();
                let (ups, next) = count_ups(words, index);
                if ups == depth + inline {
                    found.extend(tokens::names_after(words, next));
                }
                index = next - 1;
            }
            _ => {}
        }
        index += 1;
    }
    found
}

/// Returns true if the bracket at `index` opens the body of an inline module.
fn opens_module(words: &[Word], index: usize) -> bool {
    let is_brace = matches!(words[index], Word::Open { delimiter: Delimiter::Brace, .. });
    is_brace && index >= 2 && words[index - 2].is_name("mod") && matches!(words[index - 1], Word::Name { .. })
}

/// Returns the number of consecutive `super` from `index`, and the index behind the last one.
fn count_ups(words: &[Word], index: usize) -> (usize, usize) {
    let mut ups = 1;
    let mut next = index + 1;
    while tokens::is_path_mark(words, next) && words.get(next + 2).is_some_and(|word| word.is_name("super")) {
        ups += 1;
        next += 3;
    }
    (ups, next)
}
