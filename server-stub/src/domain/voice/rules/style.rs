//! Contractions, pictographs and exclamation marks.

use std::sync::LazyLock;

use regex::Regex;

use super::super::language::is_english;
use super::super::manuscript::{Manuscript, without_urls};
use super::super::profile::{BrandVoice, Contractions, EmojiUse};
use super::super::report::VoiceCheck;

pub(in super::super) static CONTRACTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\w*(?:n['\u{2019}]t|\w['\u{2019}](?:re|ve|ll|d|m))\b").expect("the pattern is valid")
});
pub(in super::super) static PICTOGRAPH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\p{Extended_Pictographic}").expect("the pattern is valid"));

/// An exclamation mark and its full-width form.
pub(in super::super) const EXCLAMATION_MARKS: [char; 2] = ['!', '\u{ff01}'];

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
