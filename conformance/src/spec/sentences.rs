//! The sentences of the document, which requirements quote.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

/// A sentence of a description or of an `x-conformance` rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// The sentence, with each line break as a space.
    pub text: String,
    /// JSON pointer to the description or rule.
    pub pointer: String,
}

impl Sentence {
    /// Returns true if the sentence has a word that makes it a demand or a prohibition.
    pub fn is_normative(&self) -> bool {
        static WORDS: LazyLock<Regex> = LazyLock::new(|| {
            let words = "must|never|only|always|exactly|at most|at least|up to|refuses?|refused|ignores?|ignored|cannot|not?|every|each|once|\
                         required|unique|same|without|until|unless|nothing|none|all|before|after";
            Regex::new(&format!(r"(?i)\b(?:{words})\b")).expect("a constant pattern")
        });
        WORDS.is_match(&self.text)
    }
}

/// Returns the sentences of all descriptions and `x-conformance` rules outside of examples, each one once.
pub fn sentences(document: &Value) -> Vec<Sentence> {
    let mut found = Vec::new();
    collect(document, "", &mut found);
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|sentence| seen.insert(sentence.text.clone()));
    found
}

fn collect(node: &Value, pointer: &str, found: &mut Vec<Sentence>) {
    let children: Vec<(String, &Value)> = match node {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
        _ => return,
    };
    for (name, value) in children {
        if name == "example" || name == "examples" {
            continue;
        }
        let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
        match value.as_str() {
            Some(text) if name == "description" || name == "rule" => {
                found.extend(split(text).into_iter().map(|text| Sentence { text, pointer: pointer.clone() }));
            }
            _ => collect(value, &pointer, found),
        }
    }
}

/// Splits Markdown into sentences. Items of lists and rows of tables begin a new one; headings and code blocks are left out.
fn split(text: &str) -> Vec<String> {
    static ITEM: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(?:[-*]|\d+\.)\s+").expect("a constant pattern"));
    let mut blocks: Vec<String> = vec![String::new()];
    let mut is_code = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") {
            is_code = !is_code;
            blocks.push(String::new());
        } else if line.is_empty() || line.starts_with('#') {
            blocks.push(String::new());
        } else if is_code {
        } else if let Some(bullet) = ITEM.find(line) {
            blocks.push(line[bullet.end()..].to_owned());
        } else if let Some(block) = blocks.last_mut().filter(|block| !block.is_empty() && !line.starts_with('|')) {
            block.push(' ');
            block.push_str(line);
        } else {
            blocks.push(line.to_owned());
        }
    }
    blocks.iter().flat_map(|block| sentences_of(block)).collect()
}

fn sentences_of(block: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut rest = block.trim();
    while let Some(end) = end_of_sentence(rest) {
        sentences.push(rest[..end].to_owned());
        rest = rest[end..].trim_start();
    }
    if !rest.is_empty() {
        sentences.push(rest.to_owned());
    }
    sentences
}

/// Returns the end of the first sentence of `text` if another one follows.
fn end_of_sentence(text: &str) -> Option<usize> {
    text.char_indices().filter(|(_, letter)| matches!(letter, '.' | '!' | '?')).map(|(at, _)| at + 1).find(|end| {
        let next = text[*end..].trim_start();
        let begins =
            |first: char| first.is_ascii_uppercase() || first.is_ascii_digit() || "`\"\u{201c}*(".contains(first);
        next.len() < text.len() - end && next.starts_with(begins)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{sentences, split};

    #[test]
    fn items_rows_and_sentences_are_apart_and_lines_are_joined() {
        let text = "## Limits\n\nA key has at most\n1.5 names. `limit` may\nchange.\n\n* One. Two!\n* Three\n  goes on\n\n| a | b |\n|---|---|\n```\nno.\n```\nEnd.";
        let expected = [
            "A key has at most 1.5 names.",
            "`limit` may change.",
            "One.",
            "Two!",
            "Three goes on",
            "| a | b |",
            "|---|---|",
            "End.",
        ];
        assert_eq!(split(text), expected);
    }

    #[test]
    fn each_sentence_is_found_once_with_its_place_and_not_in_examples() {
        let document = json!({
            "paths": { "/a~b": { "description": "It never ends.", "example": { "description": "Left out." } } },
            "x": [{ "rule": "It never ends. It begins." }],
        });
        let found: Vec<(String, String, bool)> = sentences(&document)
            .into_iter()
            .map(|sentence| (sentence.text.clone(), sentence.pointer.clone(), sentence.is_normative()))
            .collect();
        let expected = [
            ("It never ends.".to_owned(), "/paths/~1a~0b/description".to_owned(), true),
            ("It begins.".to_owned(), "/x/0/rule".to_owned(), false),
        ];
        assert_eq!(found, expected);
    }
}
