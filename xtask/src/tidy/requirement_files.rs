//! Requirements are in the files that their ids name: `articles.html.safe` is in `requirements/articles/html.rs`. Requirements that differ
//! only in their arguments may be rows of a table of their area.

use std::path::{Component, Path};

use proc_macro2::{TokenStream, TokenTree};

use super::finding::Finding;
use super::tree::{Source, Tree};

/// The folder of the requirements: in it a folder for each area, in that a file for each subject.
const FOLDER: &str = "conformance/src/requirements";
/// Name of the function that lists the requirements of a file.
const LIST: &str = "requirements";
/// Areas and files with a table. It may contain requirements of any subject of its area.
const TABLES: [[&str; 2]; 2] = [["answers", "schemas"], ["headers", "forms"]];

/// One finding for each id in another file than its first two words name, and for each file that lists no requirement.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let sources = tree.sources().iter();
    sources
        .filter_map(|source| Some((source, place(&source.path)?)))
        .flat_map(|(s, place)| misplaced(s, &place))
        .collect()
}

/// Returns area and subject as ids spell them, or `None` if the file is not of a subject.
fn place(path: &Path) -> Option<[String; 2]> {
    let mut parts = path.strip_prefix(FOLDER).ok()?.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let (area, file) = (parts.next()?, parts.next()?);
    let subject = file.strip_suffix(".rs").filter(|name| *name != "mod")?;
    // A keyword of Rust has an underscore at its end.
    Some([area, subject.trim_end_matches('_')].map(|word| word.replace('_', "-")))
}

fn misplaced(source: &Source, [area, subject]: &[String; 2]) -> Vec<Finding> {
    let ids = source.text.parse().map(listed).unwrap_or_default();
    if ids.is_empty() {
        let fix = "Move steps that requirements share to conformance/src/steps.";
        return vec![Finding::new(&source.path, 1, "a file of requirements without a requirement", fix)];
    }
    let is_table = TABLES.contains(&[area.as_str(), subject.as_str()]);
    let home = if is_table { format!("{area}.") } else { format!("{area}.{subject}.") };
    ids.into_iter()
        .filter(|(id, _)| !id.starts_with(&home))
        .map(|(id, line)| {
            let words: Vec<String> = id.split('.').take(2).map(|word| word.replace('-', "_")).collect();
            let fix = format!("Move it to {FOLDER}/{}.rs, or change its id before it is released.", words.join("/"));
            Finding::new(&source.path, line, format!("the requirement {id} in a file for {home}*"), fix)
        })
        .collect()
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
