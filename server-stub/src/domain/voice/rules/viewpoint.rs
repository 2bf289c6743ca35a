//! Who speaks to whom, told from the pronouns outside quotations and outside the call to action.

use std::sync::LazyLock;

use regex::Regex;

use super::super::language::{is_english, words};
use super::super::manuscript::{Manuscript, without_urls};
use super::super::profile::{BrandVoice, PointOfView};
use super::super::report::VoiceCheck;

/// One "you" or "your" is asked for in so many words.
const WORDS_PER_YOU: usize = 150;

pub(in super::super) static QUOTATION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("\u{201c}[^\u{201d}]*\u{201d}|\"[^\"]*\"").expect("the pattern is valid"));
pub(in super::super) static PRONOUN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:(?P<singular>I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|ME|MY)|(?P<plural>[Ww]e|[Uu]s|[Oo]urs?|[Oo]urselves|WE|OUR)|(?P<second>(?i:you|your|yours|yourself|yourselves)))\b",
    )
    .expect("the pattern is valid")
});

/// How often each person is named.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pronouns {
    /// I, me, my, mine, myself.
    pub singular: usize,
    /// We, us, our, ours, ourselves.
    pub plural: usize,
    /// You, your, yours, yourself, yourselves.
    pub second: usize,
}

/// Counts the pronouns of a text outside its quotations.
pub fn count_pronouns(text: &str) -> Pronouns {
    let mut counts = Pronouns::default();
    for found in PRONOUN.captures_iter(&QUOTATION.replace_all(text, " ")) {
        counts.singular += usize::from(found.name("singular").is_some());
        counts.plural += usize::from(found.name("plural").is_some());
        counts.second += usize::from(found.name("second").is_some());
    }
    counts
}

/// The call to action, which may speak as it likes.
pub(in super::super) fn exempt_text(voice: &BrandVoice) -> Option<String> {
    voice.cta.as_ref().map(|cta| cta.text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Whether the pronouns of the line do not count, because the exempt text is in it.
pub(in super::super) fn is_exempt(exempt: Option<&str>, line: &str) -> bool {
    exempt.is_some_and(|exempt| !exempt.is_empty() && line.contains(exempt))
}

pub(super) fn point_of_view(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    if voice.point_of_view == PointOfView::Any || !is_english(manuscript.input.language) {
        return VoiceCheck::not_measured("point_of_view");
    }
    let mut counts = Pronouns::default();
    let mut word_total = 0;
    let exempt = exempt_text(voice);
    for line in manuscript.lines().filter(|line| !is_exempt(exempt.as_deref(), line)) {
        let line = without_urls(line);
        let found = count_pronouns(&line);
        counts.singular += found.singular;
        counts.plural += found.plural;
        counts.second += found.second;
        word_total += words(&line).count();
    }
    let (passed, expected) = match voice.point_of_view {
        PointOfView::FirstPersonSingular => (counts.singular > 0, "I or my".to_owned()),
        PointOfView::FirstPersonPlural => {
            (counts.plural > 0 && counts.singular == 0, "we or our, no I or my".to_owned())
        }
        PointOfView::SecondPerson => {
            let least = (word_total / WORDS_PER_YOU).max(1);
            (counts.second >= least && counts.singular == 0, format!("you or your at least {least} times, no I or my"))
        }
        PointOfView::ThirdPerson => (counts == Pronouns::default(), "no I, we or you".to_owned()),
        PointOfView::Any => (true, String::new()),
    };
    let observed = format!("I {}, we {}, you {}", counts.singular, counts.plural, counts.second);
    VoiceCheck::measured("point_of_view", passed, expected, observed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pronouns_are_counted_outside_quotations() {
        let counts = count_pronouns("I'm sure our shop in the US suits you, \u{201c}my friend\u{201d}. Ask us.");
        assert_eq!(counts, Pronouns { singular: 1, plural: 2, second: 1 });
    }
}
