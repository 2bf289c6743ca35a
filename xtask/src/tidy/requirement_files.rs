//! Requirements stand where their ids say: `articles.html.safe` in `requirements/articles/html.rs`.

use std::path::{Component, Path};

use proc_macro2::{TokenStream, TokenTree};

use super::finding::Finding;
use super::tree::{Source, Tree};

/// The folder of the requirements: in it a folder for each area, in that a file for each subject.
const FOLDER: &str = "conformance/src/requirements";
/// What a subject's file calls the function that lists its requirements.
const LIST: &str = "requirements";

/// One finding for each id in another file than its first two words name, and for each file that lists no requirement.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let sources = tree.sources().iter();
    sources
        .filter_map(|source| Some((source, place(&source.path)?)))
        .flat_map(|(s, place)| misplaced(s, &place))
        .collect()
}

/// Area and subject, as ids spell them; `None` for what is no subject's file.
fn place(path: &Path) -> Option<[String; 2]> {
    let mut parts = path.strip_prefix(FOLDER).ok()?.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let (area, file) = (parts.next()?, parts.next()?);
    let subject = file.strip_suffix(".rs").filter(|name| *name != "mod")?;
    // What would be a keyword of Rust has an underscore behind it.
    Some([area, subject.trim_end_matches('_')].map(|word| word.replace('_', "-")))
}

fn misplaced(source: &Source, [area, subject]: &[String; 2]) -> Vec<Finding> {
    let ids = source.text.parse().map(listed).unwrap_or_default();
    if ids.is_empty() {
        let fix = "Move steps that requirements share to conformance/src/steps.";
        return vec![Finding::new(&source.path, 1, "a file of requirements without a requirement", fix)];
    }
    let home = format!("{area}.{subject}.");
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

/// Three words of small letters, digits and hyphens.
fn is_id(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    text.split('.').count() == 3 && text.split('.').all(is_word)
}
