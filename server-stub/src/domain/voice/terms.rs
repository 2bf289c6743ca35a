//! Finding any of a list of terms as whole words; which lists there are is decided by the rules and the writer.

use regex::{Regex, RegexBuilder};

/// Finds terms as whole words, without case, across any white space between their words.
#[derive(Debug, Clone, Default)]
pub struct TermMatcher {
    pattern: Option<Regex>,
}

impl TermMatcher {
    /// A matcher for the terms that are not blank; one that never matches where there are none.
    pub fn new<'a>(terms: impl IntoIterator<Item = &'a str>) -> Self {
        let mut alternatives: Vec<String> = terms.into_iter().filter_map(term_pattern).collect();
        if alternatives.is_empty() {
            return Self::default();
        }
        alternatives.sort_by_key(|alternative| std::cmp::Reverse(alternative.len()));
        let source = format!(r"\b{{start-half}}(?:{})\b{{end-half}}", alternatives.join("|"));
        let pattern = RegexBuilder::new(&source).case_insensitive(true).size_limit(64 << 20).build();
        Self { pattern: Some(pattern.expect("escaped terms form a valid pattern within the size limit")) }
    }

    /// Whether there is nothing to find.
    pub fn is_empty(&self) -> bool {
        self.pattern.is_none()
    }

    /// The first term in the text, as it is written there.
    pub fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.pattern.as_ref()?.find(text).map(|found| found.as_str())
    }

    /// Whether any term is in the text.
    pub fn matches(&self, text: &str) -> bool {
        self.pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
    }

    /// The text with every term replaced by what `write` makes of it.
    pub fn replace_all(&self, text: &str, write: impl Fn(&str) -> String) -> String {
        match &self.pattern {
            Some(pattern) => pattern.replace_all(text, |found: &regex::Captures<'_>| write(&found[0])).into_owned(),
            None => text.to_owned(),
        }
    }
}

fn term_pattern(term: &str) -> Option<String> {
    let words: Vec<String> = term.split_whitespace().map(regex::escape).collect();
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
        assert!(!matcher.matches("étatique"));
    }

    #[test]
    fn several_words_match_across_any_white_space() {
        let matcher = TermMatcher::new(["game changer"]);
        assert_eq!(matcher.find("a Game\n  changer."), Some("Game\n  changer"));
        assert!(!TermMatcher::new(["  "]).matches("anything"));
    }
}
