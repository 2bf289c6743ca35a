//! Strategies for the document's patterns: matching texts, texts at the edges, and texts one step beyond.
//!
//! The document uses patterns of ECMA-262; `proptest` rejects anchors and reads `\d` as digits of every script.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use proptest::prelude::*;
use proptest::strategy::SBoxedStrategy;
use proptest::string::string_regex;
use regex::Regex;

use super::draw::Draw;

/// Number of attempts to find a text beyond a pattern.
const TRIES: u32 = 12;
/// Range of letters whose neighbours are checked; it includes all control characters.
const LETTERS: std::ops::RangeInclusive<u32> = 0..=0x2ff;

/// One pattern.
#[derive(Debug, Clone)]
pub(super) struct Pattern(Arc<Known>);

/// Properties of a pattern. Expensive ones are computed once.
#[derive(Debug)]
struct Known {
    regex: Regex,
    /// The pattern without anchors, with expanded classes.
    body: String,
    beyond: OnceLock<Vec<String>>,
    border_letters: OnceLock<(Vec<char>, Vec<char>)>,
}

impl Pattern {
    /// Parses a pattern; returns `None` if it uses an unsupported feature.
    pub(super) fn read(pattern: &str) -> Option<Self> {
        static PATTERNS: Mutex<BTreeMap<String, Option<Pattern>>> = Mutex::new(BTreeMap::new());
        let mut patterns = PATTERNS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = patterns.get(pattern) {
            return known.clone();
        }
        let read = Self::parsed(pattern);
        patterns.insert(pattern.to_owned(), read.clone());
        read
    }

    fn parsed(pattern: &str) -> Option<Self> {
        let body = translated(pattern);
        let regex = Regex::new(&spelled(pattern)).ok()?;
        let known = Known { regex, body, beyond: OnceLock::new(), border_letters: OnceLock::new() };
        string_regex(&known.body).is_ok().then(|| Self(Arc::new(known)))
    }

    /// Returns true if a text matches it.
    pub(super) fn is_kept_by(&self, text: &str) -> bool {
        self.0.regex.is_match(text)
    }

    /// Returns texts that match it.
    pub(super) fn texts(&self) -> SBoxedStrategy<String> {
        self.kept(&self.0.body).expect("was read before")
    }

    /// Returns texts with every part at its shortest, and texts with every part at its longest.
    pub(super) fn ends(&self) -> Vec<SBoxedStrategy<String>> {
        let shortest = with_counts(&self.0.body, |_, least, _| (least, Some(least)));
        let longest = with_counts(&self.0.body, |_, least, most| (most.unwrap_or(least), most));
        let mut all: Vec<SBoxedStrategy<String>> = self.kept(&shortest).into_iter().collect();
        if longest != shortest {
            all.extend(self.kept(&longest));
        }
        all
    }

    /// Returns texts that do not match, because one part is one too long or too short. No text is empty.
    pub(super) fn beyond(&self) -> &[String] {
        self.0.beyond.get_or_init(|| self.find_beyond())
    }

    fn find_beyond(&self) -> Vec<String> {
        let count = counts(&self.0.body);
        let longer = (0..count).map(|place| {
            with_counts(&self.0.body, |at, least, most| {
                if at == place { (most.unwrap_or(least) + 1, most.map(|most| most + 1)) } else { (least, most) }
            })
        });
        let shorter = (0..count).map(|place| {
            with_counts(&self.0.body, |at, least, most| {
                if at == place { (least.saturating_sub(1), Some(least.saturating_sub(1))) } else { (least, most) }
            })
        });
        let mut found: Vec<String> = Vec::new();
        for changed in longer.chain(shorter) {
            let Ok(strategy) = string_regex(&changed) else { continue };
            let texts = (0..TRIES).map(|index| Draw::new(0, &changed, index).value(&strategy));
            let text = texts.into_iter().find(|text| !text.is_empty() && !self.is_kept_by(text));
            found.extend(text.filter(|text| !found.contains(text)));
        }
        found
    }

    /// Returns allowed and forbidden letters that are adjacent in Unicode.
    pub(super) fn border_letters(&self) -> &(Vec<char>, Vec<char>) {
        self.0.border_letters.get_or_init(|| self.find_border_letters())
    }

    fn find_border_letters(&self) -> (Vec<char>, Vec<char>) {
        let takes = |letter: char| self.is_kept_by(&format!("a{letter}b"));
        let letters: Vec<char> = LETTERS.filter_map(char::from_u32).collect();
        let is_border = |place: usize| {
            let own = takes(letters[place]);
            let before = place.checked_sub(1).map(|before| letters[before]);
            [before, letters.get(place + 1).copied()].into_iter().flatten().any(|other| takes(other) != own)
        };
        let borders = (0..letters.len()).filter(|place| is_border(*place)).map(|place| letters[place]);
        borders.partition(|letter| takes(*letter))
    }

    fn kept(&self, body: &str) -> Option<SBoxedStrategy<String>> {
        let regex = self.0.regex.clone();
        let texts = string_regex(body).ok()?;
        Some(texts.prop_filter("a text that keeps the pattern", move |text| regex.is_match(text)).sboxed())
    }
}

/// Expands the classes of ECMA-262, so that every regex engine agrees.
fn spelled(pattern: &str) -> String {
    read(pattern, |token, in_class| match (token, in_class) {
        (r"\d", true) => "0-9".to_owned(),
        (r"\d", false) => "[0-9]".to_owned(),
        (r"\w", true) => "A-Za-z0-9_".to_owned(),
        (r"\w", false) => "[A-Za-z0-9_]".to_owned(),
        _ => token.to_owned(),
    })
}

/// Removes the anchors, and limits unbounded repetitions to three.
fn translated(pattern: &str) -> String {
    read(&spelled(pattern), |token, in_class| match (token, in_class) {
        ("^" | "$", false) => String::new(),
        ("*", false) => "{0,3}".to_owned(),
        ("+", false) => "{1,3}".to_owned(),
        _ => token.to_owned(),
    })
}

/// Returns the number of counted repetitions, such as `{1,8}` or `{3}`.
fn counts(pattern: &str) -> usize {
    let mut count = 0;
    with_counts(pattern, |_, least, most| {
        count += 1;
        (least, most)
    });
    count
}

/// Changes the numbers of the repetitions: `change` gets the index of each, its minimum and its maximum.
fn with_counts(pattern: &str, mut change: impl FnMut(usize, usize, Option<usize>) -> (usize, Option<usize>)) -> String {
    let mut place = 0;
    read(pattern, |token, in_class| {
        let inner = token.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).filter(|_| !in_class);
        let Some(inner) = inner else { return token.to_owned() };
        let (least, most) = match inner.split_once(',') {
            Some((least, most)) => (least.parse().ok(), most.parse().ok()),
            None => (inner.parse().ok(), inner.parse().ok()),
        };
        let Some(least) = least else { return token.to_owned() };
        let (least, most) = change(place, least, most);
        place += 1;
        most.map_or_else(|| format!("{{{least},}}"), |most| format!("{{{least},{most}}}"))
    })
}

/// Rewrites a pattern token by token: an escape, a repetition in braces, or one letter. The flag of `rewrite` is true within a class.
fn read(pattern: &str, mut rewrite: impl FnMut(&str, bool) -> String) -> String {
    let (mut written, mut rest, mut in_class) = (String::new(), pattern, false);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '{' if !in_class => rest.find('}').map_or(1, |end| end + 1),
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        written += &rewrite(token, in_class);
        in_class = match token {
            "[" => true,
            "]" => false,
            _ => in_class,
        };
        rest = behind;
    }
    written
}

#[cfg(test)]
mod tests {
    use super::{Pattern, translated};
    use crate::strategies::Draw;

    #[test]
    fn anchors_go_and_classes_are_those_of_ecma_262() {
        assert_eq!(translated(r"^[\d^$]{2}\$a\d*$"), r"[0-9^$]{2}\$a[0-9]{0,3}");
    }

    #[test]
    fn texts_keep_a_pattern_and_those_beyond_it_do_not() {
        let pattern = Pattern::read("^([a-z]{2,3}(-[0-9]{1,8})*|x-[a-z]+)$").expect("a pattern");
        for index in 0..50 {
            let text = Draw::new(3, "pattern", index).value(&pattern.texts());
            assert!(pattern.is_kept_by(&text), "{text}");
        }
        let beyond = pattern.beyond();
        assert!(beyond.len() >= 3 && beyond.iter().all(|text| !pattern.is_kept_by(text)), "{beyond:?}");
        assert!(beyond.iter().any(|text| text.split('-').skip(1).any(|part| part.len() == 9)), "{beyond:?}");
    }

    #[test]
    fn letters_at_the_border_of_what_a_pattern_takes() {
        let pattern = Pattern::read("^[^\\u0000-\\u0008\\u007F]*$").expect("a pattern");
        assert_eq!(*pattern.border_letters(), (vec!['\t', '~', '\u{80}'], vec!['\u{8}', '\u{7f}']));
    }
}
