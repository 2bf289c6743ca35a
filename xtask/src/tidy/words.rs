//! Checks for unfinished work, and for lints that are disabled with `allow` instead of `expect`.

use proc_macro2::Delimiter;

use super::finding::Finding;
use super::tokens::{self, Word};
use super::tree::{Source, Tree};

/// Marks of unfinished work; spelled in halves, so that this file does not find itself.
const UNFINISHED: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// One finding for each mark of unfinished work and each `allow` attribute in hand-written code.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let by_hand = tree.sources().iter().filter(|source| !source.is_generated());
    by_hand.flat_map(|source| unfinished(source).into_iter().chain(allowed(source))).collect()
}

fn unfinished(source: &Source) -> Vec<Finding> {
    let lines = source.text.lines().enumerate();
    lines
        .filter_map(|(index, line)| {
            let mark = UNFINISHED.into_iter().find(|mark| has_word(line, mark))?;
            Some(Finding::new(
                &source.path,
                index + 1,
                format!("{mark} in the code"),
                "Do it now, or record it outside of the code.",
            ))
        })
        .collect()
}

fn has_word(line: &str, word: &str) -> bool {
    line.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|part| part == word)
}

fn allowed(source: &Source) -> Vec<Finding> {
    let Ok(words) = tokens::words(&source.text) else { return Vec::new() };
    let mut findings = Vec::new();
    let mut index = 0;
    while index < words.len() {
        if opens_quotation(&words, index) {
            index = tokens::behind_group(&words, index);
            continue;
        }
        if opens_allow(&words, index) {
            let fix = "Use #[expect(…, reason = \"…\")]: it gives the reason, and warns when it is no longer needed.";
            let fault = "an `allow` attribute disables a lint";
            findings.push(Finding::new(&source.path, words[index].line(), fault, fix));
        }
        index += 1;
    }
    findings
}

/// Returns true if the bracket at `index` contains code to be generated.
fn opens_quotation(words: &[Word], index: usize) -> bool {
    let is_quotation = |word: &Word| ["quote", "parse_quote"].into_iter().any(|name| word.is_name(name));
    matches!(words[index], Word::Open { .. })
        && index >= 2
        && words[index - 1].is_mark('!')
        && is_quotation(&words[index - 2])
}

/// Returns true if the bracket at `index` is that of an `allow` attribute.
fn opens_allow(words: &[Word], index: usize) -> bool {
    let is_bracket = matches!(words[index], Word::Open { delimiter: Delimiter::Bracket, .. });
    let is_attribute = index >= 1 && (words[index - 1].is_mark('#') || words[index - 1].is_mark('!'));
    is_bracket && is_attribute && words.get(index + 1).is_some_and(|word| word.is_name("allow"))
}
