//! Finds and replaces the terms of a vocabulary as whole words.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use hashlink::LruCache;
use regex::{Regex, RegexBuilder, RegexSetBuilder};

use super::profile::Vocabulary;
use crate::domain::unicode_form::{composed, in_any_form};

/// Maximum size in bytes of the compiled form of a pattern, more than the longest lists need.
const MAX_COMPILED_BYTES: usize = 64 << 20;
/// Number of patterns that stay compiled. Each can take 15 MiB.
const KEPT_PATTERNS: usize = 4;
/// Minimum length in bytes of a pattern that stays compiled. A shorter one takes less than a millisecond to compile.
const MIN_KEPT_PATTERN: usize = 512;

/// The patterns that were used last. Rules, marks and validation use the same lists, and an editor checks a text with every change.
static COMPILED: LazyLock<Mutex<LruCache<String, Regex>>> = LazyLock::new(|| Mutex::new(LruCache::new(KEPT_PATTERNS)));

/// Returns the compiled pattern.
fn compiled(source: &str) -> Regex {
    let kept = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pattern) = kept().get(source) {
        return pattern.clone();
    }
    let pattern = RegexBuilder::new(source).case_insensitive(true).size_limit(MAX_COMPILED_BYTES).build();
    let pattern = pattern.expect("escaped terms form a valid pattern within the size limit");
    if source.len() >= MIN_KEPT_PATTERN {
        kept().insert(source.to_owned(), pattern.clone());
    }
    pattern
}

/// Finds terms as whole words. Ignores case and the Unicode form, and accepts any white space between the words of a term.
#[derive(Debug, Clone, Default)]
pub struct TermMatcher {
    /// The pattern as text; `None` without terms.
    source: Option<String>,
    /// Compiled when a text may contain a term, which is rare for most lists. Compiling takes as long as many searches.
    pattern: OnceLock<Regex>,
    /// First words of all terms, in lower case. A text without any of them needs no search. `None` if a term is not ASCII or has no
    /// word; then every text is searched.
    first_words: Option<HashSet<String>>,
}

impl TermMatcher {
    /// Creates a matcher for the terms that are not blank. Without terms it never matches.
    pub fn new<'a>(terms: impl IntoIterator<Item = &'a str>) -> Self {
        let terms: Vec<&str> = terms.into_iter().collect();
        let mut terms_by_length = terms.clone();
        terms_by_length.sort_by_key(|term| std::cmp::Reverse(composed(term.trim()).len()));
        let alternatives: Vec<String> = terms_by_length.into_iter().filter_map(term_pattern).collect();
        if alternatives.is_empty() {
            return Self::default();
        }
        Self {
            source: Some(whole_words(&alternatives.join("|"))),
            pattern: OnceLock::new(),
            first_words: terms.iter().filter(|term| !term.trim().is_empty()).map(|term| first_word(term)).collect(),
        }
    }

    /// Returns true if there are no terms.
    pub fn is_empty(&self) -> bool {
        self.source.is_none()
    }

    /// Returns the first term in the text, as spelled in the text.
    pub fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.pattern_for(text)?.find(text).map(|found| found.as_str())
    }

    /// Returns true if the text contains a term.
    pub fn matches(&self, text: &str) -> bool {
        self.pattern_for(text).is_some_and(|pattern| pattern.is_match(text))
    }

    /// Returns the places of the terms in the text.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        self.pattern_for(text)
            .map_or_else(Vec::new, |pattern| pattern.find_iter(text).map(|found| found.range()).collect())
    }

    /// Returns the pattern, unless a quick check shows that the text contains no term.
    fn pattern_for(&self, text: &str) -> Option<&Regex> {
        let source = self.source.as_ref().filter(|_| self.may_match(text))?;
        Some(self.pattern.get_or_init(|| compiled(source)))
    }

    fn may_match(&self, text: &str) -> bool {
        let Some(first_words) = &self.first_words else { return true };
        // Two characters outside ASCII fold to ASCII letters.
        if text.contains(['\u{212a}', '\u{17f}']) {
            return true;
        }
        let mut buffer = String::new();
        ascii_words(text).any(|word| {
            buffer.clear();
            buffer.push_str(word);
            buffer.make_ascii_lowercase();
            first_words.contains(buffer.as_str())
        })
    }

    /// Returns the text with every term replaced by the result of `write`.
    pub fn replace_all(&self, text: &str, write: impl Fn(&str) -> String) -> String {
        match self.pattern_for(text) {
            Some(pattern) => pattern.replace_all(text, |found: &regex::Captures<'_>| write(&found[0])).into_owned(),
            None => text.to_owned(),
        }
    }
}

impl Vocabulary {
    /// Returns a matcher for the terms to avoid.
    pub fn avoided(&self) -> TermMatcher {
        TermMatcher::new(self.avoid.iter().map(String::as_str))
    }

    /// Returns a matcher for the terms to replace.
    pub fn replaced(&self) -> TermMatcher {
        TermMatcher::new(self.replace.iter().map(|pair| pair.from.as_str()))
    }

    /// Returns a matcher for the terms that must not appear in any text: those to avoid and those to replace.
    pub fn forbidden(&self) -> TermMatcher {
        let replaced = self.replace.iter().map(|pair| pair.from.as_str());
        TermMatcher::new(self.avoid.iter().map(String::as_str).chain(replaced))
    }
}

/// Makes the replacements of a vocabulary.
#[derive(Debug)]
pub struct TermReplacer<'v>(Vec<(TermMatcher, &'v str)>);

impl<'v> TermReplacer<'v> {
    /// Creates a replacer for the terms that the vocabulary replaces.
    pub fn new(vocabulary: &'v Vocabulary) -> Self {
        let pairs = vocabulary.replace.iter();
        Self(pairs.map(|pair| (TermMatcher::new([pair.from.as_str()]), pair.to.as_str())).collect())
    }

    /// Returns the text with the replacements. A replacement gets a capital first letter if the replaced term has one.
    pub fn replaced(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (matcher, to) in &self.0 {
            if matcher.matches(&text) {
                text = matcher.replace_all(&text, |found| with_case_of(found, to));
            }
        }
        text
    }
}

/// Returns `to`, with a capital first letter if `found` has one.
fn with_case_of(found: &str, to: &str) -> String {
    let mut letters = to.chars();
    match (found.chars().next().is_some_and(char::is_uppercase), letters.next()) {
        (true, Some(first)) => first.to_uppercase().chain(letters).collect(),
        _ => to.to_owned(),
    }
}

/// Returns the first word of an ASCII term, in lower case.
fn first_word(term: &str) -> Option<String> {
    ascii_words(term).next().filter(|_| term.is_ascii()).map(str::to_ascii_lowercase)
}

fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// Returns the terms that are in none of the lines, except blank ones. Searches for all of them together.
pub(super) fn missing<'t, 'l>(terms: &[&'t str], lines: impl Iterator<Item = &'l str>) -> Vec<&'t str> {
    let (terms, patterns): (Vec<_>, Vec<_>) =
        terms.iter().filter_map(|term| Some((*term, whole_words(&term_pattern(term)?)))).unzip();
    let set = RegexSetBuilder::new(patterns).case_insensitive(true).size_limit(MAX_COMPILED_BYTES).build();
    let set = set.expect("escaped terms form valid patterns within the size limit");
    let found: HashSet<usize> = lines.flat_map(|line| set.matches(line)).collect();
    terms.into_iter().enumerate().filter(|(number, _)| !found.contains(number)).map(|(_, term)| term).collect()
}

fn whole_words(pattern: &str) -> String {
    format!(r"\b{{start-half}}(?:{pattern})\b{{end-half}}")
}

fn term_pattern(term: &str) -> Option<String> {
    let words: Vec<String> = term.split_whitespace().map(|word| in_any_form(&regex::escape(word))).collect();
    (!words.is_empty()).then(|| words.join(r"\s+"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_match_as_whole_words_without_case() {
        let matcher = TermMatcher::new(["cheap", "état", "c++"]);
        assert!(matcher.matches("A CHEAP trick"));
        assert!(matcher.matches("L'ÉTAT, c'est moi"));
        assert!(matcher.matches("in C++ only"));
        assert!(!matcher.matches("cheaper cheapest"));
        let plain = TermMatcher::new(["king size", "(beta)"]);
        assert!(
            plain.matches("a \u{212a}ING  size bed") && plain.matches("now (Beta)") && !plain.matches("king and size")
        );
        assert!(!matcher.matches("étatique"));
        assert_eq!(matcher.find("l'e\u{301}tat"), Some("e\u{301}tat"));
        assert!(TermMatcher::new(["e\u{301}tat"]).matches("l'état") && !matcher.matches("etat"));
    }

    #[test]
    fn several_words_match_across_any_white_space() {
        let matcher = TermMatcher::new(["game changer"]);
        assert_eq!(matcher.find("a Game\n  changer."), Some("Game\n  changer"));
        assert!(!TermMatcher::new(["  "]).matches("anything"));
    }

    #[test]
    fn terms_that_overlap_are_found_each() {
        let lines = ["a dirt cheap\u{a0}car", "L'E\u{301}TAT"];
        let terms = ["cheap", "dirt  cheap", "cheap car", " ", "cheaper", "\u{e9}tat", "car dirt"];
        assert_eq!(missing(&terms, lines.into_iter()), ["cheaper", "car dirt"]);
        assert_eq!(missing(&[], lines.into_iter()), [""; 0]);
    }

    #[test]
    fn the_patterns_of_few_long_lists_stay_compiled_and_find_the_same() {
        let list = |number: usize| (0..100).map(|word| format!("w{number}x{word}")).collect::<Vec<_>>();
        for number in (0..3 * KEPT_PATTERNS).chain(0..3) {
            let list = list(number);
            for _ in 0..2 {
                let matcher = TermMatcher::new(list.iter().map(String::as_str));
                assert_eq!(
                    matcher.find(&format!("a W{number}X99, w{}x1", number + 1)),
                    Some(&*format!("W{number}X99"))
                );
            }
        }
        let kept = COMPILED.lock().unwrap();
        assert!(kept.len() == KEPT_PATTERNS && kept.iter().all(|(source, _)| source.len() >= MIN_KEPT_PATTERN));
    }
}
