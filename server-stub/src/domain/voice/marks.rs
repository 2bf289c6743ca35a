//! Finds the places of violations in the source of a text, with the matchers of the rules. `rules` decides if a text violates
//! them.

use std::borrow::Cow;
use std::ops::Range;

use regex::Regex;

use super::language::{SupportedLanguage, is_english, sentences, words};
use super::manuscript::{Passage, PassageKind, URL, passages_with};
use super::profile::{BrandVoice, Contractions, EmojiUse, PointOfView};
use super::rules::{
    CONTRACTION, EXCLAMATION_MARKS, PICTOGRAPH, PersonalPronouns, exempt_text, is_exempt, personal_pronouns,
};
use super::terms::TermMatcher;

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

/// Returns the place in the source for a range of a passage. No range begins or ends between two pieces, where the passage has
/// a space.
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
            banned: voice.vocabulary.avoided(),
            replaced: voice.vocabulary.replaced(),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::rules::check_wording;
    use super::super::{CallToAction, Replacement};
    use super::*;

    /// Rules whose every failure has a place.
    const PLACEABLE: [&str; 6] =
        ["banned_terms", "replacements", "sentence_length", "contractions", "emoji", "exclamations"];

    fn strict_voice() -> BrandVoice {
        let mut voice = BrandVoice {
            contractions: Contractions::Avoid,
            point_of_view: PointOfView::ThirdPerson,
            max_sentence_words: 10,
            cta: Some(CallToAction { text: "You call us now".to_owned(), url: None }),
            ..BrandVoice::default()
        };
        voice.vocabulary.avoid = vec!["cheap".to_owned(), "weed  killer".to_owned(), "\u{e9}tat".to_owned()];
        voice.vocabulary.replace = vec![Replacement { from: "earth".to_owned(), to: "soil".to_owned() }];
        voice
    }

    fn marked<'t>(text: &'t str, marks: &[Mark]) -> Vec<(&'static str, &'t str)> {
        marks.iter().map(|mark| (mark.rule, &text[mark.range.clone()])).collect()
    }

    #[test]
    fn each_rule_marks_what_breaks_it() {
        let text = "# A *cheap* plan\n\nDon't use weed\nkiller on the earth! \u{1f331} \\
                    See https://cheap.example/earth!! and `cheap`. \u{201c}You and I\u{201d} say we.\n\n- You call us now\n\n&#x1f680; caf&eacute; cheap";
        let marks = marks(&strict_voice(), "en", text);
        assert_eq!(
            marked(text, &marks),
            [
                ("banned_terms", "cheap"),
                ("contractions", "Don't"),
                ("banned_terms", "weed\nkiller"),
                ("replacements", "earth"),
                ("exclamations", "!"),
                ("emoji", "\u{1f331}"),
                ("point_of_view", "we"),
                ("emoji", "&#x1f680;"),
                ("banned_terms", "cheap"),
            ]
        );
    }

    #[test]
    fn a_long_sentence_is_marked_from_its_first_word_to_its_last() {
        let text = "Short one. This **sentence** has far more words than the ten that are allowed. Short again.";
        let marks = marks(&strict_voice(), "en", text);
        assert_eq!(
            marked(text, &marks),
            [("sentence_length", "This **sentence** has far more words than the ten that are allowed.")]
        );
    }

    #[test]
    fn exclamations_are_marked_from_the_first_one_too_many() {
        let voice = BrandVoice { max_exclamations: 1, ..BrandVoice::default() };
        let text = "One!\n\nTwo\u{ff01} Three!";
        assert_eq!(marked(text, &marks(&voice, "de", text)), [("exclamations", "\u{ff01}"), ("exclamations", "!")]);
    }

    fn text() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "cheap",
            "weed",
            "killer",
            "earth",
            "don't",
            "we\u{2019}re",
            "I",
            "you",
            "ours",
            "!",
            "\u{ff01}",
            ". ",
            "? ",
            " ",
            "\n",
            "\n\n",
            "# ",
            "- ",
            "> ",
            "1. ",
            "| a | b |\n|---|---|\n| cheap | x! |\n",
            "`cheap!`",
            "```\nearth\n```\n",
            "**",
            "_",
            "~",
            "[cheap](https://earth.example)",
            "https://cheap.example/! ",
            "&amp;",
            "&#x1f680;",
            "&eacute;tat",
            "\\!",
            "\\\\",
            "\u{1f331}",
            "\u{1f468}\u{200d}\u{1f33e}",
            "\u{e9}tat",
            "\u{201c}",
            "\u{201d}",
            "\"",
            "<b>",
            "<!--",
            "-->",
            "  \n",
            "\r\n",
            "You call us now",
            "\u{212a}",
            "\t",
            "\0",
            "one two three four five six seven eight nine ten eleven",
        ]);
        let any = prop_oneof![8 => pieces.prop_map(str::to_owned), 1 => ".{0,4}"];
        let joined = (any, prop_oneof![Just(""), Just(" ")]).prop_map(|(piece, space)| piece + space);
        prop::collection::vec(joined, 0..24).prop_map(|pieces| pieces.concat())
    }

    fn voice() -> impl Strategy<Value = BrandVoice> {
        let (views, more) = (
            prop::sample::select(vec![PointOfView::ThirdPerson, PointOfView::SecondPerson, PointOfView::Any]),
            (0..3_u32, any::<bool>(), any::<bool>(), any::<bool>()),
        );
        (views, more).prop_map(|(point_of_view, (max_exclamations, emoji, contractions, has_terms))| {
            let strict = strict_voice();
            BrandVoice {
                point_of_view,
                max_exclamations,
                emoji: if emoji { EmojiUse::Allow } else { EmojiUse::None },
                contractions: if contractions { Contractions::Allow } else { Contractions::Avoid },
                vocabulary: if has_terms { strict.vocabulary.clone() } else { BrandVoice::default().vocabulary },
                ..strict
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn marks_are_sorted_parts_of_the_text_and_agree_with_the_rules(
            voice in voice(),
            language in prop::sample::select(vec!["en", "de"]),
            text in text(),
        ) {
            let marks = marks(&voice, language, &text);
            for mark in &marks {
                prop_assert!(!mark.range.is_empty() && text.get(mark.range.clone()).is_some(), "{:?}", mark);
            }
            prop_assert!(marks.is_sorted_by_key(|mark| (mark.range.start, mark.range.end)));
            let checks = check_wording(&voice, language, &text);
            let fails = |rule| checks.iter().any(|check| check.rule == rule && !check.passed);
            let is_marked = |rule| marks.iter().any(|mark| mark.rule == rule);
            for rule in PLACEABLE {
                prop_assert_eq!(fails(rule), is_marked(rule), "{}", rule);
            }
            prop_assert!(fails("point_of_view") || !is_marked("point_of_view"));
            if voice.point_of_view == PointOfView::ThirdPerson {
                prop_assert_eq!(fails("point_of_view"), is_marked("point_of_view"));
            }
        }
    }
}
