//! Requirements are in the folder of their area, and those of one subject are in one file: `articles.html.safe` is in a file of
//! `requirements/articles`, together with all other requirements `articles.html.*`. A file may have several subjects.

use std::collections::BTreeMap;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use super::finding::Finding;
use super::tree::Tree;

/// The folder of the requirements: in it a folder for each area.
const FOLDER: &str = "conformance/src/requirements";
/// Name of the function that lists the requirements of a file.
const LIST: &str = "requirements";

/// One finding for each id in the folder of another area, for each id whose subject has an earlier file, and for each file that lists
/// no requirement.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut files: BTreeMap<String, &Path> = BTreeMap::new();
    let mut findings = Vec::new();
    for source in tree.sources() {
        let Some(area) = area(&source.path) else { continue };
        let ids = source.text.parse().map(listed).unwrap_or_default();
        if ids.is_empty() {
            let fix = "Move steps that requirements share to conformance/src/steps.";
            findings.push(Finding::new(&source.path, 1, "a file of requirements without a requirement", fix));
        }
        for (id, line) in ids {
            let words: Vec<&str> = id.split('.').collect();
            if words[0] != area {
                let folder = words[0].replace('-', "_");
                let fix = format!("Move it to {FOLDER}/{folder}, or change its id before it is released.");
                let fault = format!("the requirement {id} in the folder of {area}.*");
                findings.push(Finding::new(&source.path, line, fault, fix));
                continue;
            }
            let subject = words[..2].join(".");
            let file = *files.entry(subject.clone()).or_insert(source.path.as_path());
            if file != source.path.as_path() {
                let fix = format!("Move it to {}.", file.display());
                findings.push(Finding::new(&source.path, line, format!("a second file with {subject}.*"), fix));
            }
        }
    }
    findings
}

/// Returns the area as ids spell it, or `None` if the file is not of an area.
fn area(path: &Path) -> Option<String> {
    let mut parts = path.strip_prefix(FOLDER).ok()?.iter().filter_map(|part| part.to_str());
    let (area, file) = (parts.next()?, parts.next()?);
    file.strip_suffix(".rs").filter(|name| *name != "mod").map(|_| area.replace('_', "-"))
}

/// The ids in the function that lists the requirements, with their lines.
fn listed(file: TokenStream) -> Vec<(String, usize)> {
    let mut tokens = file.into_iter();
    while let Some(token) = tokens.next() {
        let names_list = matches!(&token, TokenTree::Ident(name) if name == "fn")
            && matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == LIST);
        if names_list {
            let body = tokens.find_map(|token| match token {
                TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace => Some(group.stream()),
                _ => None,
            });
            return body.map(ids).unwrap_or_default();
        }
    }
    Vec::new()
}

fn ids(tokens: TokenStream) -> Vec<(String, usize)> {
    let found = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Group(group) => ids(group.stream()),
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            let id = text.trim_matches('"').to_owned();
            if is_id(&id) { vec![(id, literal.span().start().line)] } else { Vec::new() }
        }
        _ => Vec::new(),
    });
    found.collect()
}

/// Returns true for three words of small letters, digits and hyphens that begin with a letter; `13.1.2` is the section of a standard.
fn is_id(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    text.starts_with(|letter: char| letter.is_ascii_lowercase())
        && text.split('.').count() == 3
        && text.split('.').all(is_word)
}
