//! Rules on the wording: terms, reading grade and longest sentence of English prose, contractions, pictographs and exclamation
//! marks, and the call to action.

use std::sync::LazyLock;

use regex::Regex;

use super::super::language::{self, is_english, sentences, words};
use super::super::manuscript::{Manuscript, without_urls};
use super::super::profile::{BrandVoice, Contractions, EmojiUse};
use super::super::terms::{self, TermMatcher};
use super::report::VoiceCheck;
use crate::domain::unicode_form::composed;

/// Minimum number of words for a meaningful grade.
const MIN_WORDS: usize = 100;
/// Maximum distance of the grade from its range.
const GRADE_TOLERANCE: f64 = 0.5;
/// An exclamation mark and its full-width form.
pub(in super::super) const EXCLAMATION_MARKS: [char; 2] = ['!', '\u{ff01}'];

pub(super) fn banned_terms(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    absent("banned_terms", &voice.vocabulary.avoided(), manuscript)
}

pub(super) fn replacements(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    absent("replacements", &voice.vocabulary.replaced(), manuscript)
}

pub(super) fn required_terms(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    let required: Vec<&str> =
        voice.vocabulary.prefer.iter().filter(|wish| wish.required).map(|wish| wish.term.as_str()).collect();
    if required.is_empty() {
        return VoiceCheck::not_measured("required_terms");
    }
    let missing = terms::missing(&required, manuscript.lines());
    let observed =
        if missing.is_empty() { "all present".to_owned() } else { format!("missing: {}", missing.join(", ")) };
    VoiceCheck::measured("required_terms", missing.is_empty(), required.join(", "), observed)
}

fn absent(rule: &str, matcher: &TermMatcher, manuscript: &Manuscript<'_>) -> VoiceCheck {
    if matcher.is_empty() {
        return VoiceCheck::not_measured(rule);
    }
    let found = manuscript.lines().find_map(|line| matcher.find(&without_urls(line)).map(str::to_owned));
    VoiceCheck::measured(rule, found.is_none(), "none of the terms", found.unwrap_or_else(|| "none".to_owned()))
}

pub(super) fn reading_grade(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    let window = voice.reading_grade;
    let expected = format!("{} to {}", window.min, window.max);
    let unmeasured = || VoiceCheck { expected: Some(expected.clone()), ..VoiceCheck::not_measured("reading_grade") };
    if !is_english(manuscript.input.language) {
        return unmeasured();
    }
    measured_grade(manuscript).map_or_else(unmeasured, |grade| {
        let passed =
            grade >= f64::from(window.min) - GRADE_TOLERANCE && grade <= f64::from(window.max) + GRADE_TOLERANCE;
        VoiceCheck::measured("reading_grade", passed, expected.clone(), format!("{grade:.1}"))
    })
}

/// Returns the Flesch-Kincaid grade of English prose; `None` if the text is too short.
pub(in super::super) fn measured_grade(manuscript: &Manuscript<'_>) -> Option<f64> {
    language::reading_grade(manuscript.prose().map(without_urls), MIN_WORDS)
}

pub(super) fn sentence_length(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    if !is_english(manuscript.input.language) {
        return VoiceCheck::not_measured("sentence_length");
    }
    let longest = manuscript
        .prose()
        .filter_map(|block| sentences(block).into_iter().map(|sentence| words(sentence).count()).max())
        .max()
        .unwrap_or(0);
    let passed = longest <= voice.max_sentence_words as usize;
    VoiceCheck::measured(
        "sentence_length",
        passed,
        format!("at most {} words", voice.max_sentence_words),
        format!("{longest} words"),
    )
}

pub(in super::super) static CONTRACTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\w*(?:n['\u{2019}]t|\w['\u{2019}](?:re|ve|ll|d|m))\b").expect("the pattern is valid")
});
pub(in super::super) static PICTOGRAPH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\p{Extended_Pictographic}").expect("the pattern is valid"));

/// Returns the first pictograph of a text.
pub fn emoji(text: &str) -> Option<&str> {
    if text.is_ascii() {
        return None;
    }
    PICTOGRAPH.find(text).map(|found| found.as_str())
}

/// Returns true if the text contains `n't 're 've 'll 'd 'm`, with a straight or a curved apostrophe.
pub fn has_contraction(text: &str) -> bool {
    text.contains(['\'', '\u{2019}']) && CONTRACTION.is_match(text)
}

/// Returns the number of exclamation marks, including full-width ones.
pub fn count_exclamations(text: &str) -> usize {
    text.matches(EXCLAMATION_MARKS).count()
}

pub(super) fn contractions(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    if voice.contractions == Contractions::Allow || !is_english(manuscript.input.language) {
        return VoiceCheck::not_measured("contractions");
    }
    let found = manuscript
        .lines()
        .filter(|line| line.contains(['\'', '\u{2019}']))
        .find_map(|line| CONTRACTION.find(&without_urls(line)).map(|found| found.as_str().to_owned()));
    VoiceCheck::measured("contractions", found.is_none(), "none", found.unwrap_or_else(|| "none".to_owned()))
}

pub(super) fn emoji_rule(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    if voice.emoji == EmojiUse::Allow {
        return VoiceCheck::not_measured("emoji");
    }
    let found = manuscript.lines().find_map(emoji);
    VoiceCheck::measured("emoji", found.is_none(), "none", found.unwrap_or("none"))
}

pub(super) fn exclamations(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    let count: usize = manuscript.lines().map(|line| count_exclamations(&without_urls(line))).sum();
    let passed = count <= voice.max_exclamations as usize;
    VoiceCheck::measured("exclamations", passed, format!("at most {}", voice.max_exclamations), count.to_string())
}

pub(super) fn cta_present(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    let Some(cta) = &voice.cta else {
        return VoiceCheck::not_measured("cta_present");
    };
    let single_spaced = |text: &str| composed(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = single_spaced(&cta.text);
    let body: Vec<String> = manuscript.passages.iter().map(|passage| single_spaced(&passage.text)).collect();
    let body = body.join("\n");
    let near_end = body.rfind(&wanted).is_some_and(|at| at * 5 >= body.len() * 4);
    let links = cta
        .url
        .as_ref()
        .map(|url| manuscript.passages.iter().flat_map(|passage| &passage.links).filter(|link| *link == url).count());
    let passed = near_end && links.is_none_or(|links| links == 1);
    let place = match (near_end, body.contains(&wanted)) {
        (true, _) => "in the last fifth",
        (false, true) => "too early",
        (false, false) => "missing",
    };
    let observed = links.map_or_else(|| place.to_owned(), |links| format!("{place}, {links} links"));
    VoiceCheck::measured("cta_present", passed, format!("\"{wanted}\" in the last fifth"), observed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_are_found_with_either_apostrophe_and_possessives_are_not() {
        for text in ["don't", "we\u{2019}re", "I'm", "they'd", "CAN'T"] {
            assert!(has_contraction(text), "{text}");
        }
        for text in ["the team's plan", "rock 'n' roll", "dont"] {
            assert!(!has_contraction(text), "{text}");
        }
    }

    #[test]
    fn pictographs_are_found_and_digits_are_not() {
        assert_eq!(emoji("rocket 🚀"), Some("🚀"));
        assert_eq!(emoji("123 #* é 日本"), None);
    }
}
