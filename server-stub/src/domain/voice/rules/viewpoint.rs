//! Checks the point of view by the pronouns outside quotations and outside the call to action.

use super::super::language::words;
use super::super::manuscript::{Manuscript, without_urls};
use super::super::profile::{BrandVoice, PointOfView};
use super::super::pronouns::personal_pronouns;
use super::super::report::VoiceCheck;
use super::super::supported_language::SupportedLanguage;

/// Number of words for which the second person requires one "you" or "your".
const WORDS_PER_YOU: usize = 150;

/// Number of pronouns of each person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pronouns {
    /// I, me, my, mine, myself.
    pub singular: usize,
    /// We, us, our, ours, ourselves.
    pub plural: usize,
    /// You, your, yours, yourself, yourselves.
    pub second: usize,
}

/// Counts the pronouns of an English text outside its quotations.
pub fn count_pronouns(text: &str) -> Pronouns {
    count_pronouns_in(SupportedLanguage::English, text)
}

/// Counts the pronouns of a text outside its quotations.
pub fn count_pronouns_in(language: SupportedLanguage, text: &str) -> Pronouns {
    let pronouns = personal_pronouns(language);
    let text = pronouns.quotation.replace_all(text, " ");
    let count = |index| pronouns.places(index, &text).count();
    Pronouns { singular: count(0), plural: count(1), second: count(2) }
}

/// Returns the text of the call to action, whose pronouns are not checked.
pub(in super::super) fn exempt_text(voice: &BrandVoice) -> Option<String> {
    voice.cta.as_ref().map(|cta| cta.text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns true if the line contains the exempt text, so that its pronouns are not counted.
pub(in super::super) fn is_exempt(exempt: Option<&str>, line: &str) -> bool {
    exempt.is_some_and(|exempt| !exempt.is_empty() && line.contains(exempt))
}

/// Returns true if a text follows the profile's point of view.
pub(in super::super) fn keeps_point_of_view(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> bool {
    point_of_view(voice, manuscript).passed
}

pub(super) fn point_of_view(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    let language = SupportedLanguage::of(manuscript.input.language);
    let Some(language) = language.filter(|_| voice.point_of_view != PointOfView::Any) else {
        return VoiceCheck::not_measured("point_of_view");
    };
    let mut counts = Pronouns::default();
    let mut word_total = 0;
    let exempt = exempt_text(voice);
    for line in manuscript.lines().filter(|line| !is_exempt(exempt.as_deref(), line)) {
        let line = without_urls(line);
        let found = count_pronouns_in(language, &line);
        counts.singular += found.singular;
        counts.plural += found.plural;
        counts.second += found.second;
        word_total += words(&line).count();
    }
    let [one, many, reader] = personal_pronouns(language).examples;
    let (passed, expected) = match voice.point_of_view {
        PointOfView::FirstPersonSingular => (counts.singular > 0, one.to_owned()),
        PointOfView::FirstPersonPlural => (counts.plural > 0 && counts.singular == 0, format!("{many}, no {one}")),
        PointOfView::SecondPerson => {
            let least = (word_total / WORDS_PER_YOU).max(1);
            (counts.second >= least && counts.singular == 0, format!("{reader} at least {least} times, no {one}"))
        }
        PointOfView::ThirdPerson => (counts == Pronouns::default(), format!("no {one}, {many} or {reader}")),
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

    #[test]
    fn each_language_has_its_own_pronouns_and_quotation_marks() {
        for (language, text, singular, plural, second) in [
            (
                SupportedLanguage::German,
                "Ich sage: Wir zeigen Ihnen \u{201e}mein Haus\u{201c}, und sie sehen ihre Wahl.",
                1,
                1,
                1,
            ),
            (
                SupportedLanguage::German,
                "Sie blüht im Mai. Sie nimmt dein Wasser. Was Sie sehen, gehört Ihnen.",
                0,
                0,
                3,
            ),
            (
                SupportedLanguage::French,
                "J\u{2019}ai notre plan, et vous \u{ab}\u{a0}mon ami\u{a0}\u{bb}. Tes notes, un ton.",
                1,
                1,
                2,
            ),
            (
                SupportedLanguage::Spanish,
                "Yo veo nuestro plan; usted \u{ab}mi amigo\u{bb}. Tu nota y la suya.",
                1,
                1,
                2,
            ),
        ] {
            assert_eq!(count_pronouns_in(language, text), Pronouns { singular, plural, second }, "{text}");
        }
    }
}
