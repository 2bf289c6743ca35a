//! A source file as a flat list of names and marks with their lines. It excludes comments and the text of strings, and includes macros.

use anyhow::{Context as _, Result};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// One token of a source file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// An identifier or keyword.
    Name {
        /// The identifier.
        name: String,
        /// Its line, 1-based.
        line: usize,
    },
    /// A punctuation character.
    Mark {
        /// The character.
        mark: char,
        /// Its line, 1-based.
        line: usize,
    },
    /// A bracket opens.
    Open {
        /// Kind of bracket.
        delimiter: Delimiter,
        /// Its line, 1-based.
        line: usize,
    },
    /// The bracket closes.
    Close {
        /// Its line, 1-based.
        line: usize,
    },
    /// A literal.
    Literal {
        /// Its line, 1-based.
        line: usize,
    },
}

impl Word {
    /// Returns its line, 1-based.
    pub(super) fn line(&self) -> usize {
        match self {
            Self::Name { line, .. }
            | Self::Mark { line, .. }
            | Self::Open { line, .. }
            | Self::Close { line }
            | Self::Literal { line } => *line,
        }
    }

    /// Returns true if it is this name.
    pub(super) fn is_name(&self, wanted: &str) -> bool {
        matches!(self, Self::Name { name, .. } if name == wanted)
    }

    /// Returns true if it is this mark.
    pub(super) fn is_mark(&self, wanted: char) -> bool {
        matches!(self, Self::Mark { mark, .. } if *mark == wanted)
    }
}

/// Returns the words of a source file, in order. Fails if the text is not Rust.
pub(super) fn words(text: &str) -> Result<Vec<Word>> {
    let stream: TokenStream = text.parse().ok().context("the file is not Rust")?;
    let mut words = Vec::new();
    flatten(stream, &mut words);
    Ok(words)
}

/// The index behind the group that opens at `index`.
pub(super) fn behind_group(words: &[Word], index: usize) -> usize {
    let mut level = 0_usize;
    for (offset, word) in words[index..].iter().enumerate() {
        match word {
            Word::Open { .. } => level += 1,
            Word::Close { .. } => level -= 1,
            _ => {}
        }
        if level == 0 {
            return index + offset + 1;
        }
    }
    words.len()
}

/// Returns true if the bracket at `index` opens the body of a module of tests.
pub(super) fn opens_tests(words: &[Word], index: usize) -> bool {
    matches!(words[index], Word::Open { .. })
        && index >= 2
        && words[index - 2].is_name("mod")
        && words[index - 1].is_name("tests")
}

/// Returns true if `::` is at `index`.
pub(super) fn is_path_mark(words: &[Word], index: usize) -> bool {
    matches!(words.get(index..index + 2), Some([one, two]) if one.is_mark(':') && two.is_mark(':'))
}

/// The name behind `::`, or all first names of the group behind it.
pub(super) fn names_after(words: &[Word], index: usize) -> Vec<(String, usize)> {
    if !is_path_mark(words, index) {
        return Vec::new();
    }
    match words.get(index + 2) {
        Some(Word::Name { name, line }) => vec![(name.clone(), *line)],
        Some(Word::Open { delimiter: Delimiter::Brace, .. }) => first_names(&words[index + 3..]),
        _ => Vec::new(),
    }
}

/// The first name of each entry of a group of imports.
fn first_names(words: &[Word]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut level = 0_usize;
    let mut is_first = true;
    for word in words {
        match word {
            Word::Open { .. } => level += 1,
            Word::Close { .. } if level == 0 => break,
            Word::Close { .. } => level -= 1,
            Word::Mark { mark: ',', .. } if level == 0 => is_first = true,
            Word::Name { name, line } if level == 0 && is_first => {
                found.push((name.clone(), *line));
                is_first = false;
            }
            _ => {}
        }
    }
    found
}

fn flatten(stream: TokenStream, words: &mut Vec<Word>) {
    for token in stream {
        let line = token.span().start().line;
        match token {
            TokenTree::Ident(name) => words.push(Word::Name { name: name.to_string(), line }),
            TokenTree::Punct(mark) => words.push(Word::Mark { mark: mark.as_char(), line }),
            TokenTree::Literal(_) => words.push(Word::Literal { line }),
            TokenTree::Group(group) => {
                words.push(Word::Open { delimiter: group.delimiter(), line });
                flatten(group.stream(), words);
                words.push(Word::Close { line: group.span_close().start().line });
            }
        }
    }
}
