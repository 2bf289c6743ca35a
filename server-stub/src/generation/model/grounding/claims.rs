//! Finds claims without a source in a text.

use std::ops::Range;

use regex::Match;

use crate::domain::voice::emoji;

use super::addresses::addresses;
use super::patterns::{ATTRIBUTION, EVIDENCE, NUMBER, NUMBER_WORDS};
use super::quotations::{marks, quotations};
use super::sentences::sentence_ranges;
use super::sources::Sources;

/// Maximum number of digits in a name such as `B2B` or `COVID-19`.
const MAX_DIGITS_OF_NAME: usize = 2;

/// Reason why a text was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Unsourced {
    /// A number, an amount or a percentage.
    Number,
    /// A study, an expert, or other evidence.
    Evidence,
    /// A quotation.
    Quotation,
    /// A statement attributed to a named person.
    Attribution,
    /// A link or an address.
    Address,
}

impl Unsourced {
    /// Returns the name of the reason for the model.
    pub(in super::super) const fn as_str(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Evidence => "evidence",
            Self::Quotation => "a quotation",
            Self::Attribution => "a statement of somebody",
            Self::Address => "an address",
        }
    }
}

/// Parts to remove from a paragraph.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    /// Sentences, each with the reason.
    pub(super) sentences: Vec<(Range<usize>, Unsourced)>,
    /// Quotation marks.
    pub(super) marks: Vec<Range<usize>>,
}

impl Cuts {
    /// Returns all parts to remove, in the order of the text.
    pub(super) fn ranges(&self) -> Vec<Range<usize>> {
        let sentences = self.sentences.iter().map(|(range, _)| range);
        let mut ranges: Vec<_> = sentences.chain(&self.marks).cloned().collect();
        ranges.sort_by_key(|range| range.start);
        ranges
    }

    /// Returns the text without these parts.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut kept = String::with_capacity(text.len());
        let mut done = 0;
        for range in self.ranges() {
            if range.start > done {
                kept.push_str(&text[done..range.start]);
            }
            done = done.max(range.end);
        }
        kept.push_str(&text[done..]);
        kept
    }
}

/// Checks a paragraph sentence by sentence.
pub(super) fn cuts(text: &str, sources: &Sources) -> Cuts {
    let mut quotations = quotations(text, sources);
    let overlaps = |one: &Range<usize>, other: &Range<usize>| one.start < other.end && other.start < one.end;
    // The full stop in an address may look like the end of a sentence.
    let addresses: Vec<_> = addresses(text).filter(|found| !sources.has_address(&text[found.clone()])).collect();
    let sentences = sentence_ranges(text).into_iter().filter_map(|range| {
        let is_quoted = quotations.unsourced.iter().any(|quoted| overlaps(quoted, &range));
        let has_address = addresses.iter().any(|found| overlaps(found, &range));
        let quoted_or_address = is_quoted.then_some(Unsourced::Quotation).or(has_address.then_some(Unsourced::Address));
        quoted_or_address.or_else(|| unsourced(&text[range.clone()], sources)).map(|reason| (range, reason))
    });
    let sentences: Vec<_> = sentences.collect();
    let is_torn = |quoted: &&Range<usize>| sentences.iter().any(|(range, _)| overlaps(quoted, range));
    let torn = quotations.sourced.iter().filter(is_torn);
    quotations.marks.extend(torn.flat_map(|quoted| marks(text, quoted.clone())));
    Cuts { sentences, marks: quotations.marks }
}

/// Returns the first kind of claim without a source in a text. Ignores quotations.
pub(super) fn unsourced(text: &str, sources: &Sources) -> Option<Unsourced> {
    let says = |mut found: regex::Matches<'_, '_>| found.any(|found| !sources.has_words(found.as_str()));
    if addresses(text).any(|found| !sources.has_address(&text[found])) {
        Some(Unsourced::Address)
    } else if NUMBER.find_iter(text).any(|found| !is_name(text, &found) && !sources.has_number(found.as_str()))
        || says(NUMBER_WORDS.find_iter(text))
    {
        Some(Unsourced::Number)
    } else if says(EVIDENCE.find_iter(text)) {
        Some(Unsourced::Evidence)
    } else if says(ATTRIBUTION.find_iter(text)) {
        Some(Unsourced::Attribution)
    } else {
        None
    }
}

/// Returns true if the digits are part of a name: they follow a letter and are few.
fn is_name(text: &str, number: &Match<'_>) -> bool {
    let digits = number.as_str();
    let are_few = digits.len() <= MAX_DIGITS_OF_NAME && digits.bytes().all(|byte| byte.is_ascii_digit());
    let mut before = text[..number.start()].chars().rev();
    let letter = match before.next() {
        Some('-') => before.next(),
        other => other,
    };
    // A letter in a picture does not count: a profile without emoji takes it out.
    are_few && letter.is_some_and(|letter| letter.is_alphabetic() && emoji(letter.encode_utf8(&mut [0; 4])).is_none())
}
