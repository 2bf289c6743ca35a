//! Finds the places of violations in the source of a text, with the matchers of the rules.

use std::borrow::Cow;
use std::ops::Range;

use regex::Regex;

use super::super::language::{is_english, sentences, words};
use super::super::manuscript::{Passage, PassageKind, URL, passages_with};
use super::super::profile::{BrandVoice, Contractions, EmojiUse, PointOfView};
use super::super::pronouns::{PersonalPronouns, personal_pronouns};
use super::super::rules::{CONTRACTION, EXCLAMATION_MARKS, PICTOGRAPH, exempt_text, is_exempt};
use super::super::supported_language::SupportedLanguage;
use super::super::terms::TermMatcher;

/// A part of a text that violates a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Byte range in the text.
    pub range: Range<usize>,
    /// Id of the rule, such as `banned_terms`.
    pub rule: &'static str,
}

/// Returns the violations of the profile's rules in a `CommonMark` text, in order of their places. Marks of different rules may
/// overlap. For the point of view, it marks forbidden pronouns but not missing ones.
pub fn marks(voice: &BrandVoice, language: &str, markdown: &str) -> Vec<Mark> {
    let finder = Finder::new(voice, language);
    let mut exclamations = 0;
    let mut found = Vec::new();
    for (passage, pieces) in passages_with(markdown, |pieces: &mut Vec<Piece>, at, text, place| {
        let is_same = markdown.get(place.clone()) == Some(text);
        pieces.push(Piece { within: at..at + text.len(), place, is_same });
    }) {
        let mut here = Vec::new();
        finder.find(&passage, &mut exclamations, &mut here);
        found.extend(here.into_iter().filter_map(|mark| {
            let range = place(&pieces, &mark.range)?;
            Some(Mark { range, rule: mark.rule })
        }));
    }
    found.sort_by_key(|mark| (mark.range.start, mark.range.end));
    found.dedup();
    found
}

/// A piece of a passage, with its place in the source.
struct Piece {
    within: Range<usize>,
    place: Range<usize>,
    /// True if the source contains the piece unchanged. An entity, for example, has other characters in the source.
    is_same: bool,
}

/// Returns the place in the source for a range of a passage. No range begins or ends between two pieces, where the passage has a
/// space.
fn place(pieces: &[Piece], range: &Range<usize>) -> Option<Range<usize>> {
    let first = pieces.iter().find(|piece| piece.within.end > range.start)?;
    let last = pieces.iter().rev().find(|piece| piece.within.start < range.end)?;
    let start = first.place.start + if first.is_same { range.start.saturating_sub(first.within.start) } else { 0 };
    let end = if last.is_same && range.end < last.within.end {
        last.place.start + (range.end - last.within.start)
    } else {
        last.place.end
    };
    (start < end).then_some(start..end)
}

/// Matchers for a profile and a language.
struct Finder<'v> {
    voice: &'v BrandVoice,
    is_english: bool,
    /// `None` if the language is not supported.
    pronouns: Option<&'static PersonalPronouns>,
    banned: TermMatcher,
    replaced: TermMatcher,
    exempt: Option<String>,
}

impl<'v> Finder<'v> {
    fn new(voice: &'v BrandVoice, language: &str) -> Self {
        Self {
            voice,
            is_english: is_english(language),
            pronouns: SupportedLanguage::of(language).map(personal_pronouns),
            banned: TermMatcher::new(voice.vocabulary.avoid.iter().map(String::as_str)),
            replaced: TermMatcher::new(voice.vocabulary.replace.iter().map(|pair| pair.from.as_str())),
            exempt: exempt_text(voice),
        }
    }

    /// Adds the marks of a passage, as ranges of its text. `exclamations` counts the exclamation marks of the whole text.
    fn find(&self, passage: &Passage, exclamations: &mut usize, marks: &mut Vec<Mark>) {
        let text = passage.text.as_str();
        let readable = blanked(text, &URL);
        let mut add = |rule, range| marks.push(Mark { range, rule });
        self.banned.places(&readable).into_iter().for_each(|range| add("banned_terms", range));
        self.replaced.places(&readable).into_iter().for_each(|range| add("replacements", range));
        if self.voice.emoji == EmojiUse::None {
            PICTOGRAPH.find_iter(text).for_each(|found| add("emoji", found.range()));
        }
        for (at, mark) in readable.match_indices(EXCLAMATION_MARKS) {
            *exclamations += 1;
            if *exclamations > self.voice.max_exclamations as usize {
                add("exclamations", at..at + mark.len());
            }
        }
        if self.is_english {
            self.find_english(passage, &readable, marks);
        }
        if !is_exempt(self.exempt.as_deref(), text) {
            let misplaced = self.misplaced_pronouns(&readable);
            marks.extend(misplaced.into_iter().map(|range| Mark { range, rule: "point_of_view" }));
        }
    }

    /// Adds the marks of the rules for English text.
    fn find_english(&self, passage: &Passage, readable: &str, marks: &mut Vec<Mark>) {
        let text = passage.text.as_str();
        let mut add = |rule, range| marks.push(Mark { range, rule });
        if self.voice.contractions == Contractions::Avoid {
            CONTRACTION.find_iter(readable).for_each(|found| add("contractions", found.range()));
        }
        if matches!(passage.kind, PassageKind::Paragraph | PassageKind::ListItem) {
            let is_long = |sentence: &&str| words(sentence).count() > self.voice.max_sentence_words as usize;
            for sentence in sentences(text).into_iter().filter(is_long) {
                // A sentence is a slice of `text`.
                let end = sentence.as_ptr().addr() - text.as_ptr().addr() + sentence.len();
                add("sentence_length", end - sentence.trim_start().len()..end);
            }
        }
    }

    fn misplaced_pronouns(&self, text: &str) -> Vec<Range<usize>> {
        let misplaced = match self.voice.point_of_view {
            PointOfView::FirstPersonPlural | PointOfView::SecondPerson => 0..1,
            PointOfView::ThirdPerson => 0..3,
            PointOfView::FirstPersonSingular | PointOfView::Any => return Vec::new(),
        };
        let Some(pronouns) = self.pronouns else { return Vec::new() };
        let spoken = blanked(text, &pronouns.quotation);
        misplaced.flat_map(|index| pronouns.places(index, &spoken).collect::<Vec<_>>()).collect()
    }
}

/// Returns the text with matches replaced by spaces, so that offsets stay the same.
fn blanked<'t>(text: &'t str, pattern: &Regex) -> Cow<'t, str> {
    pattern.replace_all(text, |found: &regex::Captures<'_>| " ".repeat(found[0].len()))
}
