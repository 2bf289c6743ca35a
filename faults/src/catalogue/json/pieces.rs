//! Splits raw JSON into pieces that can be changed one by one, including invalid JSON and details that a parser would
//! lose.

use std::collections::HashSet;

use crate::message::{Operation, Request};

/// The document's limit of nesting.
pub(super) const DEPTH: usize = 128;

/// Changes the text of a body of `POST /generate`.
pub(super) fn mend(request: &mut Request, mend: impl FnOnce(&str) -> String) {
    if !request.is(Operation::Generate) {
        return;
    }
    if let Ok(text) = std::str::from_utf8(&request.body) {
        request.body = mend(text).into();
    }
}

/// Makes a body invalid JSON of the same length, so that the server refuses its syntax.
pub(super) fn spoil(request: &mut Request) {
    let mut body = request.body.to_vec();
    if let Some(last) = body.iter_mut().rfind(|byte| !byte.is_ascii_whitespace()) {
        *last = b' ';
    }
    request.body = body.into();
}

/// Strings, punctuation, words (numbers and names of values) and white space, which together make up the text.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(length_of_first(rest));
        pieces.push(piece);
        rest = more;
    }
    pieces
}

/// Returns the text with every string or every word changed.
pub(super) fn each(text: &str, change: impl Fn(&str) -> String) -> String {
    pieces(text).into_iter().map(change).collect()
}

/// Returns true if a piece is a string.
pub(super) fn is_string(piece: &str) -> bool {
    piece.starts_with('"')
}

/// Returns true if a piece is a number, or an attempt at one.
pub(super) fn is_number(piece: &str) -> bool {
    piece.trim_start_matches('-').starts_with(|letter: char| letter.is_ascii_digit())
}

/// Returns the depth of nested arrays and objects.
pub(super) fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for piece in pieces(text) {
        match piece {
            "{" | "[" => depth += 1,
            "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Replaces everything nested more deeply than `limit` with a plain value.
pub(super) fn flatten(text: &str, limit: usize) -> String {
    let mut flat = String::with_capacity(text.len());
    let mut depth = 0_usize;
    for piece in pieces(text) {
        let is_end = matches!(piece, "}" | "]");
        if matches!(piece, "{" | "[") {
            depth += 1;
            if depth == limit + 1 {
                flat.push('0');
            }
        }
        if depth <= limit {
            flat.push_str(piece);
        }
        depth = depth.saturating_sub(usize::from(is_end));
    }
    flat
}

/// Returns true if an object contains a name twice. `read` decodes a name.
pub(super) fn has_twins(text: &str, read: impl Fn(&str) -> String) -> bool {
    let pieces: Vec<&str> = pieces(text).into_iter().filter(|piece| !piece.trim().is_empty()).collect();
    let mut open: Vec<HashSet<String>> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let is_name = is_string(piece) && pieces.get(at + 1) == Some(&":");
        match *piece {
            "{" => open.push(HashSet::new()),
            "}" => drop(open.pop()),
            name if is_name && open.last_mut().is_some_and(|names| !names.insert(read(name))) => return true,
            _ => {}
        }
    }
    false
}

fn length_of_first(text: &str) -> usize {
    let is_sign = |letter: char| matches!(letter, '{' | '}' | '[' | ']' | ':' | ',');
    let is_blank = |letter: char| matches!(letter, ' ' | '\t' | '\n' | '\r');
    let end = match text.chars().next() {
        Some('"') => end_of_string(text),
        Some(letter) if is_sign(letter) => Some(1),
        Some(letter) if is_blank(letter) => text.find(|letter| !is_blank(letter)),
        _ => text.find(|letter| is_sign(letter) || is_blank(letter) || letter == '"'),
    };
    end.unwrap_or(text.len())
}

fn end_of_string(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_up_the_text() {
        let text = r#"{"a\"": [1.5, tru, "\\"], 'é' : "open"#;
        assert_eq!(pieces(text).concat(), text);
        assert_eq!(pieces(r#"{"a\"":01}"#), ["{", r#""a\"""#, ":", "01", "}"]);
    }

    #[test]
    fn what_is_nested_too_deeply_becomes_plain() {
        assert_eq!(depth(r#"{"a":[[1],"[["]}"#), 3);
        assert_eq!(flatten(r#"{"a":[[1],{"b":[]}],"c":2}"#, 2), r#"{"a":[0,0],"c":2}"#);
    }

    #[test]
    fn twins_are_found_in_one_object_only() {
        let plain = ToOwned::to_owned;
        assert!(has_twins(r#"{"x":{"a":1, "a" :2}}"#, plain));
        assert!(!has_twins(r#"{"a":{"a":"a"},"b":["a","a"]}"#, plain));
    }
}
